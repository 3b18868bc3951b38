import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import { hasValidCheckDigit } from '../../src/domain/siret.ts'
import { createKey } from '../../src/features/access/api-keys/create-key.ts'
import { lookupOf } from '../../src/features/access/api-keys/key-format.ts'
import { registerClient } from '../../src/features/access/oauth/register-client.ts'
import { inviteMember } from '../../src/features/access/people/invite-member.ts'
import { chat } from '../../src/features/integrations/assistant/chat.ts'
import { createImportTask } from '../../src/features/integrations/tasks/import/create-import.ts'
import { emptyReport } from '../../src/features/integrations/tasks/import/schema.ts'
import { createWebhook } from '../../src/features/integrations/webhooks/create-webhook.ts'
import { events } from '../../src/features/integrations/webhooks/event-catalogue.ts'
import { sealContent, storedForm } from '../../src/features/recovery/holds/reply-content.ts'
import { keyring } from '../../src/kit/crypto.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { randomAlphanumeric } from '../../src/kit/random-alphanumeric.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { invoiceInput, type TestInstallation } from '../harness/use-installation.ts'
import {
  apiKey,
  invitation,
  makeRoomForClient,
  makeRoomForInvitation,
  makeRoomForKey,
  member,
  oauthClient,
} from './make-access.ts'
import { exampleOf, type Json, type Maker, postOk, randomHex } from './make-helpers.ts'

const invoice = (installation: TestInstallation, key: string) =>
  postOk<{ id: string; debtor: { id: string } }>(installation, key, '/api/v1/invoices', invoiceInput())

const unstartedInvoice = async (installation: TestInstallation, key: string) => {
  const body = { invoices: [invoiceInput()], autoStartWorkflow: false }
  const report = await postOk<{ results: { id: string }[] }>(installation, key, '/api/v1/invoices/bulk', body)
  return report.results[0]!.id
}

const payment: Maker = async (installation, key, operation) => {
  const { id: invoiceId } = await invoice(installation, key)
  // Only one that has not arrived can be settled, and only one that has can go back.
  const status = operation.id === 'payments.settle' ? 'pending' : 'completed'
  const body = { invoiceId, amountCents: 1_000, method: 'bank_transfer', status }
  return (await postOk<{ id: string }>(installation, key, '/api/v1/payments', body)).id
}

const invoiceId: Maker = async (installation, key) => (await invoice(installation, key)).id
/** One who owes nothing, where it is to be erased. */
const debtorId: Maker = async (installation, key, operation) => {
  if (operation.id !== 'tasks.erase') return (await invoice(installation, key)).debtor.id
  // A file that was not read yet may name anybody.
  await installation.sql(
    'delete from task_files f using api_keys k where k.lookup = $1 and f.tenant_id = k.tenant_id',
    [lookupOf(key)],
  )
  const { name, email } = invoiceInput().debtor
  return (await postOk<{ id: string }>(installation, key, '/api/v1/debtors', { name, email })).id
}

const receipt: Maker = async (installation, key) => {
  const { debtor } = await invoice(installation, key)
  const sum = { debtorId: debtor.id, amountCents: 100, method: 'bank_transfer' }
  return (await postOk<{ receiptId: string }>(installation, key, '/api/v1/receipts', sum)).receiptId
}

const writtenOffInvoice: Maker = async (installation, key) => {
  const { id } = await invoice(installation, key)
  await postOk(installation, key, `/api/v1/invoices/${id}/write-off`, { basis: 'untraceable' })
  return id
}

const disputedInvoice: Maker = async (installation, key) => {
  const { id } = await invoice(installation, key)
  await postOk(installation, key, `/api/v1/invoices/${id}/dispute`, { reason: 'broken' })
  return id
}

/** Its amicable stage has ended. */
const endedInvoice: Maker = async (installation, key) => {
  const { id } = await invoice(installation, key)
  await installation.sql(
    `update recoveries set status = 'judicial', wish_at = null, due_at = null where invoice_id = $1`,
    [id],
  )
  await installation.sql(`update invoices set judicial_at = created_at, status = 'judicial' where id = $1`, [
    id,
  ])
  return id
}

/** Where any invoice will not do. */
const invoicesFor: Record<string, Maker> = {
  'invoices.delete': unstartedInvoice,
  'invoices.anr': writtenOffInvoice,
  'invoices.resolveDispute': disputedInvoice,
  'workflow.recordFiling': endedInvoice,
}

