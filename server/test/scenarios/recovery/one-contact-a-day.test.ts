import { expect, it } from 'vitest'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock' })

type Next = { nextAction: string; scheduledAt: string; reasonCode: string; withInvoiceId: string | null }

const post = (changes: Record<string, unknown>) =>
  installation.call<{ id: string; debtor: { id: string; matched: boolean } }>('POST', '/api/v1/invoices', {
    body: invoiceInput(changes),
  })
const nextOf = async (id: string) =>
  (await installation.call<Next>('GET', `/api/v1/workflow/invoice/${id}/next-action`)).body.data
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to.toLowerCase() === address)

/** Waits until nothing is on its way any more. */
const untilIdle = () =>
  eventually(
    () =>
      installation.sql<{ n: number }>(
        `select (select count(*) from pending_sends) + (select count(*) from agendas, installation
         where taken_generation <> wake_generation and (wake_at <= clock_timestamp() or wake_because = 'message_on_its_way')) as n`,
      ),
    rows => Number(rows[0]!.n) === 0,
  )

it('invoices of two debtors, posted in parallel, contact each of them once', async () => {
  await Promise.all([
    post({ debtor: { name: 'Un SARL', email: 'un@deux.example', postalCode: '69002' } }),
    post({ debtor: { name: 'Deux SARL', email: 'deux@deux.example', postalCode: '69002' } }),
  ])
  await eventually(
    () => mailsTo('un@deux.example').length + mailsTo('deux@deux.example').length,
    n => n === 2,
  )
  await untilIdle()
  expect(mailsTo('un@deux.example')).toHaveLength(1)
  expect(mailsTo('deux@deux.example')).toHaveLength(1)
})

it('ten invoices of one new debtor, posted in parallel, make one debtor and one contact; what came too late for it waits', async () => {
  const debtor = { name: 'Petit & Fils', email: 'compta@petit.example', postalCode: '69002' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => post({ debtor })))
  expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(201))
  expect(new Set(answers.map(answer => answer.body.data.debtor.id)).size).toBe(1)
  await eventually(
    () => mailsTo('compta@petit.example').length,
    n => n === 1,
  )
  await untilIdle()
  expect(mailsTo('compta@petit.example')).toHaveLength(1)
  const nexts = await Promise.all(answers.map(answer => nextOf(answer.body.data.id)))
  // Invoices that existed when the debtor woke were grouped into its message; the others wait three days, for one message.
  const waiting = nexts.filter(next => next.nextAction === 'email_prise_en_charge')
  const leads = waiting.filter(next => next.withInvoiceId === null)
  expect(leads).toHaveLength(Math.min(1, waiting.length))
  for (const next of waiting) {
    expect(next.reasonCode).toBe(next.withInvoiceId === null ? 'channel_cooldown' : 'grouped')
    expect(next.scheduledAt >= '2026-11-19T08:15:00').toBe(true)
  }
  const served = nexts.filter(next => next.nextAction === 'relance_email_1')
  expect(served.length).toBeGreaterThan(0)
  expect(served.length + waiting.length).toBe(10)
  const histories = await Promise.all(
    answers.map(
      async answer =>
        (
          await installation.call<{ details: string }[]>(
            'GET',
            `/api/v1/workflow/invoice/${answer.body.data.id}/history`,
          )
        ).body.data,
    ),
  )
  const grouped = histories.flat().filter(entry => entry.details.startsWith('Grouped with F-'))
  expect(grouped).toHaveLength(served.length - 1)
})

it('two debtor records with one email are one person: one contact, the other waits and says why', async () => {
  const answers = await Promise.all([
    post({ debtor: { name: 'Leroy Paris', email: 'leroy@groupe.example', postalCode: '75001' } }),
    post({ debtor: { name: 'Leroy Lyon', email: 'Leroy@Groupe.example', postalCode: '69002' } }),
  ])
  expect(new Set(answers.map(answer => answer.body.data.debtor.id)).size).toBe(2)
  await eventually(
    () => mailsTo('leroy@groupe.example').length,
    n => n === 1,
  )
  await untilIdle()
  const codes = async () => {
    const next = await Promise.all(answers.map(answer => nextOf(answer.body.data.id)))
    return next.map(({ reasonCode }) => reasonCode).sort()
  }
  // It looked while the first message was on its way, or when it had been sent.
  await eventually(codes, seen => !seen.includes('message_on_its_way'))
  expect(await codes()).toEqual(['cascade', 'channel_cooldown'])
  expect(mailsTo('leroy@groupe.example').length).toBe(1)
})

