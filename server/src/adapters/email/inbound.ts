import PostalMime, { type Email } from 'postal-mime'
import { isStopWord } from '../../domain/contact/stop-word.ts'
import { plainSha256 } from '../../kit/crypto.ts'
import type { CallbackReader, CallbackRequest, ProviderEvent } from '../callback.ts'
import { bearerOf, matchesSecret } from '../shared-secret.ts'

/** `bounce+<code>@…` receives bounces, `reply+<code>@…` a copy of each reply. */
export const bounceAddress = (code: string, domain: string): string => `bounce+${code}@${domain}`
export const replyAddress = (code: string, domain: string): string => `reply+${code}@${domain}`

export const codeInAddress = /\b(?:bounce|reply)\+([a-z0-9]{2}[\w-]{18})@/
export const isCodeAlone = (text: string): boolean => /^[a-z0-9]{2}[\w-]{18}$/.test(text)

const header = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value ?? ''

/** The fields of a delivery status (RFC 3464): of the message, then of each recipient, a blank line between. */
function statusOf(report: string): Record<string, string>[] {
  return report
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map(group => {
      const fields: Record<string, string> = {}
      for (const [, name, value] of group.replaceAll(/\n[ \t]+/g, ' ').matchAll(/^([\w-]+):[ \t]*(.*)$/gm))
        fields[name!.toLowerCase()] = value!.trim()
      return fields
    })
    .filter(fields => Object.keys(fields).length > 0)
}

/** The code is in the envelope id of a report, else in the address the mail was sent to, else in the quoted headers. */
function codeOf(mail: Email, status: readonly Record<string, string>[], quoted: string): string | null {
  const envelope = status[0]?.['original-envelope-id'] ?? ''
  if (isCodeAlone(envelope)) return envelope
  const addressed = ['to', 'delivered-to', 'x-original-to', 'cc'].map(name => header(mail, name)).join(' ')
  const known = mail.to?.map(({ address }) => address ?? '').join(' ') ?? ''
  return codeInAddress.exec(`${addressed} ${known}`)?.[1] ?? codeInAddress.exec(quoted)?.[1] ?? null
}

/** The first line of the text, else of the HTML without its tags, else the subject. */
function firstLine(mail: Email): string {
  const body = mail.text ?? mail.html?.slice(0, 20_000).replaceAll(/<[^<>]*>/g, '\n') ?? ''
  return body.split('\n').find(line => line.trim() !== '') ?? mail.subject ?? ''
}

/** An automatic reply: it proves that the message arrived, but is no response of the person. */
const isAutomatic = (mail: Email) => {
  const submitted = header(mail, 'auto-submitted').toLowerCase()
  return (submitted !== '' && submitted !== 'no') || /bulk|auto_reply|junk/i.test(header(mail, 'precedence'))
}

/**
 * Incoming mail, forwarded by our own mail server: bounces and notifications are recognised by their status, replies by the
 * address they were sent to. The creditor gets the reply itself; we only record that there is one.
 */
export function inboundMail(token: string): CallbackReader {
  const hasValidSecret = ({ headers }: Pick<CallbackRequest, 'headers'>) =>
    matchesSecret(token, bearerOf(headers.authorization))
  return {
    hasValidSecret,
    // Enough for a mail with headers and the quoted original.
    bodyMaxBytes: 2 * 1024 * 1024,
    async read({ headers, body, wall }) {
      if (!hasValidSecret({ headers })) return 'forged'
      const mail = await PostalMime.parse(body, { attachmentEncoding: 'utf8' })
      const part = (type: RegExp) => mail.attachments.find(({ mimeType }) => type.test(mimeType))
      const report = part(/^message\/(?:global-)?delivery-status$/)
      const status = report ? statusOf(String(report.content)) : []
      const quoted = part(/^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/)
      const code = codeOf(mail, status, quoted ? String(quoted.content) : '')
      if (code === null) return []
      // The sender chooses the Message-ID and its length, so it is hashed.
      const eventId = plainSha256(mail.messageId ?? body).toString('hex')
      const receipt = (outcome: 'delivered' | 'bounced'): ProviderEvent => ({
        kind: 'receipt',
        code,
        outcome,
        at: wall,
        eventId: `${eventId} ${outcome}`,
      })
      if (report) {
        const actions = status.map(({ action }) => action?.toLowerCase())
        if (actions.includes('failed')) return [receipt('bounced')]
        // `delayed` is not final, and `relayed` only means that no further notification will come.
        return actions.includes('delivered') || actions.includes('expanded') ? [receipt('delivered')] : []
      }
      if (isAutomatic(mail)) return [receipt('delivered')]
      const isStop = isStopWord(firstLine(mail))
      return [receipt('delivered'), { kind: 'reply', code, isStop, at: wall, eventId: `${eventId} reply` }]
    },
  }
}
