import type { ReceiptOutcome } from '../../domain/contact/receipt.ts'
import type { CallbackReader, CallbackRequest } from '../callback.ts'
import { isOurCode, jsonOf } from '../callback-body.ts'
import { listAt, textAt } from '../http-provider.ts'
import { basicPasswordOf, matchesSecret } from '../shared-secret.ts'
import { basePaths, type MailevaOptions, mailevaClient } from './maileva-client.ts'

/** Notifications whose event type is enough to know the outcome. */
const byEvent: ReadonlyMap<string, ReceiptOutcome> = new Map([
  ['ON_MAIN_DELIVERY_STATUS_FIRST_PRESENTATION', 'presented'],
  ['ON_MAIN_DELIVERY_STATUS_DELIVERED', 'signed'],
  ['ON_ACKNOWLEDGEMENT_OF_RECEIPT_RECEIVED', 'signed'],
  // It was refused before it was printed.
  ['ON_STATUS_REJECTED', 'bounced'],
])

/** Notifications without a reason: the outcome has to be read from the recipient's record. */
const withoutReason = new Set(['ON_MAIN_DELIVERY_STATUS_UNDELIVERED', 'ON_UNDELIVERED_MAIL_RECEIVED'])

/** Why a letter came back: codes of the postman (N…), of the tracking (LP…), and of the electronic letter. */
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

/** Maileva authenticates with our password. It sends no event id, so the id is made from resource, event type and date. */
export function mailevaCallbacks(
  key: string,
  options: MailevaOptions,
): CallbackReader & { close(): Promise<void> } {
  const client = mailevaClient(options)

  async function outcomeOf(sendingId: string, isElectronic: boolean): Promise<ReceiptOutcome | undefined> {
    const basePath = isElectronic ? basePaths.electronic : basePaths.paper
    const reply = await client.ask('GET', `${basePath}/${sendingId}/recipients`)
    if (reply.status === 404) return undefined
    if (reply.status !== 200) throw new Error(`maileva ${reply.status ?? reply.code}: reason not available`)
    const [recipient] = listAt(reply.json, 'recipients')
    const reason = isElectronic
      ? textAt(recipient, 'status')
      : (textAt(recipient, 'undelivered_mail_reason') ??
        textAt(recipient, 'last_main_delivery_status', 'code'))
    return byReason.get(reason ?? '')
  }

  const hasValidSecret = ({ headers }: Pick<CallbackRequest, 'headers'>) =>
    matchesSecret(key, basicPasswordOf(headers.authorization))

  return {
    hasValidSecret,
    // Maileva repeats the callback after any other status.
    successStatus: 201,

    async read({ headers, body, wall }) {
      if (!hasValidSecret({ headers })) return 'forged'
      const notification = jsonOf(body)
      const code = textAt(notification, 'resource_custom_id')
      const event = textAt(notification, 'event_type') ?? ''
      if (!isOurCode(code)) return []
      const isElectronic = textAt(notification, 'resource_type')?.startsWith('electronic_') ?? false
      const sendingId = sendingIn.exec(textAt(notification, 'resource_location') ?? '')?.[1]
      const needsLookup = isElectronic ? event !== 'ON_STATUS_REJECTED' : withoutReason.has(event)
      const outcome = needsLookup
        ? sendingId && (await outcomeOf(sendingId, isElectronic))
        : byEvent.get(event)
      if (!outcome) return []
      const date = textAt(notification, 'event_date') ?? ''
      const at = Date.parse(date) || wall
      const eventId = `${textAt(notification, 'resource_id') ?? code}:${event}:${date}`.slice(0, 200)
      return [{ kind: 'receipt', code, outcome, at, eventId }]
    },
    close: client.close,
  }
}
