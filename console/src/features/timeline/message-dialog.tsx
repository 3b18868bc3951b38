import type { CommunicationDetail } from '@relance/sdk'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { nameOf, names } from '../../lib/names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { words } from './words.ts'

interface Props {
  readonly id: string
  readonly timeZone: string
  readonly onClose: () => void
}

/** A message as the debtor received it, with its evidence. */
export default function MessageDialog({ id, timeZone, onClose }: Props) {
  const text = useWords(words)
  const known = useWords(names)
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['communication', id],
    queryFn: ({ signal }) => api.communications.get(id, { signal }),
  })
  const channel = data && known.channels[data.channel]
  const step = data && nameOf(known.steps, data.step, known.steps.extra_message)
  const title = [...new Set([channel, step])].filter(Boolean).join(' · ') || text.message
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="min-h-80 overflow-y-auto p-4">
        {data && <Message message={data} timeZone={timeZone} />}
      </div>
    </Dialog>
  )
}

function Message({ message, timeZone }: { message: CommunicationDetail; timeZone: string }) {
  const text = useWords(words)
  const language = useLanguage()
  const moment = (at: string) => momentText(at, timeZone, language)
  return (
    <div className="flex flex-col gap-4">
      <Facts
        items={[
          [text.state, text.states[message.state]],
          // The address of a letter is not kept.
          ...(message.sentAt && message.channel !== 'lrar'
            ? [[text.recipient, message.recipient ?? text.noRecipient] as const]
            : []),
          ...(message.sentAt ? [[text.sentAt, moment(message.sentAt)] as const] : []),
          ...(message.deliveredAt ? [[text.deliveredAt, moment(message.deliveredAt)] as const] : []),
          ...(message.receipts.length > 0
            ? [
                [
                  text.receipts,
                  message.receipts
                    .map(({ outcome, at }) => `${text.outcomes[outcome]}, ${moment(at)}`)
                    .join(' · '),
                ] as const,
              ]
            : []),
          [text.about, message.invoices.map(({ number }) => number).join(', ')],
          ...(message.subject ? [[text.subject, message.subject] as const] : []),
        ]}
      />
      {message.text === null ? (
        <p className="text-soft">{text.noText}</p>
      ) : (
        <p className="rounded-control border border-line bg-sunken p-3 font-mono text-head break-words whitespace-pre-wrap">
          {message.text}
        </p>
      )}
      {message.sha256 && (
        <p className="text-mark break-all text-soft">
          {text.digest} {message.sha256}
          {message.proof?.coversText && ` · ${text.covered}`}
        </p>
      )}
    </div>
  )
}
