import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Channel } from '../../../src/domain/contact/channel.ts'
import { codeOf, linkOf } from '../../../src/features/recovery/messages/compose/message-code.ts'
import { type LedgerRow, verifyChain } from '../../../src/features/recovery/messages/settle/ledger.ts'
import { keyring } from '../../../src/kit/crypto.ts'
import { openChannels } from '../../../src/start/providers.ts'
import { codeFor } from '../../adapters/channel-conformance.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { command, operatorCalls } from '../../harness/operator.ts'
import {
  brevo,
  maileva,
  ovhcloud,
  type ProviderStandIn,
  twilioVoice,
} from '../../harness/provider-stand-ins.ts'
import { eventually, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const env: Record<string, string> = {}
let providers: ProviderStandIn[]
beforeAll(async () => {
  providers = await Promise.all([brevo(), ovhcloud(), maileva(), twilioVoice()])
  for (const provider of providers) Object.assign(env, provider.env(provider.url))
})
afterAll(() => Promise.all(providers.map(provider => provider.stop())))

const installation = useInstallation({ own: 'moves the clock', env })
const operator = operatorCalls(installation)
const manual = useManualWorker(installation)
const relance = command(installation)
const sunday = Date.parse('2026-11-15T10:00:00+01:00')

let people = 0
interface Person {
  invoiceId: string
  debtorId: string
  number: string
  email: string
  phone: string
}

/** Somebody whose step of this channel is planned for Monday. */
async function waitingPerson(step: number): Promise<Person> {
  const serial = String(++people).padStart(2, '0')
  const [number, email, phone] = [`R-${serial}`, `r${serial}@durand.example`, `+336${serial}111111`]
  const debtor = { name: `Durand ${serial} SARL`, email, phone }
  const place = { address: `${serial} Grande rue`, postalCode: '69002', city: 'Lyon' }
  const made = await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: {
      invoiceNumber: number,
      amountCents: 120_000,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: { ...debtor, ...place },
    },
  })
  expect(made.status, made.text).toBe(201)
  const { id: invoiceId, debtor: found } = made.body.data
  await installation.sql('update recoveries set step = $2 where invoice_id = $1', [invoiceId, step])
  return { invoiceId, debtorId: found.id, number, email, phone }
}

/** Monday has come, and the moment of these debtors; they wait for the end of the stop. */
async function becomeDue(debtorIds: readonly string[]): Promise<void> {
  await installation.setNow(mondayMorning + 60_000)
  const due = new Date(mondayMorning).toISOString()
  await installation.sql('update recoveries set wish_at = $2, due_at = $2 where debtor_id = any ($1)', [
    debtorIds,
    due,
  ])
  await installation.sql(
    'update agendas set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where debtor_id = any ($1)',
    [debtorIds],
  )
  await eventually(
    () =>
      installation.sql(
        `select 1 from agendas where debtor_id = any ($1) and wake_because = 'sending_stopped' and wake_at is null`,
        [debtorIds],
      ),
    rows => rows.length === debtorIds.length,
  )
}

/** As the lost database sent it: we have no record of it. */
async function sendElsewhere(
  channel: Channel,
  { email, phone, number }: Pick<Person, 'email' | 'phone' | 'number'>,
  code = codeFor(randomUUID()),
): Promise<string> {
  const opened = openChannels(installation.server.config)
  const adapter = opened.channels[channel]!
  const mailbox = (address: string) => ({ name: 'Durand', address })
  const post = { name: 'Durand', lines: ['8 Grande rue'], postalCode: '69002', city: 'Lyon', country: 'FR' }
  const base = { channel, communicationId: randomUUID(), code, language: 'fr', at: Date.now() }
  const text = `Bonjour ${linkOf('https://relance.example', code)}`
  const content = { subject: 'Rappel', text, html: null, opening: text, reference: number }
  const party =
    channel === 'email'
      ? { from: mailbox('a@relance.example'), replyTo: mailbox('a@relance.example'), to: mailbox(email) }
      : channel === 'lrar'
        ? { from: post, to: post, pdf: async () => Buffer.from('%PDF-1.7'), delivery: { by: 'paper' } }
        : { from: 'ATELIER', to: phone }
  const result = await adapter.send({ ...base, ...content, ...party } as never, {
    beforeCommit: async () => {},
  })
  await opened.close()
  expect(result).toMatchObject({ outcome: 'accepted' })
  return code
}

const becomeCopy = async () => {
  await installation.sql(`update sending_database set identity = 'of another database'`)
  await eventually(
    () => installation.sql(`select 1 from stops where kind = 'quarantine' and ended_at is null`),
    rows => rows.length === 1,
  )
}

const lostOf = (debtorId: string) =>
  installation.sql<{ channel: string; state: string; slots: number }>(
    `select c.channel, c.state, (select count(*)::int from contact_slots s where s.communication_id = c.id) as slots
       from communications c where debtor_id = $1 and step = 'lost_record'`,
    [debtorId],
  )