it('the schema itself refuses a second contact of one person on one day, whatever the program believes', async () => {
  const [row] = await installation.sql<{ tenant_id: string; point: Buffer; communication_id: string }>(
    'select * from contact_slots limit 1',
  )
  await expect(
    installation.sql(
      `insert into contact_slots (tenant_id, point, channel, local_day, at, zone, cooldown, counts, communication_id)
       select tenant_id, point, 'sms', local_day, at, zone, tstzrange(at, at + interval '72 hours 15 minutes'), true, communication_id
         from contact_slots where communication_id = $1 limit 1`,
      [row!.communication_id],
    ),
  ).rejects.toThrow(/slot_once_a_day/)
  const slotAt = (at: string) =>
    installation.sql(
      `insert into contact_slots (tenant_id, point, channel, local_day, at, zone, cooldown, counts, communication_id)
       values ($1, '\\x01', 'email', ($2::timestamptz at time zone 'Europe/Paris')::date, $2, 'Europe/Paris',
               tstzrange($2, $2::timestamptz + interval '72 hours 15 minutes'), true, $3)`,
      [row!.tenant_id, at, row!.communication_id],
    )
  await expect(slotAt('2026-11-16T20:00:00+01:00')).rejects.toThrow(/slot_in_hours/)
  await expect(slotAt('2026-11-16T07:59:59+01:00')).rejects.toThrow(/slot_in_hours/)
  await expect(slotAt('2026-11-15T10:00:00+01:00')).rejects.toThrow(/slot_not_on_sunday/)
})

it.each([
  ['on a Sunday', '2026-11-15T10:00:00+01:00', '69002', 'sunday', '2026-11-16'],
  [
    'in the last two minutes of the hours',
    '2026-11-16T19:58:30+01:00',
    '69002',
    'outside_hours',
    '2026-11-17',
  ],
  ['at 20:00 sharp', '2026-11-16T20:00:00+01:00', '69002', 'outside_hours', '2026-11-17'],
  ['before 08:00', '2026-11-17T07:59:00+01:00', '69002', 'outside_hours', '2026-11-17'],
  ['on a national holiday', '2026-11-11T10:00:00+01:00', '69002', 'public_holiday', '2026-11-12'],
  ['on Good Friday in Colmar', '2027-03-26T10:00:00+01:00', '68000', 'public_holiday', '2027-03-27'],
])(
  'an invoice posted %s sends nothing and is planned for the next legal day, with the reason',
  async (_when, at, postalCode, reason, day) => {
    await installation.setNow(Date.parse(at))
    const before = installation.server.mailbox.messages().length
    const input = invoiceInput()
    const created = await post({ debtor: { ...input.debtor, postalCode } })
    const next = await nextOf(created.body.data.id)
    expect(next).toMatchObject({ nextAction: 'email_prise_en_charge', reasonCode: reason })
    expect(next.scheduledAt.slice(0, 10)).toBe(day)
    const hour = Number(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', hour12: false }).format(
        Date.parse(next.scheduledAt),
      ),
    )
    expect(hour).toBeGreaterThanOrEqual(8)
    expect(hour).toBeLessThan(20)
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(installation.server.mailbox.messages()).toHaveLength(before)
    await installation.setNow(mondayMorning)
  },
)

it('an invoice that is not yet due waits for the day after its due date', async () => {
  const created = await post({ dueDate: '2026-11-18' })
  const next = await nextOf(created.body.data.id)
  expect(next.scheduledAt.slice(0, 10)).toBe('2026-11-19')
})

it('a debtor in a country without a calendar is accepted with a warning, and nothing is sent', async () => {
  const created = await post({ debtor: { name: 'Tokyo KK', email: 'ap@tokyo.example', country: 'JP' } })
  expect(created.status).toBe(201)
  expect(created.body.warnings).toMatchObject([{ code: 'calendar_missing' }])
  expect(await nextOf(created.body.data.id)).toMatchObject({
    nextAction: null,
    scheduledAt: null,
    reasonCode: 'calendar_missing',
  })
})
