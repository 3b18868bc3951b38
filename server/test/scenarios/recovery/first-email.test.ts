import { expect, it } from 'vitest'
import { sdkOf } from '../../harness/sdk.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

it('one POST becomes one real email, and everything that happened can be read back', async () => {
  const input = invoiceInput({ invoiceNumber: 'F-2026-0042' })
  const relance = sdkOf(installation)
  const created = await relance.invoices.create(input)
  expect(created).toMatchObject({
    invoiceNumber: 'F-2026-0042',
    amountCents: 120_000,
    currency: 'EUR',
    status: 'imported',
    workflowStarted: true,
  })
  const { id } = created

  const mail = await eventually(
    () => installation.server.mailbox.messages().find(message => message.to === input.debtor.email),
    found => found !== undefined,
  )
  expect(mail!.subject).toBe(
    'Atelier Martin\u00a0: facture F-2026-0042, 1\u202f200,00\u00a0€ en attente de paiement',
  )
  expect(mail!.text).toContain('Durand')
  expect(mail!.text).toContain('comptabilite@atelier-martin.example')
  expect(mail!.text).toContain('responsable de vos données')
  expect(mail!.text.match(/https?:\S+/g)).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/d\/[a-z0-9]{2}[\w-]{18}$/),
  ])

  const workflow = await eventually(
    () => relance.workflow.get(id),
    seen => seen.actionsCompleted === 1,
  )
  expect(workflow).toMatchObject({ status: 'in_recovery', currentStep: 'relance_email_1' })
  // Day 5 after Monday the 16th is Saturday the 21st, somewhere between 08:00 and 19:30 in Lyon.
  expect(
    workflow.nextActionAt! >= '2026-11-21T07:00:00.000Z' &&
      workflow.nextActionAt! < '2026-11-21T18:30:00.000Z',
  ).toBe(true)

  const history = await relance.workflow.history(id)
  expect(history.data).toMatchObject([{ action: 'email_prise_en_charge', channel: 'email', status: 'sent' }])
  expect(history.pagination).toEqual({
    page: 1,
    limit: 100,
    total: 1,
    totalPages: 1,
    hasNext: false,
    hasPrev: false,
  })

  expect(await relance.invoices.get(id)).toMatchObject({
    status: 'in_recovery',
    balanceCents: 120_000,
    debtor: { timeZone: 'Europe/Paris', holidayRegion: 'FR-MET' },
  })

  const events = await installation.sql<{ type: string; sequence: number }>(
    'select type, sequence from events where subject_id = $1 order by sequence',
    [id],
  )
  expect(events.map(event => event.type)).toEqual([
    'invoice.created',
    'workflow.started',
    'workflow.action_triggered',
    'invoice.status_changed',
    'debtor.contacted',
  ])
  expect(events.map(event => event.sequence)).toEqual([1, 2, 3, 4, 5])
})

it('the same story in English for a debtor who reads English', async () => {
  const input = invoiceInput({
    debtor: { name: 'Smith Ltd', email: 'ap@smith.example', postalCode: '75001', language: 'en' },
  })
  await sdkOf(installation).invoices.create(input)
  const mail = await eventually(
    () => installation.server.mailbox.messages().find(message => message.to === 'ap@smith.example'),
    found => found !== undefined,
  )
  expect(mail!.subject).toBe(`Atelier Martin: invoice ${input.invoiceNumber}, €1,200.00 awaiting payment`)
  expect(mail!.text).toContain('Due on       15 October 2026')
})

it('a hundred debtors due at once are each contacted exactly once', async () => {
  const inputs = Array.from({ length: 100 }, () => invoiceInput())
  const relance = sdkOf(installation)
  await Promise.all(inputs.map(input => relance.invoices.create(input)))
  const mailsTo = (address: string) =>
    installation.server.mailbox.messages().filter(mail => mail.to === address)
  await eventually(
    () => inputs.filter(input => mailsTo(input.debtor.email).length > 0).length,
    n => n === 100,
  )
  for (const input of inputs) expect(mailsTo(input.debtor.email)).toHaveLength(1)
})