const sentTo = () => providers.reduce((sum, provider) => sum + provider.sentCodes().length, 0)

beforeEach(async () => {
  await installation.setNow(sunday)
  const body = { address: '4 rue du Port', postalCode: '44000', city: 'Nantes', siren: '732829320' }
  await installation.call('PUT', '/api/v1/company', { body })
})
afterEach(() => operator.resume())

it('is refused while sending is not stopped, and without a moment to begin from', async () => {
  expect((await relance('sends', 'reconcile')).out).toContain('Sending is not stopped')
  await operator.stop()
  expect((await relance('sends', 'reconcile')).out).toContain('Say --since')
  expect((await relance('sends', 'reconcile', '--since', 'soon')).code).toBe(2)
})

it('whoever a provider has written to counts as contacted, once, and is not written to again; the others are', async () => {
  const channels = ['email', 'sms', 'lrar', 'voice'] as const
  const contacted = new Map<Channel, Person>()
  for (const channel of channels) {
    const { step } = providers.find(provider => provider.channel === channel)!
    contacted.set(channel, await waitingPerson(step))
  }
  const free = await waitingPerson(0)
  await becomeCopy()
  for (const [channel, person] of contacted) await sendElsewhere(channel, person)
  await sendElsewhere('email', { email: 'stranger@nowhere.example', phone: '', number: '' })
  const everybody = [...contacted.values(), free].map(({ debtorId }) => debtorId)
  await becomeDue(everybody)
  const before = sentTo()

  const first = await relance('sends', 'reconcile')
  expect(first.out).toContain('4 contacts written down; 0 debtors count as contacted')
  expect(first.out.split('\n')).toContainEqual(
    expect.stringMatching(/^no_debtor,email,brevo,[^,]+,,,stranger@nowhere\.example,/),
  )
  const second = await relance('sends', 'reconcile')
  expect(second.out).toContain('0 settled as sent, 0 contacts written down')
  for (const [channel, { debtorId }] of contacted)
    expect(await lostOf(debtorId)).toEqual([{ channel, state: 'sent', slots: 3 }])
  expect(await lostOf(free.debtorId)).toEqual([])

  await operator.resume()
  await eventually(sentTo, count => count === before + 1)
  await eventually(
    () =>
      installation.sql<{ debtor_id: string }>(
        'select debtor_id from agendas where debtor_id = any ($1) and wake_at > clock_timestamp()',
        [everybody],
      ),
    rows => rows.length === everybody.length,
  )
  expect(sentTo()).toBe(before + 1)
  for (const { debtorId } of contacted.values()) {
    const [recovery] = await installation.sql<{ due_at: Date }>(
      'select due_at from recoveries where debtor_id = $1',
      [debtorId],
    )
    expect(recovery!.due_at.getTime()).toBeGreaterThan(mondayMorning + 72 * 3_600_000)
    const [agenda] = await installation.sql<{ chain_head: Buffer; chain_length: string }>(
      'select chain_head, chain_length from agendas where debtor_id = $1',
      [debtorId],
    )
    const ledger = await installation.sql<LedgerRow>(
      'select position::int as position, entry, hash from contact_ledger where debtor_id = $1 order by position',
      [debtorId],
    )
    expect(ledger).toHaveLength(1)
    expect(verifyChain(ledger, agenda!.chain_head, Number(agenda!.chain_length))).toEqual({ valid: true })
  }
})

it('a message that was on its way when the record ended is settled as sent, and its step moves on', async () => {
  const person = await waitingPerson(0)
  await installation.setNow(mondayMorning)
  const communicationId = await manual.reserve(person.invoiceId)
  await becomeCopy()
  const { cell } = (await installation.sql<{ cell: string }>('select cell from installation'))[0]!
  const ring = keyring(installation.server.config.KEYRING!)
  await sendElsewhere('email', person, codeOf({ cell, keyring: ring }, communicationId))
  expect((await relance('sends', 'reconcile')).out).toContain('1 settled as sent, 0 contacts written down')
  const [row] = await installation.sql(
    `select c.state, c.provider, r.step from communications c join recoveries r on r.debtor_id = c.debtor_id where c.id = $1`,
    [communicationId],
  )
  expect(row).toEqual({ state: 'sent', provider: 'brevo', step: 1 })
})

it('a provider that does not give its list ends the command with one sentence', async () => {
  await becomeCopy()
  const server = providers.find(({ name }) => name === 'brevo')!
  const config = { ...installation.server.config, BREVO_API_KEY: 'of somebody else' }
  const before = installation.server.config
  Object.assign(installation.server, { config })
  const { code, out } = await relance('sends', 'reconcile')
  Object.assign(installation.server, { config: before })
  expect([code, out.trim()]).toEqual([5, 'A provider did not give its list (brevo list 401); run it again.'])
  expect(server.sentCodes().length).toBeGreaterThan(0)
})