const cascades = new Map<string, Promise<string>>()
/** One is enough for each key: it is changed again and again, and there may not be many. */
const cascade: Maker = (installation, key) => {
  const steps = [
    { name: 'email_prise_en_charge', day: 0 },
    { name: 'revue_judiciaire', day: 30 },
  ]
  // Meant for nobody the guards know.
  const applies = { minAmountCents: 999_999_999_999 }
  const made =
    cascades.get(key) ??
    postOk<{ name: string }>(installation, key, '/api/v1/cascades', {
      name: `own_${randomHex()}`,
      steps,
      applies,
    }).then(({ name }) => name)
  cascades.set(key, made)
  return made
}

/** Events that no guard emits, so that no delivery changes rows while they are compared. */
const eventsNeverEmitted = ['cascade.action']

let receiver: Promise<Receiver> | null = null
const webhooks = new Map<string, string>()
/** One is enough for each key and operation, as long as it is there; its endpoint is there too, and takes everything. */
const webhook: Maker = async (installation, key, operation) => {
  const name = `${key} ${operation.id}`
  const known = webhooks.get(name)
  if (known && (await installation.call('GET', `${createWebhook.path}/${known}`, { key })).status === 200)
    return known
  receiver ??= startReceiver()
  const { url } = await receiver
  const { id } = await postOk<{ id: string }>(installation, key, createWebhook.path, {
    url,
    events: eventsNeverEmitted,
  })
  webhooks.set(name, id)
  return id
}

/** The number of webhooks is limited: those made from the example are deleted. */
const makeRoomForWebhook = (installation: TestInstallation, key: string) =>
  installation.sql(
    `with gone as (
       delete from webhooks where tenant_id = (select tenant_id from api_keys where lookup = $1) and url = $2 returning tenant_id, id)
     delete from webhook_endpoints p using gone where p.tenant_id = gone.tenant_id and p.webhook_id = gone.id`,
    [lookupOf(key), exampleOf(createWebhook).url],
  )

const delivery: Maker = async (installation, _key, _operation, { id: webhookId }) => {
  const id = randomUUIDv7()
  await installation.sql(
    `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, created_at)
     select tenant_id, id, $2, 'cascade.action', 'failed', 5, created_at, created_at from webhooks where id = $1`,
    [webhookId, id],
  )
  return id
}

const channelOf = (operation: Operation) =>
  operation.path.includes('lrar') ? 'lrar' : operation.path.endsWith('no-answer') ? 'voice' : 'email'

/** One that was sent: on the guards' Sunday nothing is, so it is written down as if it had been. */
const message: Maker = async (installation, key, operation) => {
  const id = randomUUIDv7()
  await installation.sql(
    `with sent as (
       insert into communications (tenant_id, id, debtor_id, wake_generation, channel, step, state, not_after, verdict, reserved_at, sent_at,
         settled_at, lead_invoice_id)
       select tenant_id, $2, debtor_id, 0, $3, 'relance_email_1', 'sent', created_at, '{}', created_at, created_at, created_at, id
         from invoices where id = $1 returning tenant_id)
     insert into communication_invoices (tenant_id, communication_id, invoice_id) select tenant_id, $2, $1 from sent`,
    [(await invoice(installation, key)).id, id, channelOf(operation)],
  )
  // Only one of unknown outcome has something to be seen.
  if (operation.id === 'communications.acknowledge')
    await installation.sql(
      'insert into unknown_messages (tenant_id, communication_id, since) select tenant_id, id, reserved_at from communications where id = $1',
      [id],
    )
  return id
}

/** One that was asked for and waits. */
const plannedMessage: Maker = async (installation, key, _operation, { invoiceId }) => {
  const path = `/api/v1/workflow/invoice/${invoiceId}/communications`
  const answer = await installation.call<{ id: string }>('POST', path, { key, body: { channel: 'email' } })
  expect(answer.status, answer.text).toBe(202)
  return answer.body.data.id
}

const reply: Maker = async (installation, _key, _operation, { id: debtorId }) => {
  const id = randomUUIDv7()
  const [debtor] = await installation.sql<{ tenant_id: string }>(
    'select tenant_id from debtors where id = $1',
    [debtorId],
  )
  const written = {
    from: 'Zoé Durand <zoe@durand.example>',
    subject: 'Re : facture',
    text: 'Bonjour, le virement part vendredi.',
    attachments: [{ name: 'ordre.pdf', type: 'application/pdf', bytes: 20_480 }],
  }
  const sealed = sealContent(
    keyring(installation.server.config.KEYRING!),
    { tenantId: debtor!.tenant_id, replyId: id },
    storedForm(written),
  )
  await installation.sql(
    `insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at, content_sealed, text_state)
     select tenant_id, $2, id, $2, 'email', created_at, $3, 'kept' from debtors where id = $1`,
    [debtorId, id, sealed],
  )
  return id
}

const dataRequest: Maker = async (installation, key, _operation, { id }) =>
  (
    await postOk<{ id: string }>(installation, key, `/api/v1/debtors/${id}/data-requests`, {
      kind: 'objection',
    })
  ).id

