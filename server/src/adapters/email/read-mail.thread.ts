import { parentPort } from 'node:worker_threads'
import PostalMime, { type Email } from 'postal-mime'

/** What is read of a mail. Every text is cut: a mail may unfold into much more than it is. */
export interface ReadMail {
  /** Of the headers that say for whom it is, and whether a person wrote it. */
  headers: Record<string, string>
  to: string
  messageId: string | null
  from: { name: string; address: string }
  subject: string
  text: string
  html: string
  attachments: { name: string; type: string; bytes: number }[]
  /** The parts of a bounce: its status, and the message or the headers it quotes. Empty where there is none. */
  status: string
  hasStatus: boolean
  quoted: string
}

const textMax = 200_000
const headerMax = 20_000
const namesMax = 1_000

const addressed = ['to', 'delivered-to', 'x-original-to', 'cc']
const read = [...addressed, 'auto-submitted', 'precedence']

function mailOf(mail: Email): ReadMail {
  const part = (type: RegExp) => mail.attachments.find(({ mimeType }) => type.test(mimeType))
  const contentOf = (found: ReturnType<typeof part>) =>
    found ? Buffer.from(found.content as ArrayBuffer).toString('utf8', 0, textMax) : ''
  const status = part(/^message\/(?:global-)?delivery-status$/)
  const quoted = part(/^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/)
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  return {
    headers: Object.fromEntries(read.map(name => [name, header(name).slice(0, headerMax)])),
    to: (mail.to ?? [])
      .map(({ address }) => address ?? '')
      .join(' ')
      .slice(0, headerMax),
    messageId: mail.messageId ?? null,
    from: {
      name: (mail.from?.name ?? '').slice(0, namesMax),
      address: (mail.from?.address ?? '').slice(0, namesMax),
    },
    subject: (mail.subject ?? '').slice(0, namesMax),
    text: (mail.text ?? '').slice(0, textMax),
    html: (mail.html ?? '').slice(0, textMax),
    attachments: mail.attachments.slice(0, 20).map(({ filename, mimeType, content }) => ({
      name: (filename ?? '').slice(0, namesMax),
      type: mimeType.slice(0, namesMax),
      bytes: (content as ArrayBuffer).byteLength,
    })),
    status: contentOf(status),
    hasStatus: status !== undefined,
    quoted: contentOf(quoted),
  }
}

parentPort!.on('message', async (bytes: Uint8Array) => {
  // A mail within a mail is an attachment: it is not what the sender wrote, and it may hold a mail again.
  const mail = await PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    maxNestingDepth: 50,
    maxHeadersSize: 512 * 1024,
  })
  parentPort!.postMessage(mailOf(mail))
})
