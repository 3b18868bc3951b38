import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { hasValidCheckDigit } from '../../src/domain/siret.ts'
import { createKey } from '../../src/features/access/api-keys/create-key.ts'
import { lookupOf } from '../../src/features/access/api-keys/key-format.ts'
import { registerClient } from '../../src/features/access/oauth/register-client.ts'
import { inviteMember } from '../../src/features/access/people/invite-member.ts'
import { chat } from '../../src/features/integrations/assistant/chat.ts'
import { createWebhook } from '../../src/features/integrations/webhooks/create-webhook.ts'
import { events } from '../../src/features/integrations/webhooks/event-catalogue.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { randomWord } from '../../src/kit/random-word.ts'
import { type House, invoiceInput } from '../harness/house.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import {
  apiKey,
  invitation,
  makeRoomForClient,
  makeRoomForInvitation,
  makeRoomForKey,
  member,
  oauthClient,
} from './make-access.ts'
import { exampleOf, type Json, type Maker, posted, word } from './posted.ts'

const invoice = (house: House, key: string) =>
  posted<{ id: string; debtor: { id: string } }>(house, key, '/api/v1/invoices', invoiceInput())

const sleepingInvoice = async (house: House, key: string) => {
  const body = { invoices: [invoiceInput()], autoStartWorkflow: false }
  const report = await posted<{ results: { id: string }[] }>(house, key, '/api/v1/invoices/bulk', body)
  return report.results[0]!.id
}

const payment = async (house: House, key: string) => {
  const { id: invoiceId } = await invoice(house, key)
  const body = { invoiceId, amountCents: 1_000, method: 'bank_transfer' }
  return (await posted<{ id: string }>(house, key, '/api/v1/payments', body)).id
}

const invoiceId: Maker = async (house, key) => (await invoice(house, key)).id
const debtorId: Maker = async (house, key) => (await invoice(house, key)).debtor.id

const writtenOffInvoice: Maker = async (house, key) => {
  const { id } = await invoice(house, key)
  await posted(house, key, `/api/v1/invoices/${id}/write-off`, { basis: 'untraceable' })
  return id
}

const disputedInvoice: Maker = async (house, key) => {
  const { id } = await invoice(house, key)
  await posted(house, key, `/api/v1/invoices/${id}/dispute`, { reason: 'broken' })
  return id
}

/** Where any invoice will not do. */
const invoicesFor: Record<string, Maker> = {
  'invoices.delete': sleepingInvoice,
  'invoices.anr': writtenOffInvoice,
  'invoices.resolveDispute': disputedInvoice,
}

const cascades = new Map<string, Promise<string>>()
/** One is enough for each key: it is changed again and again, and there may not be many. */
const cascade: Maker = (house, key) => {
  const steps = [
    { name: 'email_prise_en_charge', day: 0 },
    { name: 'revue_judiciaire', day: 30 },
  ]
  // Meant for nobody the guards know.
  const applies = { minAmountCents: 999_999_999_999 }
  const made =
    cascades.get(key) ??
    posted<{ name: string }>(house, key, '/api/v1/cascades', { name: `own_${word()}`, steps, applies }).then(
      ({ name }) => name,
    )
  cascades.set(key, made)
  return made
}

/** Told by nobody in here: nothing is on its way to a webhook of the guards while rows are compared. */
const untold = ['cascade.action']

let receiver: Promise<Receiver> | null = null
const webhooks = new Map<string, string>()
/** One is enough for each key and operation, as long as it is there; its endpoint is there too, and takes everything. */
const webhook: Maker = async (house, key, operation) => {
  const name = `${key} ${operation.id}`
  const known = webhooks.get(name)
  if (known && (await house.call('GET', `${createWebhook.path}/${known}`, { key })).status === 200)
    return known
  receiver ??= startReceiver()
  const { url } = await receiver
  const { id } = await posted<{ id: string }>(house, key, createWebhook.path, { url, events: untold })
  webhooks.set(name, id)
  return id
}

/** There may not be many: those that were made by the example make room. */
const makeRoomForWebhook = (house: House, key: string) =>
  house.sql(
    `with gone as (
       delete from webhooks where tenant_id = (select tenant_id from api_keys where lookup = $1) and url = $2 returning tenant_id, id)
     delete from webhook_pumps p using gone where p.tenant_id = gone.tenant_id and p.webhook_id = gone.id`,
    [lookupOf(key), exampleOf(createWebhook).url],
  )

const delivery: Maker = async (house, _key, _operation, { id: webhookId }) => {
  const id = randomUUIDv7()
  await house.sql(
    `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, created_at)
     select tenant_id, id, $2, 'cascade.action', 'failed', 5, created_at, created_at from webhooks where id = $1`,
    [webhookId, id],
  )
  return id
}

const channelOf = (operation: Operation) =>
  operation.path.includes('lrar') ? 'lrar' : operation.path.endsWith('no-answer') ? 'voice' : 'email'

/** One that was sent: on the guards' Sunday nothing is, so it is written down as if it had been. */
const message: Maker = async (house, key, operation) => {
  const id = randomUUIDv7()
  await house.sql(
    `with sent as (
       insert into communications (tenant_id, id, debtor_id, wake_gen, channel, step, state, not_after, verdict, reserved_at, sent_at,
         settled_at, lead_invoice_id)
       select tenant_id, $2, debtor_id, 0, $3, 'relance_email_1', 'sent', created_at, '{}', created_at, created_at, created_at, id
         from invoices where id = $1 returning tenant_id)
     insert into communication_invoices (tenant_id, communication_id, invoice_id) select tenant_id, $2, $1 from sent`,
    [(await invoice(house, key)).id, id, channelOf(operation)],
  )
  return id
}

