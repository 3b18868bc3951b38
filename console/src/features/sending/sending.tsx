import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { companyQuery, useApi, useMay } from '../../lib/api.ts'
import { useCommand } from '../../lib/commands.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { type Question, resumeHash } from './question.ts'

const Questions = lazyPart(() => import('./questions.tsx'))

/** The commands that stop and resume all sending. Mounted once on every page; their questions are loaded on demand. */
export function Sending() {
  const may = useMay()
  const { data: company } = useQuery(companyQuery(useApi()))
  const isStopped = company !== undefined && company.sendingStop !== null
  // Undefined until the first question opens.
  const [question, setQuestion] = useState<Question>()
  useCommand('stop-sending', company && !isStopped ? () => setQuestion('stop') : null)
  useCommand('resume-sending', isStopped ? () => setQuestion('resume') : null)

  const mayResume = may('company.resumeSending')
  useEffect(() => {
    if (window.location.hash !== resumeHash || !isStopped || !mayResume) return
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
    setQuestion('resume')
  }, [isStopped, mayResume])

  if (question === undefined) return null
  return (
    <Suspense fallback={null}>
      <Questions question={question} isStopped={isStopped} onAsk={setQuestion} />
    </Suspense>
  )
}
