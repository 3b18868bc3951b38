import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defaultCaps } from '../../../src/domain/contact/contact-rules.ts'
import { DAY } from '../../../src/domain/time.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

/** What is done to the people of one of two debtors who are alike. */
type Act =
  | { kind: 'add'; isMain: boolean; isMute: boolean }
  | { kind: 'change'; who: number }
  | { kind: 'main'; who: number; channel: 'email' | 'phone' }
  | { kind: 'remove'; who: number }
  /** The last message comes back. */
  | { kind: 'refuse' }
  /** The accounts still have an address from before. */
  | { kind: 'invoice'; who: number }

const who = fc.nat({ max: 30 })
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      isMain: fc.boolean(),
      // Their mail server refuses every message.
      isMute: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'refuse' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('main' as const),
      who,
      channel: fc.constantFrom('email' as const, 'phone' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('invoice' as const), who }) },
)
const days = fc.array(fc.record({ afterHours: fc.integer({ min: 1, max: 200 }), act }), {
  minLength: 8,
  maxLength: 12,
})

interface Person {
  id: string
  email: string | null
}

/** Two debtors with one id and one name, each in a sandbox of its own: what depends on the id is the same for both. */
interface Life {
  name: string
  debtorId: string
  /** Those of the debtor with people. */
  invoiceIds: string[]
  many: Sandbox
  alone: Sandbox
}

let numbers = 0
const freshPhone = () => `+336450${String(10_000 + ++numbers)}`

const overdue = (debtor: object) => ({ debtor, dueDate: '2026-10-01' })

/** Gives the debtor the id, before anything belongs to it. */
async function rename(debtorId: string, to: string): Promise<void> {
  await installation.sql(
    `insert into debtors select (jsonb_populate_record(d, jsonb_build_object('id', $2::uuid))).* from debtors d where id = $1`,
    [debtorId, to],
  )
  await installation.sql('delete from debtors where id = $1', [debtorId])
}

async function newLife(): Promise<Life> {
  const [many, alone] = [await newSandbox(installation), await newSandbox(installation)]
  const [name, debtorId] = [`Vie ${String.fromCodePoint(65 + (++numbers % 26))}`, randomUUIDv7()]
  const debtor = lyonDebtor(name)
  const invoiceIds: string[] = []
  for (const sandbox of [alone, many]) {
    const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/debtors', debtor)
    await rename(id, debtorId)
    const made = await sandbox.invoice(overdue({ id: debtorId }))
    if (sandbox === many) invoiceIds.push(made.id)
  }
  return { name, debtorId, invoiceIds, many, alone }
}

async function perform({ name, debtorId, invoiceIds, many, alone }: Life, done: Act): Promise<void> {
  // What may not be done is refused; nothing may fail.
  const attempt = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await many.call(method, path, body)
    expect(status, text).toBeLessThan(500)
  }
  const path = `/api/v1/debtors/${debtorId}/people`
  const { people } = await many.done<{ people: Person[] }>('GET', path)
  const chosen = 'who' in done ? people[done.who % Math.max(1, people.length)] : undefined
  const fresh = `${done.kind === 'add' && done.isMute ? 'bounce+' : ''}person${++numbers}@vie.example`
  if (done.kind === 'add') {
    const mainFor = done.isMain ? ['email', 'phone'] : []
    const body = { name: `Person ${numbers}`, role: 'other', email: fresh, phone: freshPhone(), mainFor }
    await attempt('POST', path, body)
  } else if (done.kind === 'refuse') {
    for (const invoiceId of invoiceIds)
      await attempt('POST', '/api/v1/sandbox/simulate/bounced', { invoiceId })
  } else if (!chosen) return
  else if (done.kind === 'change')
    await many.done('PUT', `${path}/${chosen.id}`, { email: fresh, phone: freshPhone() })
  else if (done.kind === 'main') await attempt('PUT', `${path}/${chosen.id}`, { mainFor: [done.channel] })
  else if (done.kind === 'remove') await attempt('DELETE', `${path}/${chosen.id}`)
  else {
    // By the address of somebody there: it finds the same record.
    const { email } = chosen
    const made = await many.invoice(overdue(email ? { ...lyonDebtor(name), email } : { id: debtorId }))
    expect(made.debtor.id).toBe(debtorId)
    invoiceIds.push(made.id)
    await alone.invoice(overdue({ id: debtorId }))
  }
}

/** When the debtor was reached: a message that came back reached nobody. */
async function contactsOf(sandbox: Sandbox, debtorId: string): Promise<number[]> {
  const path = `/api/v1/debtors/${debtorId}/contacts?limit=100`
  const { contacts } = await sandbox.done<{
    contacts: { kind: string; at: string; communicationId: string; fate: string }[]
  }>('GET', path)
  const bounced = contacts.filter(({ fate }) => fate === 'bounced').map(one => one.communicationId)
  return contacts
    .filter(({ kind, communicationId }) => kind === 'contact' && !bounced.includes(communicationId))
    .map(({ at }) => Date.parse(at))
}

/** The most contacts in this many rolling days. */
const mostWithin = (moments: readonly number[], days: number): number =>
  Math.max(0, ...moments.map(from => moments.filter(at => at >= from && at < from + days * DAY).length))

const dayOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format(at)

it('more people at a debtor never mean more messages, whatever is done with them', async () => {
  let [messages, moved] = [0, 0]
  await fc.assert(
    fc.asyncProperty(days, async acts => {
      const life = await newLife()
      const { debtorId, many, alone } = life
      for (const { afterHours, act: done } of acts) {
        await many.advance(`PT${afterHours}H`)
        await alone.advance(`PT${afterHours}H`)
        await perform(life, done)
      }
      await many.advance('P90D')
      await alone.advance('P90D')
      const withPeople = await contactsOf(many, debtorId)
      const without = await contactsOf(alone, debtorId)
      messages += withPeople.length
      moved += (
        await installation.sql(
          `select from actions where tenant_id = $1 and debtor_id = $2 and code = 'next_person'`,
          [many.tenantId, debtorId],
        )
      ).length
      expect(withPeople.length).toBeLessThanOrEqual(without.length)
      // The usual limits of a company, and one contact a day.
      expect(mostWithin(withPeople, 7)).toBeLessThanOrEqual(defaultCaps.perWeek)
      expect(mostWithin(withPeople, 30)).toBeLessThanOrEqual(defaultCaps.perMonth)
      expect(new Set(withPeople.map(dayOf)).size).toBe(withPeople.length)
    }),
    {
      numRuns: Number(process.env.LIVES ?? 4),
      seed: Number(process.env.SEED ?? 20_261_119),
      endOnFailure: true,
    },
  )
  expect(messages).toBeGreaterThan(20)
  expect(moved).toBeGreaterThan(2)
}, 300_000)
