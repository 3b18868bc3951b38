import { expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { historyLines, lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

interface WrongPerson {
  closedChannels: { channel: string; because: string }[]
  debtors: number
  recoveriesHeld: number
  inFlight: { communicationId: string }[]
}

/** Due in the future: nothing is sent unless a test asks for it. */
const createInvoice = async (changes: Record<string, unknown> = {}) =>
  (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01', ...changes }),
    })
  ).body.data
const reportWrongPerson = (id: string, point: string, reason?: string) =>
  installation.call<WrongPerson>('POST', `/api/v1/debtors/${id}/wrong-person`, { body: { point, reason } })
const updateDebtor = (id: string, body: Record<string, unknown>) =>
  installation.call<{ contactable: boolean }>('PUT', `/api/v1/debtors/${id}`, { body })
const recoveryOf = async (id: string) =>
  (
    await installation.sql<{ status: string; holds: string[]; communication_id: string | null }>(
      'select status, holds, communication_id from recoveries where invoice_id = $1',
      [id],
    )
  )[0]!
const isContactable = async (id: string) =>
  (await installation.call<{ contactable: boolean }>('GET', `/api/v1/debtors/${id}`)).body.data.contactable
const historyOf = async (id: string) =>
  (
    await installation.call<{ action: string; details: string }[]>(
      'GET',
      `/api/v1/workflow/invoice/${id}/history`,
    )
  ).body.data

it('the address is never used again, and every recovery of every record with it waits', async () => {
  const person = { email: 'someone@else.example', postalCode: '69002' }
  const first = await createInvoice({ debtor: { name: 'One SARL', ...person } })
  const second = await createInvoice({ debtor: { id: first.debtor.id } })
  const twin = await createInvoice({ debtor: { name: 'Two SARL', ...person, email: 'Someone@Else.example' } })
  const elsewhere = await createInvoice()
  const message = await worker.reserve(twin.id)
  const answer = await reportWrongPerson(first.debtor.id, 'email', 'left two years ago')
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toEqual({
    debtorId: first.debtor.id,
    point: 'email',
    closedChannels: [{ channel: 'email', because: 'wrong_person' }],
    debtors: 2,
    recoveriesHeld: 3,
    inFlight: [],
  })
  for (const { id } of [first, second, twin]) {
    expect(await recoveryOf(id)).toEqual({
      status: 'paused',
      holds: ['wrong_person'],
      communication_id: null,
    })
    expect((await historyOf(id)).at(-1)).toMatchObject({
      action: 'wrong_person',
      details:
        'The email address belongs to somebody else (left two years ago); correct it, so that the reminders can go on.',
    })
  }
  expect(await installation.sql('select state from communications where id = $1', [message])).toEqual([
    { state: 'cancelled' },
  ])
  expect(await recoveryOf(elsewhere.id)).toMatchObject({ status: 'in_recovery' })
  expect(await isContactable(first.debtor.id)).toBe(false)
  expect(await isContactable(twin.debtor.id)).toBe(false)
  expect(await isContactable(elsewhere.debtor.id)).toBe(true)
})

it('a phone number closes text messages and calls, for everybody who has it', async () => {
  const phone = '+33612340001'
  const one = await createInvoice({ debtor: { name: 'Tel One', email: 'tel1@one.example', phone } })
  const two = await createInvoice({
    debtor: { name: 'Tel Two', email: 'tel2@two.example', phone: '+33 6 12 34 00 01' },
  })
  const answer = await reportWrongPerson(one.debtor.id, 'phone')
  expect(answer.body.data).toMatchObject({
    closedChannels: [
      { channel: 'sms', because: 'wrong_person' },
      { channel: 'voice', because: 'wrong_person' },
    ],
    debtors: 2,
    recoveriesHeld: 2,
  })
  expect((await recoveryOf(two.id)).holds).toEqual(['wrong_person'])
})

it('a corrected address releases that debtor, and nobody else who still has the old one', async () => {
  const person = { email: 'ancien@adresse.example', postalCode: '69002' }
  const corrected = await createInvoice({ debtor: { name: 'Corrigé SARL', ...person } })
  const forgotten = await createInvoice({ debtor: { name: 'Oublié SARL', ...person } })
  await reportWrongPerson(corrected.debtor.id, 'email')
  expect((await updateDebtor(corrected.debtor.id, { city: 'Lyon' })).body.data.contactable).toBe(false)
  expect((await recoveryOf(corrected.id)).status).toBe('paused')
  expect(
    (await updateDebtor(corrected.debtor.id, { email: 'juste@adresse.example' })).body.data.contactable,
  ).toBe(true)
  expect(await recoveryOf(corrected.id)).toMatchObject({ status: 'in_recovery', holds: [] })
  expect((await historyOf(corrected.id)).at(-1)).toMatchObject({
    action: 'resume',
    details: 'The address was corrected; the reminders go on.',
  })
  expect(await recoveryOf(forgotten.id)).toMatchObject({ status: 'paused', holds: ['wrong_person'] })
})