/** Not yet the main person: that one cannot be removed. */
const person: Maker = async (installation, key, _operation, { id }) => {
  const path = `/api/v1/debtors/${id}`
  await installation.call('PUT', path, { key, body: { type: 'business' } })
  const body = { name: 'Paul Bonnet', role: 'manager', email: `bonnet-${randomHex()}@durand.example` }
  return (await postOk<{ id: string }>(installation, key, `${path}/people`, body)).id
}

const note: Maker = async (installation, key, _operation, { id }) => {
  const body = { text: 'Call again', comeBackOn: '2027-01-11' }
  return (await postOk<{ id: string }>(installation, key, `/api/v1/debtors/${id}/notes`, body)).id
}

const brokenPromise: Maker = async (installation, key, _operation, { id: invoiceId }) => {
  const body = { date: '2027-01-11' }
  const made = await postOk<{ id: string }>(installation, key, `/api/v1/invoices/${invoiceId}/promise`, body)
  await installation.sql(
    `with broken as (update promises set status = 'broken', settled_at = created_at where id = $1 returning invoice_id, settled_at)
     update recoveries r set status = 'in_recovery', holds = '{}', paused_at = null, promise_broken_at = b.settled_at
       from broken b where r.invoice_id = b.invoice_id`,
    [made.id],
  )
  return made.id
}

const situation: Maker = async (installation, _key, _operation, { id: debtorId }) => {
  const id = randomUUIDv7()
  await installation.sql(
    `insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at, said)
     select tenant_id, $2, id, $2, 'email', created_at, 'deceased' from debtors where id = $1`,
    [debtorId, id],
  )
  return id
}

/** An import that was read: in review, or ended where it is to be undone. */
const importTask: Maker = async (installation, key, operation) => {
  const send = () =>
    installation.call<{ id: string }>('POST', createImportTask.path, {
      key,
      raw: createImportTask.example!.body as string,
      headers: { 'content-type': 'text/csv' },
    })
  let { status, body, text } = await send()
  // Another maker erased a person while the file arrived.
  while (status === 409) ({ status, body, text } = await send())
  expect(status, text).toBe(201)
  const { id } = body.data
  const file = { kind: 'csv', sheet: null, sheets: [], encoding: 'utf-8', separator: ';' }
  const report = { file, ...emptyReport, headerLine: 1 }
  const titles = (createImportTask.example!.body as string).split('\n', 1)[0]!.split(';')
  await installation.sql(
    `with pending as (delete from pending_tasks where task_id = $1),
          row as (insert into import_rows (tenant_id, task_id, line, is_hidden, cells)
            select tenant_id, id, 1, false, $3 from tasks where id = $1)
     update tasks set status = case when $4 then 'finished' else 'review' end, ended_at = case when $4 then created_at end, report = $2
      where id = $1`,
    [id, JSON.stringify(report), JSON.stringify(titles), operation.id === 'tasks.undo'],
  )
  return id
}

/** One to be started has been judged. */
const task: Maker = async (installation, key, operation, ids) => {
  if (operation.id === 'tasks.map' || operation.id === 'tasks.undo')
    return importTask(installation, key, operation, ids)
  const body = { action: 'pause', ids: [(await invoice(installation, key)).id] }
  const { id } = await postOk<{ id: string }>(installation, key, '/api/v1/tasks/bulk', body)
  if (operation.id === 'tasks.start')
    await installation.sql(`update tasks set status = 'review', is_dry_run = true where id = $1`, [id])
  await installation.sql(
    `insert into task_items (tenant_id, task_id, is_dry_run, subject_id, chunk)
     select tenant_id, id, is_dry_run, ($2::uuid[])[1], 0 from tasks where id = $1`,
    [id, body.ids],
  )
  // There may not be many that wait.
  await installation.sql('delete from pending_tasks where task_id = $1', [id])
  return id
}

const conversation: Maker = async (installation, key) => {
  const body = exampleOf(chat)
  const answer = await installation.call<{ conversationId: string }>('POST', chat.path, { key, body })
  return answer.body.data.conversationId
}

const invoiceFor: Maker = (installation, key, operation, ids) =>
  (invoicesFor[operation.id] ?? invoiceId)(installation, key, operation, ids)

const claimList: Maker = async (installation, key) => {
  const { id: invoiceId } = await invoice(installation, key)
  const body = { acceptedBy: 'Claire Lambert', claims: [{ invoiceId }] }
  return (await postOk<{ id: string }>(installation, key, '/api/v1/claim-lists', body)).id
}

