import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startStripe } from '../../dev/stand-ins/stripe.ts'
import { endMandate, recordMandate } from '../../src/features/access/companies/mandate.ts'
import { auditEvents, operations } from '../../src/features/all.ts'
import { events } from '../../src/features/integrations/webhooks/event-catalogue.ts'
import type { AuditEventType, EventType } from '../../src/kit/events.ts'
import { performAllPeopleActions } from '../harness/all-people-actions.ts'
import { useManualTasks } from '../harness/manual-tasks.ts'
import { operatorCalls } from '../harness/operator.ts'
import { peopleCalls, withProxy } from '../harness/people-calls.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../harness/sandbox.ts'
import { inSteps, useScriptedModel } from '../harness/scripted-model.ts'
import { holdTasks } from '../harness/send-job.ts'
import { stripeEnv, stripeKeys } from '../harness/use-debtors.ts'
import { type ApiResponse, eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const model = useScriptedModel()
const stripe = await startStripe(stripeKeys)
afterAll(() => stripe.stop())
const installation = useInstallation({
  ...withProxy,
  own: 'stops or changes parts',
  env: Object.assign(model.env, withProxy.env, stripeEnv(stripe), {
    MAIL_INBOUND_TOKEN: 'a-long-secret-of-our-mail-server',
    MAIL_INBOUND_DOMAIN: 'mail.relance.example',
  }),
})

const tasks = useManualTasks(installation)
beforeAll(() => holdTasks(installation))

/** One task comes to its end, one is stopped because its key was deleted, and one is taken again and again and never ends. */
async function endTasksInEveryWay({ tenantId, done }: Sandbox, invoiceId: string) {
  await done('POST', '/api/v1/tasks/bulk', { action: 'message', channel: 'email', ids: [invoiceId] })
  await tasks.runAll(tenantId)
  const maker = await done<{ id: string; apiKey: string }>('POST', '/api/v1/api-keys', { name: 'Maker' })
  await post('/api/v1/tasks/bulk', maker.apiKey, { action: 'pause', ids: [invoiceId] })
  await done('DELETE', `/api/v1/api-keys/${maker.id}`)
  await tasks.runAll(tenantId)
  await done('POST', '/api/v1/tasks/bulk', { action: 'message', channel: 'email', ids: [invoiceId] })
  while (await tasks.take(tenantId)) {}
}

/** The specification's list. */
const promised = [
  'invoice.created',
  'invoice.updated',
  'invoice.status_changed',
  'payment.received',
  'payment.failed',
  'workflow.started',
  'workflow.action_triggered',
  'workflow.completed',
  'lrar.sent',
  'lrar.delivered',
  'debtor.contacted',
  'debt.paid',
  'cascade.action',
  'judicial.started',
  'anr.created',
]

/** Beside them: what the debtor, a provider or time did, and the end of tasks. */
const added = [
  'promise.recorded',
  'promise.broken',
  'dispute.opened',
  'dispute.resolved',
  'message.bounced',
  'debtor.opted_out',
  'debtor.wrong_person',
  'debtor.request_due',
  'reply.received',
  'reply.closed',
  'situation.reported',
  'situation.decided',
  'insolvency.declaration_due',
  'workflow.paused',
  'decision.due',
  'limitation.approaching',
  'task.finished',
  'task.failed',
]

interface Row {
  tenant_id: string
  type: string
  schema_version: number
  subject_id: string
  sequence: number
  data: Record<string, unknown>
  actor: Record<string, unknown>
  request_id: string | null
}
type AuditRow = Omit<Row, 'sequence'>

const declared = new Map<string, EventType>(events.map(event => [event.type, event]))
const auditOnly = auditEvents.filter(({ type }) => !declared.has(type))
const declaredAudit = new Map<string, AuditEventType>(auditEvents.map(event => [event.type, event]))
const fieldsOf = (event: EventType) =>
  Object.keys((z.toJSONSchema(event.data) as { properties: object }).properties)

let written: Row[]
let audited: AuditRow[]

async function post<Data>(path: string, key: string, body: unknown, method = 'POST'): Promise<Data> {
  const answer = (await installation.call(method, path, { key, body })) as ApiResponse<Data>
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

/** A person answers the first message of an invoice. */
async function replyByMail(): Promise<void> {
  const [sent] = await installation.sql<{ code: string }>(
    `select m.code from message_codes m join communications c on c.id = m.communication_id
       join tenants t on t.id = m.tenant_id where t.environment = 'production' and c.channel = 'email' and c.state = 'sent' limit 1`,
  )
  const mail = `From: <zoe@cliente.example>\r\nTo: reply+${sent!.code}@mail.relance.example\r\nMessage-ID: <a@b.example>\r\n\r\nOui.\r\n`
  const answer = await installation.call('POST', '/callbacks/mail', {
    key: null,
    raw: mail,
    headers: {
      'content-type': 'message/rfc822',
      authorization: 'Bearer a-long-secret-of-our-mail-server',
    },
  })
  expect(answer.status).toBe(204)
}

/** A request about personal data is recorded less than a week before its answer is due. */
async function requestIsDue(key: string): Promise<void> {
  const { debtor } = await post<{ debtor: { id: string } }>('/api/v1/invoices', key, invoiceInput())
  const request = { kind: 'objection', receivedOn: '2026-10-20' }
  await post(`/api/v1/debtors/${debtor.id}/data-requests`, key, request)
}

/** Somebody reports a death, which is not confirmed, then writes, and proceedings are opened against another. */
async function reportSituations(sandbox: Sandbox): Promise<void> {
  const told = await sandbox.invoice({ debtor: lyonDebtor('Succession') })
  const insolvent = await sandbox.invoice({ debtor: lyonDebtor('Liquidée') })
  await sandbox.advance('P1D')
  const { replyId } = await sandbox.done<{ replyId: string }>('POST', '/api/v1/sandbox/simulate/reply', {
    invoiceId: told.id,
    said: 'deceased',
  })
  const decide = `/api/v1/debtors/${told.debtor.id}/situations/${replyId}/decide`
  await sandbox.done('POST', decide, { decision: 'not_confirmed' })
  const wrote = await sandbox.done<{ replyId: string }>('POST', '/api/v1/sandbox/simulate/reply', {
    invoiceId: told.id,
  })
  const close = `/api/v1/debtors/${told.debtor.id}/replies/${wrote.replyId}/close`
  await sandbox.done('POST', close, { outcome: 'other' })
  const { now } = await sandbox.done<{ now: string }>('GET', '/api/v1/sandbox/clock')
  await sandbox.done('PUT', `/api/v1/debtors/${insolvent.debtor.id}`, {
    insolvency: { kind: 'over_indebtedness', openedOn: now.slice(0, 10) },
  })
}

/** Debtors break a promise, are right in a dispute, cannot be reached, do not want to be, or are somebody else. */
async function disappointInEveryWay(sandbox: Sandbox): Promise<void> {
  const owing = (name: string) => sandbox.invoice({ debtor: lyonDebtor(name) })
  const [promised, disputed, lost] = [await owing('Promesse'), await owing('Litige'), await owing('Perdu')]
  await sandbox.done('PUT', `/api/v1/invoices/${promised.id}`, { limitationMonths: 12 })
  await sandbox.simulate('promise', { invoiceId: promised.id })
  await sandbox.simulate('dispute', { invoiceId: disputed.id })
  await sandbox.done('POST', `/api/v1/invoices/${disputed.id}/dispute/resolve`, { outcome: 'upheld' })
  await sandbox.advance('P20D')
  await sandbox.simulate('bounced', { invoiceId: lost.id })
  await sandbox.simulate('opt-out', { debtorId: lost.debtor.id, channel: 'sms' })
  await sandbox.simulate('wrong-person', { debtorId: lost.debtor.id, point: 'email' })
}

// Causes every event: an invoice that is imported, contacted, changed, paid in part, with a failed payment, then paid in full; another
// written off; one taken to court after its letter was signed and the assistant had paused it. Meanwhile keys and webhooks are created,
// changed and deleted. Every tenant subscribes to audit events, and a constraint forbids them in the outbox.
beforeAll(async () => {
  const types = auditOnly.map(auditEvent => `'${auditEvent.type}'`).join(', ')
  await installation.sql(`alter table outbox add constraint no_acts check (type <> all (array[${types}]))`)
  await installation.sql(`update tenants set subscribed_events = array[${types}]`)
  for (const key of [installation.company.productionKey, installation.company.sandboxKey]) {
    const { id, debtor } = await post<{ id: string; debtor: { id: string } }>(
      '/api/v1/invoices',
      key,
      invoiceInput(),
    )
    const second = await post<{ id: string }>(
      '/api/v1/invoices',
      key,
      invoiceInput({ debtor: { id: debtor.id } }),
    )
    await eventually(
      () =>
        installation.sql(`select 1 from events where subject_id = $1 and type = 'debtor.contacted'`, [id]),
      rows => rows.length === 1,
    )
    await post(`/api/v1/invoices/${id}`, key, { notes: 'called', metadata: { file: 'A-17' } }, 'PUT')
    const pay = (amountCents: number, status: string) =>
      post<{ id: string }>('/api/v1/payments', key, { invoiceId: id, amountCents, method: 'card', status })
    await pay(20_000, 'completed')
    const failing = await pay(100_000, 'pending')
    await post(`/api/v1/payments/${failing.id}`, key, { status: 'failed' }, 'PUT')
    await pay(100_000, 'completed')
    await post(`/api/v1/invoices/${second.id}/write-off`, key, { basis: 'amicable_failed' })
    const made = await post<{ id: string }>('/api/v1/api-keys', key, { name: 'Told' })
    const rotated = await post<{ id: string }>(`/api/v1/api-keys/${made.id}/rotate`, key, undefined)
    await post(`/api/v1/api-keys/${rotated.id}`, key, undefined, 'DELETE')
    const hook = await post<{ id: string }>('/api/v1/webhooks', key, {
      url: 'http://127.0.0.1:1/',
      events: ['cascade.action'],
    })
    const path = `/api/v1/webhooks/${hook.id}`
    await post(path, key, { enabled: false }, 'PUT')
    await post(path, key, { enabled: true, description: 'Accounting' }, 'PUT')
    await post(`${path}/rotate-secret`, key, undefined)
    await post(path, key, undefined, 'DELETE')
  }
  await replyByMail()
  await requestIsDue(installation.company.productionKey)
  await performAllPeopleActions(installation)
  const operator = operatorCalls(installation)
  const { companyId: closedId } = await peopleCalls(installation).newOwner()
  await operator.open(closedId)
  const mandate = { companyId: closedId, signedOn: '2026-01-12', reference: 'Coffre 12', missing: [] }
  await operator.withContext(context => recordMandate(context, mandate))
  await operator.withContext(context => endMandate(context, closedId))
  await operator.close(closedId)
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Tribunal SARL') })
  await sandbox.advanceToDay('2026-12-18')
  await sandbox.simulate('lrar-signed', { invoiceId: id })
  await sandbox.advance('P60D')
  await disappointInEveryWay(sandbox)
  await reportSituations(sandbox)
  await endTasksInEveryWay(sandbox, id)
  const pause = { name: 'workflow_trigger', args: { invoiceId: id, action: 'pause' } }
  model.setScript(inSteps({ toolCalls: [pause] }, { text: 'Shall I?' }))
  const { conversationId } = await post<{ conversationId: string }>('/api/v2/agent/chat', sandbox.key, {
    message: 'Pause it',
  })
  await post('/api/v2/agent/chat', sandbox.key, { message: 'yes', conversationId })
  await sandbox.trigger(id, { action: 'resume' })
  expect((await sandbox.trigger(id, { action: 'escalate' })).body.data).toMatchObject({ status: 'judicial' })
  written = await installation.sql<Row>(
    'select tenant_id, type, schema_version, subject_id, sequence, data, actor, request_id from events order by subject_id, sequence',
  )
  audited = await installation.sql<AuditRow>(
    'select tenant_id, type, schema_version, subject_id, data, actor, request_id from audit_log order by id',
  )
})

it('every declared event is one of the 15 names of the specification or of those beside them, declared once', () => {
  expect(promised).toHaveLength(15)
  expect(declared.size).toBe(events.length)
  for (const type of declared.keys()) expect([...promised, ...added]).toContain(type)
})

it('every declared event is described in docs/events.md with all its fields, and the page describes no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/events.md'), 'utf8')
  const described = page
    .split(/^## /m)
    .slice(1)
    .map(section => ({
      type: /^`([^`]+)`/.exec(section)![1],
      schemaVersion: Number(/Schema version (\d+)\./.exec(section)?.[1]),
      summary: section.includes(
        events.find(event => section.startsWith(`\`${event.type}\``))?.summary ?? '…',
      ),
      fields: [...section.matchAll(/^- `([^`]+)`/gm)].map(match => match[1]),
    }))
  expect(described).toEqual(
    events.map(event => ({
      type: event.type,
      schemaVersion: event.schemaVersion,
      summary: true,
      fields: fieldsOf(event),
    })),
  )
})

it('nothing is written that is not declared, and nothing in it that its declaration does not know', () => {
  expect(written.length).toBeGreaterThan(0)
  for (const row of [...written, ...audited]) {
    const event = audited.includes(row) ? declaredAudit.get(row.type) : declared.get(row.type)
    expect(event, `${row.type} is declared`).toBeDefined()
    expect(row.schema_version, row.type).toBe(event!.schemaVersion)
    // Parsing drops what the declaration does not know: anything lost was undeclared.
    expect(event!.data.parse(row.data), row.type).toStrictEqual(row.data)
  }
})

it('audit events are declared apart from the events: no receiver can subscribe to one, and each was written here', () => {
  expect(declaredAudit.size).toBe(auditEvents.length)
  for (const { type } of auditEvents) expect(promised).not.toContain(type)
  // The guard of the audit log performs every operation; here are those that people and workers leave.
  const byOperation = operations.flatMap(({ audit = [] }) => (typeof audit === 'string' ? [] : audit))
  expect(
    auditEvents
      .filter(event => !byOperation.includes(event) && !audited.some(row => row.type === event.type))
      .map(({ type }) => type),
  ).toEqual([])
})

it('every example is what its declaration promises, and not a field more', () => {
  for (const { type, data, example } of events) expect(data.parse(example), type).toStrictEqual(example)
})

it('all 15 names of the specification, and those beside them, can be subscribed to', () => {
  expect([...declared.keys()].sort()).toEqual([...promised, ...added].sort())
})

it('every declared event is told by the story, so that its shape was seen and not only promised', () => {
  expect([...declared.keys()].filter(type => !written.some(row => row.type === type))).toEqual([])
})

it('the events of one invoice are numbered without a gap, and each says who did it, as each audit event does', () => {
  for (const [subject, rows] of Map.groupBy(written, row => `${row.subject_id} in ${row.tenant_id}`)) {
    expect(
      rows.map(row => row.sequence),
      subject,
    ).toEqual(rows.map((_, at) => at + 1))
  }
  for (const { actor, request_id } of [...written, ...audited]) {
    const { onBehalfOf, ...actorId } = actor
    expect(Object.keys(actorId).sort()).toEqual(['id', 'kind'])
    if (onBehalfOf !== undefined) expect(actor.kind).toBe('oauth_client')
    expect(request_id !== null, String(actor.kind)).toBe(!['worker', 'operator'].includes(String(actor.kind)))
  }
})

it('no event carries what only the debtor may know: names, addresses, numbers to call', () => {
  for (const event of events)
    for (const field of fieldsOf(event))
      expect(field).not.toMatch(/email|phone|address|^name$|debtorName|siret/i)
  const text = JSON.stringify([...written, ...audited])
  expect(text).not.toContain('@')
  expect(text).not.toContain('Durand')
})
