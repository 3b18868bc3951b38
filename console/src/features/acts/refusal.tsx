import { RelanceError } from '@relance/sdk'
import { useState } from 'react'
import { useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
import { refusalKinds, words } from './words.ts'

/** The kind of a refusal; any other error is a fault of the console. */
export const refusalOf = (error: unknown) =>
  error instanceof RelanceError ? refusalKinds[error.code] : ('ours' as const)

/** A refusal of the API: its meaning, its causes, what to do next, and the request id. */
export function Refusal({ error }: { readonly error: Error }) {
  const { refusals, blockedBy, requestId } = useWords(words)
  const { reasons } = useWords(names)
  const { means, next } = refusals[refusalOf(error)]
  const causes = error instanceof RelanceError ? error.details.map(({ code }) => code) : []
  const known = causes
    .filter(code => Object.hasOwn(reasons, code))
    .map(code => reasons[code as keyof typeof reasons])
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-control border border-alarm bg-alarm-ground p-3">
      <p className="font-medium text-alarm">{means}</p>
      {known.length > 0 && <p>{blockedBy(known.join(', '))}</p>}
      <p>{next}</p>
      {error instanceof RelanceError && (
        <>
          {/* The API writes its sentences in English. */}
          <p lang="en" className="text-mark text-soft">
            {error.message}
          </p>
          {error.requestId !== null && (
            <p className="flex flex-wrap items-center gap-2 text-mark text-soft">
              {requestId} <code className="break-all">{error.requestId}</code>
              <Copy text={error.requestId} />
            </p>
          )}
        </>
      )}
    </div>
  )
}

function Copy({ text }: { readonly text: string }) {
  const { copy, copied } = useWords(words)
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      className="min-h-6 px-2 text-mark"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true))
      }}
    >
      {isCopied ? copied : copy}
    </Button>
  )
}
