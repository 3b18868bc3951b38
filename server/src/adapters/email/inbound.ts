import { isStopWord } from '../../domain/contact/stop-word.ts'
import { plainSha256 } from '../../kit/crypto.ts'
import type { CallbackReader, CallbackRequest, ProviderEvent } from '../callback.ts'
import { replyContent } from '../reply-content.ts'
import { bearerOf, matchesSecret } from '../shared-secret.ts'
import { textOfHtml } from './html-text.ts'
import type { ReadMail } from './read-mail.thread.ts'
import { readMail } from './read-mail.ts'

/** `bounce+<code>@…` receives bounces, `reply+<code>@…` a copy of each reply. */
export const bounceAddress = (code: string, domain: string): string => `bounce+${code}@${domain}`
export const replyAddress = (code: string, domain: string): string => `reply+${code}@${domain}`

export const codeInAddress = /\b(?:bounce|reply)\+([a-z0-9]{2}[\w-]{18})@/
export const isCodeAlone = (text: string): boolean => /^[a-z0-9]{2}[\w-]{18}$/.test(text)

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
function codeOf({ headers, to, quoted }: ReadMail, status: readonly Record<string, string>[]): string | null {
  const envelope = status[0]?.['original-envelope-id'] ?? ''
  if (isCodeAlone(envelope)) return envelope
  const addressed = ['to', 'delivered-to', 'x-original-to', 'cc'].map(name => headers[name]).join(' ')
  return codeInAddress.exec(`${addressed} ${to}`)?.[1] ?? codeInAddress.exec(quoted)?.[1] ?? null
}

/** An automatic reply: it proves that the message arrived, but is no response of the person. */
const isAutomatic = ({ headers }: ReadMail) => {
  const submitted = headers['auto-submitted']!.toLowerCase()
  return (submitted !== '' && submitted !== 'no') || /bulk|auto_reply|junk/i.test(headers.precedence!)
}

/**
 * Incoming mail, forwarded by our own mail server: bounces and notifications are recognised by their status, replies by the
 * address they were sent to.
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
      const mail = await readMail(body)
      if (mail === null) return []
      const status = mail.hasStatus ? statusOf(mail.status) : []
      const code = codeOf(mail, status)
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
      if (mail.hasStatus) {
        const actions = status.map(({ action }) => action?.toLowerCase())
        if (actions.includes('failed')) return [receipt('bounced')]
        // `delayed` is not final, and `relayed` only means that no further notification will come.
        return actions.includes('delivered') || actions.includes('expanded') ? [receipt('delivered')] : []
      }
      if (isAutomatic(mail)) return [receipt('delivered')]
      const text = mail.text.trim() === '' ? textOfHtml(mail.html) : mail.text
      const isStop = isStopWord(text.split('\n').find(line => line.trim() !== '') ?? mail.subject)
      const content = replyContent({ ...mail, text })
      return [
        receipt('delivered'),
        { kind: 'reply', code, isStop, at: wall, eventId: `${eventId} reply`, content },
      ]
    },
  }
}
