import { isStopWord } from '../../domain/contact/stop-word.ts'
import { emptyForm, parseForm } from '../../kit/http/form.ts'
import { shortText } from '../../kit/short-text.ts'
import type { CallbackReader, CallbackRequest } from '../callback.ts'
import { isOurCode } from '../callback-body.ts'
import { textAt } from '../http-provider.ts'
import { replyContent } from '../reply-content.ts'
import { matchesSecret } from '../shared-secret.ts'
import { type OvhOptions, ovhClient } from './ovhcloud.ts'

type Outcome = 'delivered' | 'bounced'
/** Codes of the delivery report: 1 arrived, 2 and 16 failed, 4 and 8 are on the way. */
const byReport: ReadonlyMap<string, Outcome> = new Map([
  ['1', 'delivered'],
  ['2', 'bounced'],
  ['16', 'bounced'],
])
/** Status of the operator: delivered, lost, expired, deleted. Any other status may still change. */
const byOperator: ReadonlyMap<string, Outcome> = new Map([
  ['4', 'delivered'],
  ['5', 'bounced'],
  ['7', 'bounced'],
  ['8', 'bounced'],
])

const withTimeZone = shortText(40, /T.*(?:Z|[+-]\d\d:?\d\d)$/)

/** A date-time without a time zone is not used. */
const momentOf = (text: string | null): number =>
  text !== null && withTimeZone.test(text) ? Date.parse(text) : Number.NaN

const e164 = (phone: string) => phone.replace(/^00/, '+').replace(/^(?=[1-9])/, '+')

/**
 * OVHcloud does not sign callbacks: the callback URL contains our secret. OVHcloud names the message by its own number, so
 * without a tag the code has to be requested.
 */
export function ovhCallbacks(key: string, options: OvhOptions): CallbackReader & { close(): Promise<void> } {
  const { provider, signedRequest, path } = ovhClient(options)

  async function codeOf(id: string): Promise<string | null> {
    const reply = await signedRequest('GET', path(`/outgoing/${encodeURIComponent(id)}`))
    if (reply.status === 404) return null
    if (reply.status !== 200) throw new Error(`ovh ${reply.status ?? reply.code}: message not available`)
    return textAt(reply.json, 'tag') ?? null
  }

  const queryOf = (url: string) => URL.parse(url)?.searchParams ?? new URLSearchParams()
  const hasValidSecret = ({ url }: Pick<CallbackRequest, 'url'>) =>
    matchesSecret(key, queryOf(url).get('key') ?? undefined)

  return {
    hasValidSecret,
    async read({ url, body, wall }) {
      if (!hasValidSecret({ url })) return 'forged'
      const query = queryOf(url)
      const form = parseForm(body) ?? emptyForm
      const field = (name: string) => query.get(name) ?? form.get(name)?.[0] ?? null
      const id = field('id')
      if (!id || !/^\w{1,32}$/.test(id)) return []
      const at = momentOf(field('date')) || wall
      const [report, operator] = [field('dlr'), field('ptt')]
      if (report === null && operator === null) {
        const [phone, text] = [field('senderid') ?? field('sender'), field('message')]
        if (!phone || text === null || !/^\+?\d{6,15}$/.test(phone)) return []
        const eventId = `reply:${id}`
        const content = replyContent({ from: { address: e164(phone) }, text })
        return [
          { kind: 'reply_by_phone', phone: e164(phone), isStop: isStopWord(text), at, eventId, content },
        ]
      }
      const outcome = report === null ? byOperator.get(operator ?? '') : byReport.get(report)
      if (!outcome) return []
      const tag = field('tag')
      const code = isOurCode(tag) ? tag : await codeOf(id)
      return isOurCode(code) ? [{ kind: 'receipt', code, outcome, at, eventId: `${id}:${outcome}` }] : []
    },
    close: () => provider.close(),
  }
}
