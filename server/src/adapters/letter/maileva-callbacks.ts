import type { ReceiptOutcome } from '../../domain/contact/receipt.ts'
import type { CallbackReader } from '../callback.ts'
import { isOurCode, jsonOf } from '../callback-body.ts'
import { listAt, textAt } from '../http-provider.ts'
import { basicPasswordOf, isSecret } from '../shared-secret.ts'
import { type MailevaOptions, mailevaClient, places } from './maileva-client.ts'

/** What a notification says by itself. */
const byEvent: ReadonlyMap<string, ReceiptOutcome> = new Map([
  ['ON_MAIN_DELIVERY_STATUS_FIRST_PRESENTATION', 'presented'],
  ['ON_MAIN_DELIVERY_STATUS_DELIVERED', 'signed'],
  ['ON_ACKNOWLEDGEMENT_OF_RECEIPT_RECEIVED', 'signed'],
  // It was refused before it was printed.
  ['ON_STATUS_REJECTED', 'bounced'],
])

/** It came back, or something happened to an electronic letter: what exactly, only the recipient's file says. */
const withoutReason = new Set(['ON_MAIN_DELIVERY_STATUS_UNDELIVERED', 'ON_UNDELIVERED_MAIL_RECEIVED'])

/** Why a letter came back: of the postman (N…), of the tracking (LP…), of the electronic letter. */
const byReason: ReadonlyMap<string, ReceiptOutcome> = new Map([
  ['N02', 'bounced'],
  ['N03', 'unclaimed'],
  ['N05', 'refused'],
  ['N07', 'bounced'],
  ['LP19', 'unclaimed'],
  ['LP20', 'bounced'],
  ['LP21', 'bounced'],
  ['LP22', 'refused'],
  ['ACCEPTED', 'signed'],
  ['REFUSED', 'refused'],
  ['NOT_CLAIMED', 'unclaimed'],
  ['ERROR', 'bounced'],
])

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const sendingIn = new RegExp(`/sendings/(${uuid})(?:/|$)`)

/** Maileva shows a password of ours, and names no piece of news: what happened to what and when is its name. */
export function mailevaCallbacks(
  key: string,
  options: MailevaOptions,
): CallbackReader & { close(): Promise<void> } {
  const client = mailevaClient(options)

  async function outcomeOf(sendingId: string, isElectronic: boolean): Promise<ReceiptOutcome | undefined> {
    const place = isElectronic ? places.electronic : places.paper
    const reply = await client.ask('GET', `${place}/${sendingId}/recipients`)
    if (reply.status === 404) return undefined
    if (reply.status !== 200) throw new Error(`maileva ${reply.status ?? reply.code}: not told why`)
    const [recipient] = listAt(reply.json, 'recipients')
    const reason = isElectronic
      ? textAt(recipient, 'status')
      : (textAt(recipient, 'undelivered_mail_reason') ??
        textAt(recipient, 'last_main_delivery_status', 'code'))
    return byReason.get(reason ?? '')
  }

  return {
    // Any other success is told again.
    thanks: 201,

    async read({ headers, body, wall }) {
      if (!isSecret(key, basicPasswordOf(headers.authorization))) return 'forged'
      const news = jsonOf(body)
      const code = textAt(news, 'resource_custom_id')
      const event = textAt(news, 'event_type') ?? ''
      if (!isOurCode(code)) return []
      const isElectronic = textAt(news, 'resource_type')?.startsWith('electronic_') ?? false
      const sendingId = sendingIn.exec(textAt(news, 'resource_location') ?? '')?.[1]
      const mustAsk = isElectronic ? event !== 'ON_STATUS_REJECTED' : withoutReason.has(event)
      const outcome = mustAsk ? sendingId && (await outcomeOf(sendingId, isElectronic)) : byEvent.get(event)
      if (!outcome) return []
      const date = textAt(news, 'event_date') ?? ''
      const at = Date.parse(date) || wall
      const eventId = `${textAt(news, 'resource_id') ?? code}:${event}:${date}`.slice(0, 200)
      return [{ kind: 'receipt', code, outcome, at, eventId }]
    },
    close: client.close,
  }
}
