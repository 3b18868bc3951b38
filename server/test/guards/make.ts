import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import { hasValidCheckDigit } from '../../src/domain/siret.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { type Answer, type House, invoiceInput } from '../harness/house.ts'

export type Json = Record<string, unknown>

async function posted<Data>(house: House, key: string, path: string, body: unknown): Promise<Data> {
  const answer = (await house.call('POST', path, { key, body })) as Answer<Data>
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

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

type Maker = (house: House, key: string, operation: Operation) => Promise<string>

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
    [await invoiceId(house, key, operation), id, channelOf(operation)],
  )
  return id
}

/** How to make the thing an id in a path or a body speaks of, such that the operation would succeed with it. */
const makers: Record<string, Maker> = {
  'invoices/:id': (house, key, operation) => (invoicesFor[operation.id] ?? invoiceId)(house, key, operation),
  'invoice/:invoiceId': invoiceId,
  'debtors/:id': debtorId,
  'payments/:id': payment,
  'cascades/:name': cascade,
  'debtor.id': debtorId,
  debtorId,
  invoiceId,
  communicationId: message,
}

/** What nobody has: as an id looks, or as a name does. */
export const missingIds = (params: readonly string[]): Record<string, string> =>
  Object.fromEntries(params.map(name => [name, name === 'name' ? `none_${word()}` : randomUUIDv7()]))

export function makeId(house: House, what: string, key: string, operation: Operation): Promise<string> {
  const maker = makers[what]
  if (!maker) throw new Error(`the guards cannot make a ${what}: tell make.ts how`)
  return maker(house, key, operation)
}

const word = () => randomBytes(6).toString('hex')

const freshSiret = () => {
  for (;;) {
    const digits = String(randomBytes(6).readUIntBE(0, 6)).padStart(14, '1').slice(0, 14)
    if (hasValidCheckDigit(digits)) return digits
  }
}

let seconds = 0
/** Fields of which a second use means something else than the first. */
const unique: Record<string, () => string> = {
  invoiceNumber: () => `G-${word()}`,
  number: () => `A-${word()}`,
  email: () => `compta-${word()}@durand.example`,
  siret: freshSiret,
  reason: () => `because ${word()}`,
  note: () => `noted ${word()}`,
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

export function exampleOf(operation: Operation): Json {
  if (!operation.example?.body) throw new Error(`${operation.id} takes a body and shows no example of one`)
  return operation.example.body as Json
}

/** The body of the operation's own example, as nobody sent it before, about things the key's tenant has. */
export const freshBody = async (house: House, operation: Operation, key: string): Promise<Json> => ({
  ...((await freshened(exampleOf(operation), what => makeId(house, what, key, operation))) as Json),
  // A name that is an id here; elsewhere it is somebody's, or a step's.
  ...(operation.id === 'cascades.create' && { name: `own_${word()}` }),
})

export interface Shape {
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: unknown
  anyOf?: Shape[]
  format?: string
  $ref?: string
  $defs?: Record<string, Shape>
}

/** Every object a body may consist of, but for the items of lists, with the path of names to it. */
export function objectsIn(operation: Operation): { path: string[]; shape: Shape }[] {
  const root = z.toJSONSchema(operation.body!, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Shape
  const visit = (shape: Shape, path: string[]): { path: string[]; shape: Shape }[] => {
    if (shape.$ref) return visit(root.$defs![shape.$ref.replace('#/$defs/', '')]!, path)
    return [
      ...(shape.properties ? [{ path, shape }] : []),
      ...(shape.anyOf ?? []).flatMap(option => visit(option, path)),
      ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => visit(inner, [...path, name])),
    ]
  }
  return visit(root, [])
}