/** Creates the object that an id in a path or body refers to, so that the operation can succeed. */
const makers: Record<string, Maker> = {
  'invoices/:id': invoiceFor,
  'invoice/:invoiceId': invoiceFor,
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
  'replies/:replyId': reply,
  'data-requests/:requestId': dataRequest,
  'people/:personId': person,
  'notes/:noteId': note,
  'promises/:promiseId': brokenPromise,
  'situations/:situationId': situation,
  'communications/:id': message,
  'communications/:communicationId': plannedMessage,
  'conversations/:id': conversation,
  'tasks/:id': task,
  'claim-lists/:id': claimList,
  'debtor.id': debtorId,
  'filter.debtorId': debtorId,
  debtorId,
  invoiceId,
  communicationId: message,
  conversationId: conversation,
  inChargeId: member,
  receiptId: receipt,
}

const missing: Record<string, () => string> = {
  'cascades/:name': () => `none_${randomHex()}`,
  'templates/:id': () => `none_${randomHex()}.email.fr`,
  'oauth-clients/:id': () => `oc_e1${randomAlphanumeric(20)}`,
}

/** Every tenant has its own object with these names, so they cannot refer to another tenant's. */
export const isNamedAlike = ({ path }: Operation): boolean => path.includes('/templates/:id')

/** Well-formed ids of objects that do not exist. */
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
  installation: TestInstallation,
  what: string,
  key: string,
  operation: Operation,
  ids: Readonly<Record<string, string>> = {},
): Promise<string> {
  const maker = makers[what]
  if (!maker) throw new Error(`the guards cannot create a ${what}: add a maker to make.ts`)
  return maker(installation, key, operation, ids)
}

const freshSiret = () => {
  for (;;) {
    const digits = String(randomBytes(6).readUIntBE(0, 6)).padStart(14, '1').slice(0, 14)
    if (hasValidCheckDigit(digits)) return digits
  }
}

let seconds = 0
let eventCount = 0
/** Fields of which a second use means something else than the first. */
const unique: Record<string, () => string> = {
  invoiceNumber: () => `G-${randomHex()}`,
  number: () => `A-${randomHex()}`,
  email: () => `compta-${randomHex()}@durand.example`,
  siret: freshSiret,
  text: () => `Called ${randomHex()}`,
  reason: () => `because ${randomHex()}`,
  answer: () => `because ${randomHex()}`,
  filingProof: () => `RG ${randomHex()}`,
  failureReason: () => `because ${randomHex()}`,
  note: () => `noted ${randomHex()}`,
  opening: () => `Bonjour ${randomHex()}, la facture {{reference}} attend.`,
  description: () => `described ${randomHex()}`,
  message: () => `Which are overdue, ${randomHex()}?`,
  event: () => events[eventCount++ % events.length]!.type,
  // Of the days before the wall's: a fixed one would be too long ago some day.
  since: () => new Date(Date.now() - randomBytes(4).readUInt32BE() / 2).toISOString(),
  // Never so far that it would be another day.
  advance: () => `PT${(seconds++ % 7) + 1}S`,
  at: () => new Date(Date.UTC(2027, 0, 11, 9, 0, 0, randomBytes(4).readUInt32BE())).toISOString(),
}

async function withFreshValues(node: unknown, make: (what: string) => Promise<string>): Promise<unknown> {
  if (Array.isArray(node)) return Promise.all(node.map(item => withFreshValues(item, make)))
  if (typeof node !== 'object' || node === null) return node
  const isId = (value: unknown) =>
    typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
  const fields = Object.entries(node).map(async ([name, value]) => {
    const fresh = unique[name]?.() ?? (isId(value) ? await make(name) : await withFreshValues(value, make))
    return [name, fresh] as const
  })
  return Object.fromEntries(await Promise.all(fields))
}

/** The body of the operation's own example, as nobody sent it before, about things the key's tenant has. */
export async function freshBody(
  installation: TestInstallation,
  operation: Operation,
  key: string,
): Promise<Json> {
  if (operation === createKey) await makeRoomForKey(installation, key)
  if (operation === createWebhook) await makeRoomForWebhook(installation, key)
  if (operation === registerClient) await makeRoomForClient(installation, key)
  if (operation === inviteMember) await makeRoomForInvitation(installation, key)
  return {
    ...((await withFreshValues(exampleOf(operation), what =>
      makeId(installation, what, key, operation),
    )) as Json),
    // A name that is an id here; elsewhere it is somebody's, or a step's.
    ...(operation.id === 'cascades.create' && { name: `own_${randomHex()}` }),
    ...(operation === createKey && { name: `Key ${randomHex()}` }),
    ...(operation === registerClient && { name: `Client ${randomHex()}` }),
    ...(operation.id === 'tasks.export' && { filter: { search: randomHex() } }),
    ...(/^webhooks\.(create|update)$/.test(operation.id) && { events: eventsNeverEmitted }),
  }
}
