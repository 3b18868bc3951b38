import type { Debtor } from '@relance/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { count, momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { nameOf, names } from '../../lib/names.ts'
import { words } from './words.ts'

/** A reply as it came, under the message that it answers. The text is a stranger's: it is shown as text. */
export function ReplyThread({ debtor, replyId }: { readonly debtor: Debtor; readonly replyId: string }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['debtor', debtor.id, 'replies'],
    queryFn: async ({ signal }) => await api.debtors.replies(debtor.id, { limit: 50 }, { signal }),
  })
  const reply = data?.data.find(({ id }) => id === replyId)
  if (!data) return <div aria-busy="true" className="min-h-40" />
  if (!reply) return null
  const zone = debtor.timeZone ?? 'Europe/Paris'
  const { communicationId, from, receivedAt, subject, textState, said, attachments } = reply
  return (
    <>
      {communicationId !== null && <Answered id={communicationId} timeZone={zone} />}
      <article className="flex flex-col gap-2 rounded-sheet bg-calm p-3">
        <header className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="min-w-0 font-medium break-all">{from ?? debtor.name}</span>
          <time dateTime={receivedAt} className="text-head text-soft">
            {momentText(receivedAt, zone, language)}
          </time>
        </header>
        {subject !== null && <p className="font-medium break-words">{subject}</p>}
        {said !== null && <p className="font-medium">{text.said[said]}</p>}
        {reply.text !== null && <p className="break-words whitespace-pre-line">{reply.text}</p>}
        {textState === 'erased' && <p className="text-soft">{text.textGone}</p>}
        {textState === 'none' && said === null && <p className="text-soft">{text.noText}</p>}
        {attachments.length > 0 && (
          <ul className="text-mark text-soft">
            {attachments.map(({ name, type, bytes }, index) => (
              // Two may have one name.
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
              <li key={index} className="break-all">
                {[
                  name,
                  type,
                  text.bytes(count(Math.ceil(bytes / 1_000), language)),
                  text.staysInMailbox,
                ].join(' · ')}
              </li>
            ))}
          </ul>
        )}
      </article>
    </>
  )
}

/** The message that was answered, folded; its text is loaded when it is opened. */
function Answered({ id, timeZone }: { readonly id: string; readonly timeZone: string }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: ['communication', id],
    queryFn: ({ signal }) => api.communications.get(id, { signal }),
    enabled: isOpen,
  })
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 text-soft">{text.answered}</summary>
      {data ? (
        <div className="mt-2 rounded-control border border-line bg-sunken p-3">
          <p className="text-soft">
            {[
              nameOf(known.steps, data.step, known.steps.extra_message),
              momentText(data.sentAt ?? data.at, timeZone, language),
            ].join(' · ')}
          </p>
          {data.subject !== null && <p className="font-medium break-words">{data.subject}</p>}
          <p className="break-words whitespace-pre-wrap">{data.text ?? text.textGone}</p>
        </div>
      ) : (
        <div aria-busy="true" className="min-h-40" />
      )}
    </details>
  )
}