const conversation: Maker = async (house, key) => {
  const body = exampleOf(chat)
  const answer = await house.call<{ conversationId: string }>('POST', chat.path, { key, body })
  return answer.body.data.conversationId
}

/** How to make the thing an id in a path or a body speaks of, such that the operation would succeed with it. */
const makers: Record<string, Maker> = {
  'invoices/:id': (house, key, operation, ids) =>
    (invoicesFor[operation.id] ?? invoiceId)(house, key, operation, ids),
  'invoice/:invoiceId': invoiceId,
  'debtors/:id': debtorId,
  'payments/:id': payment,
  'cascades/:name': cascade,
  'templates/:id': async () => 'relance_email_1.email.fr',
  'api-keys/:id': apiKey,
  'webhooks/:id': webhook,
  'oauth-clients/:id': oauthClient,
  'members/:personId': member,
  'invitations/:id': invitation,
  'deliveries/:deliveryId': delivery,
  'conversations/:id': conversation,
  'debtor.id': debtorId,
  debtorId,
  invoiceId,
  communicationId: message,
  conversationId: conversation,
}

const missing: Record<string, () => string> = {
  'cascades/:name': () => `none_${word()}`,
  'templates/:id': () => `none_${word()}.email.fr`,
  'oauth-clients/:id': () => `oc_e1${randomWord(20)}`,
}

/** By these names every tenant has a thing of its own: nobody else's can be meant by them. */
export const isNamedAlike = ({ path }: Operation): boolean => path.includes('/templates/:id')

/** What nobody has, as the ids of a path look. */
export function missingIds({ path }: Operation): Record<string, string> {
  const segments = path.split('/')
  return Object.fromEntries(
    segments.flatMap((segment, at) => {
      if (!segment.startsWith(':')) return []
      return [[segment.slice(1), (missing[`${segments[at - 1]}/${segment}`] ?? randomUUIDv7)()]]
    }),
  )
}

export function makeId(
  house: House,
  what: string,
  key: string,
  operation: Operation,
  ids: Readonly<Record<string, string>> = {},
): Promise<string> {
  const maker = makers[what]
  if (!maker) throw new Error(`the guards cannot make a ${what}: tell make.ts how`)
  return maker(house, key, operation, ids)
}

const freshSiret = () => {
  for (;;) {
    const digits = String(randomBytes(6).readUIntBE(0, 6)).padStart(14, '1').slice(0, 14)
    if (hasValidCheckDigit(digits)) return digits
  }
}

let seconds = 0
let asked = 0
/** Fields of which a second use means something else than the first. */
const unique: Record<string, () => string> = {
  invoiceNumber: () => `G-${word()}`,
  number: () => `A-${word()}`,
  email: () => `compta-${word()}@durand.example`,
  siret: freshSiret,
  reason: () => `because ${word()}`,
  note: () => `noted ${word()}`,
  opening: () => `Bonjour ${word()}, la facture {{reference}} attend.`,
  description: () => `described ${word()}`,
  message: () => `Which are overdue, ${word()}?`,
  event: () => events[asked++ % events.length]!.type,
  // Of the days before the wall's: a fixed one would be too long ago some day.
  since: () => new Date(Date.now() - randomBytes(4).readUInt32BE() / 2).toISOString(),
  // Never so far that it would be another day.
  advance: () => `PT${(seconds++ % 7) + 1}S`,
  at: () => new Date(Date.UTC(2027, 0, 11, 9, 0, 0, randomBytes(4).readUInt32BE())).toISOString(),
}

async function freshened(node: unknown, make: (what: string) => Promise<string>): Promise<unknown> {
  if (Array.isArray(node)) return Promise.all(node.map(item => freshened(item, make)))
  if (typeof node !== 'object' || node === null) return node
  const isId = (value: unknown) =>
    typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
  const fields = Object.entries(node).map(async ([name, value]) => {
    const fresh = unique[name]?.() ?? (isId(value) ? await make(name) : await freshened(value, make))
    return [name, fresh] as const
  })
  return Object.fromEntries(await Promise.all(fields))
}

/** The body of the operation's own example, as nobody sent it before, about things the key's tenant has. */
export async function freshBody(house: House, operation: Operation, key: string): Promise<Json> {
  if (operation === createKey) await makeRoomForKey(house, key)
  if (operation === createWebhook) await makeRoomForWebhook(house, key)
  if (operation === registerClient) await makeRoomForClient(house, key)
  if (operation === inviteMember) await makeRoomForInvitation(house, key)
  return {
    ...((await freshened(exampleOf(operation), what => makeId(house, what, key, operation))) as Json),
    // A name that is an id here; elsewhere it is somebody's, or a step's.
    ...(operation.id === 'cascades.create' && { name: `own_${word()}` }),
    ...(operation === createKey && { name: `Key ${word()}` }),
    ...(operation === registerClient && { name: `Client ${word()}` }),
    ...(/^webhooks\.(create|update)$/.test(operation.id) && { events: untold }),
  }
}
