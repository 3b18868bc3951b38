import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { events } from '../../src/features/all.ts'
import type { EventType } from '../../src/kit/events.ts'
import { type Answer, eventually, invoiceInput, useHouse } from '../harness/house.ts'
import { lyon, newSandbox } from '../harness/sandbox.ts'

const house = useHouse()

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

interface Row {
  type: string
  schema_version: number
  subject_id: string
  sequence: number
  data: Record<string, unknown>
  actor: Record<string, unknown>
  request_id: string | null
}

const declared = new Map<string, EventType>(events.map(event => [event.type, event]))
const fieldsOf = (event: EventType) =>
  Object.keys((z.toJSONSchema(event.data) as { properties: object }).properties)

let written: Row[]

async function post<Data>(path: string, key: string, body: unknown, method = 'POST'): Promise<Data> {
  const answer = (await house.call(method, path, { key, body })) as Answer<Data>
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

// The longest story there is: imported, contacted, noted, paid in part, a payment that failed, paid in full; another given up; and one
// taken to court after its letter was signed.
beforeAll(async () => {
  for (const key of [house.company.productionKey, house.company.sandboxKey]) {
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
      () => house.sql(`select 1 from events where subject_id = $1 and type = 'debtor.contacted'`, [id]),
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
  }
  const sandbox = await newSandbox(house)
  const { id } = await sandbox.invoice({ debtor: lyon('Tribunal SARL') })
  await sandbox.goTo('2026-12-18')
  await sandbox.simulate('lrar-signed', { invoiceId: id })
  await sandbox.advance('P60D')
  expect((await sandbox.trigger(id, { action: 'escalate' })).body.data).toMatchObject({ status: 'judicial' })
  written = await house.sql<Row>(
    'select type, schema_version, subject_id, sequence, data, actor, request_id from events order by subject_id, sequence',
  )
})

it('every declared event is one of the 15 names of the specification, declared once', () => {
  expect(promised).toHaveLength(15)
  expect(declared.size).toBe(events.length)
  for (const type of declared.keys()) expect(promised).toContain(type)
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
      fields: [...section.matchAll(/^\| `([^`]+)`/gm)].map(match => match[1]),
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
  for (const row of written) {
    const event = declared.get(row.type)
    expect(event, `${row.type} is declared`).toBeDefined()
    expect(row.schema_version, row.type).toBe(event!.schemaVersion)
    // Parsing drops what the declaration does not know: anything lost was undeclared.
    expect(event!.data.parse(row.data), row.type).toStrictEqual(row.data)
  }
})

it('every declared event is told by the story, so that its shape was seen and not only promised', () => {
  expect([...declared.keys()].filter(type => !written.some(row => row.type === type))).toEqual([])
})

it('the events of one invoice are counted without a gap, and each says who did it', () => {
  for (const [subject, rows] of Map.groupBy(written, row => row.subject_id)) {
    expect(
      rows.map(row => row.sequence),
      subject,
    ).toEqual(rows.map((_, at) => at + 1))
    for (const { actor, request_id } of rows) {
      expect(Object.keys(actor).sort()).toEqual(['id', 'kind'])
      expect(request_id !== null, String(actor.kind)).toBe(actor.kind === 'api_key')
    }
  }
})

it('no event carries what only the debtor may know: names, addresses, numbers to call', () => {
  for (const event of events)
    for (const field of fieldsOf(event))
      expect(field).not.toMatch(/email|phone|address|^name$|debtorName|siret/i)
  const text = JSON.stringify(written)
  expect(text).not.toContain('@')
  expect(text).not.toContain('Durand')
})
