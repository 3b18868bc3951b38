import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { clockQuery, companyQuery, useApi } from '../../lib/api.ts'
import { clockTime, fullDay, momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { words } from './words.ts'

/** The sandbox time. It advances with the real time. */
function useSandboxTime() {
  const { data, dataUpdatedAt } = useQuery(clockQuery(useApi()))
  const [wall, setWall] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setWall(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  if (!data) return null
  return {
    now: Date.parse(data.now) + Math.max(0, wall - dataUpdatedAt),
    isBehind: data.status === 'running',
  }
}

/** In the bar of a sandbox: what time it is there. */
export default function SandboxTime() {
  const text = useWords(words)
  const language = useLanguage()
  const time = useSandboxTime()
  const { data: company } = useQuery(companyQuery(useApi()))
  if (!time || !company) return null
  return (
    <>
      {' · '}
      <time dateTime={new Date(time.now).toISOString()}>
        <span className="md:hidden">{momentText(time.now, company.timeZone, language)}</span>
        <span className="max-md:hidden">
          {text.sandboxTime(
            `${fullDay(time.now, company.timeZone, language)}, ${clockTime(time.now, company.timeZone)}`,
          )}
        </span>
      </time>
      {time.isBehind && ` · ${text.sandboxCatchesUp}`}
    </>
  )
}
