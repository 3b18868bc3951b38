import { RelanceError } from '@relance/sdk'
import { useState } from 'react'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { refusalWords, tellRefusal } from '../../lib/refusal-words.ts'
import { Button } from '../../ui/button.tsx'
import { words } from './words.ts'

/** A refusal of the API: what it means, what to do next, and the request id. */
export function Refusal({
  error,
  marked,
}: {
  readonly error: Error
  /** The fields at which a fault is told already. */
  readonly marked?: readonly string[]
}) {
  const language = useLanguage()
  const { requestId } = useWords(refusalWords)
  const [means, ...more] = tellRefusal(error, language, {
    more: useWords(words).obstacles,
    ...(marked && { marked }),
  })
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-control border border-alarm bg-alarm-ground p-3">
      <p className="font-medium text-alarm">{means}</p>
      {more.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      {error instanceof RelanceError && (
        <>
          {/* The API writes its sentences in English: they are for who reads English. */}
          {language === 'en' && <p className="text-mark text-soft">{error.message}</p>}
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
  const { copy, copied } = useWords(refusalWords)
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