it('is released only when none of its addresses belongs to somebody else', async () => {
  const { id, debtor } = await createInvoice({
    debtor: { ...lyonDebtor('Double Erreur SARL'), email: 'd@erreur.example' },
  })
  await reportWrongPerson(debtor.id, 'email')
  await reportWrongPerson(debtor.id, 'phone')
  await updateDebtor(debtor.id, { email: 'bon@erreur.example' })
  expect((await recoveryOf(id)).holds).toEqual(['wrong_person'])
  expect(await isContactable(debtor.id)).toBe(false)
  await updateDebtor(debtor.id, { phone: null })
  expect(await recoveryOf(id)).toMatchObject({ status: 'in_recovery', holds: [] })
})

it('an address known to be somebody else’s holds whoever gets it: by a change, or in a new record', async () => {
  const wrong = await createInvoice({ debtor: { name: 'Premier', email: 'connu@faux.example' } })
  await reportWrongPerson(wrong.debtor.id, 'email')
  const moved = await createInvoice()
  expect((await updateDebtor(moved.debtor.id, { email: 'connu@faux.example' })).body.data.contactable).toBe(
    false,
  )
  expect((await recoveryOf(moved.id)).holds).toEqual(['wrong_person'])
  const made = await installation.call<{ id: string; contactable: boolean }>('POST', '/api/v1/debtors', {
    body: { name: 'Nouveau', email: 'Connu@Faux.example' },
  })
  expect(made.body.data.contactable).toBe(false)
  const imported = await createInvoice({ debtor: { name: 'Importé', email: 'connu@faux.example' } })
  expect(await isContactable(imported.debtor.id)).toBe(false)
})

it('nothing is sent while it lasts, whatever the calendar says, and the reminders go on without a burst', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Attente SARL') })
  await sandbox.advanceToDay('2026-11-18')
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/wrong-person`, { point: 'email' })
  const later = await sandbox.invoice({ debtor: { id: debtor.id } })
  expect(await sandbox.advance('P20D')).toEqual([])
  expect(await sandbox.nextAction(later.id)).toMatchObject({ blockedBy: ['wrong_person'] })
  expect((await sandbox.trigger(id, { action: 'resume' })).body.error.code).toBe('BIZ_004')
  await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { email: 'bon@attente.example' })
  await sandbox.advanceToDay('2026-12-13')
  expect(historyLines(await sandbox.history(id)).slice(-2)).toEqual([
    '2026-12-08 resume done',
    '2026-12-11 relance_email_1 sent',
  ])
  expect((await sandbox.messages()).at(0)?.recipient).toBe('bon@attente.example')
})

it('outranks an opt-out said before', async () => {
  const { id, debtor } = await createInvoice()
  await installation.call('POST', `/api/v1/debtors/${debtor.id}/opt-out`, { body: { channel: 'email' } })
  expect((await reportWrongPerson(debtor.id, 'email')).body.data.closedChannels).toEqual([
    // The record itself opted out; the address belongs to somebody else.
    { channel: 'email', because: 'opt_out' },
    { channel: 'email', because: 'wrong_person' },
  ])
  expect((await recoveryOf(id)).holds).toEqual(['wrong_person'])
})

it('reported twice it is recorded once in the history', async () => {
  const { id, debtor } = await createInvoice()
  await reportWrongPerson(debtor.id, 'email')
  expect((await reportWrongPerson(debtor.id, 'email')).body.data.recoveriesHeld).toBe(0)
  expect(await historyOf(id)).toHaveLength(1)
})

it('two reports about one person at the same moment both succeed', async () => {
  const person = { email: 'meme@moment.example', postalCode: '69002' }
  const made = []
  for (let i = 0; i < 6; i++) made.push(await createInvoice({ debtor: { name: `Même ${i}`, ...person } }))
  const answers = await Promise.all(made.map(({ debtor }) => reportWrongPerson(debtor.id, 'email')))
  expect(answers.map(answer => answer.status)).toEqual(Array(6).fill(200))
  expect(answers.map(answer => answer.body.data.recoveriesHeld).reduce((sum, n) => sum + n)).toBe(6)
})

it('says that there is no phone number to be wrong', async () => {
  const { debtor } = await createInvoice()
  expect((await reportWrongPerson(debtor.id, 'phone')).body.error).toMatchObject({
    code: 'VAL_001',
    details: [{ field: 'point' }],
  })
})
