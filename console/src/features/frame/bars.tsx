import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { clockQuery, companyQuery, goToSignIn, useApi, usePlace, useSessionEnded } from '../../lib/api.ts'
import { commandOf, runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { clockTime, fullDay, momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { words } from './words.ts'

/** The time there, which goes on as ours does. */
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

/** On every page of a sandbox: nobody may take it for the real thing. */
export function SandboxBar() {
  const text = useWords(words)
  const language = useLanguage()
  const time = useSandboxTime()
  const { data: company } = useQuery(companyQuery(useApi()))
  return (
    <p className="stripes flex h-6 items-center px-2 text-head md:px-4">
      <span className="truncate rounded-bar bg-sheet px-2 font-[650] text-ink">
        <span className="uppercase">{text.sandbox}</span>
        {time && company && (
          <>
            {' · '}
            <time dateTime={new Date(time.now).toISOString()}>
              <span className="md:hidden">{momentText(time.now, company.timeZone, language)}</span>
              <span className="max-md:hidden">
                {text.sandboxTime(
                  `${fullDay(time.now, company.timeZone, language)}, ${clockTime(time.now, company.timeZone, language)}`,
                )}
              </span>
            </time>
            {time.isBehind && ` · ${text.sandboxCatchesUp}`}
          </>
        )}
      </span>
    </p>
  )
}

/** On every page while the company's sending is stopped. */
export function StopBanner() {
  const text = useWords(words)
  const language = useLanguage()
  const { environment } = usePlace()
  const { data: company } = useQuery(companyQuery(useApi()))
  const canResume = useOfferedCommands().some(({ id }) => id === 'resume-sending')
  const stop = company?.sendingStop
  if (!stop) return null
  return (
    <div
      role="status"
      data-environment={environment}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-alarm bg-alarm-ground px-4 py-2 text-alarm"
    >
      <p className="min-w-0 break-words">
        <strong className="font-[650]">
          {text.stopped(momentText(stop.since, company.timeZone, language))}
        </strong>{' '}
        {text.reason(stop.reason)}
      </p>
      {canResume && (
        <Button onClick={() => runCommand('resume-sending')}>{commandOf('resume-sending')[language]}</Button>
      )}
    </div>
  )
}

/** Not a window over the page: what was typed can still be read and copied. */
export function SessionEnded() {
  const text = useWords(words)
  if (!useSessionEnded()) return null
  return (
    <div
      role="alert"
      className="sticky top-0 z-30 flex flex-wrap items-center gap-4 border-b border-warn bg-warn-ground px-4 py-2 text-warn"
    >
      <p>{text.sessionEnded}</p>
      <Button tone="brand" onClick={goToSignIn}>
        {text.signIn}
      </Button>
    </div>
  )
}
