import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Piece {
  from: string
  until: string
  allowed: boolean
  because: string | null
  params: Record<string, string | number>
  opensAt: string | null
  contactAt: string | null
}
interface Calendar {
  from: string
  until: string
  timeZone: string
  region: string
  stopped: string | null
  now: string
  days: {
    date: string
    isToday: boolean
    from: string
    opens: string
    closes: string
    until: string
    countedAt: string
    inSevenDays: number
  }[]
  caps: { perWeek: number; perMonth: number } | null
  cooldownMinutes: number
  channels: { channel: string; closed: string | null; pieces: Piece[] }[]
  contacts: {
    at: string
    channel: string
    action: string
    state: string
    counts: boolean
    isOtherRecord: boolean
  }[]
  planned: { at: string; channel: string; action: string; invoiceIds: string[]; shifts: unknown[] }[]
  outlook: { next: string; at: string | null; channel: string | null; because: string[] }
}

const pieceAt = ({ channels }: Calendar, channel: string, at: string) => {
  const moment = new Date(at).toISOString()
  const { pieces } = channels.find(each => each.channel === channel)!
  return pieces.find(({ from, until }) => from <= moment && moment < until)!
}

it('shows contacts made and planned, and what they close', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Calendrier SARL') })
  await sandbox.advanceToDay('2026-11-17')
  const path = `/api/v1/debtors/${debtor.id}/calendar`
  const calendar = await sandbox.done<Calendar>('GET', `${path}?from=2026-11-10&to=2026-12-21`)
  expect(calendar).toMatchObject({
    from: '2026-11-09T23:00:00.000Z',
    until: '2026-12-21T23:00:00.000Z',
    timeZone: 'Europe/Paris',
    region: 'FR-MET',
    stopped: null,
  })
  expect(calendar.contacts).toMatchObject([
    { channel: 'email', action: 'email_prise_en_charge', counts: true, isOtherRecord: false },
  ])
  const [first] = calendar.contacts
  const day = first!.at.slice(0, 10)
  expect(pieceAt(calendar, 'sms', `${day}T10:00:00+01:00`)).toMatchObject({
    because: 'one_contact_a_day',
    params: { channel: 'email', on: day },
  })
  const nextDay = `${day.slice(0, 8)}${Number(day.slice(8)) + 1}`
  expect(pieceAt(calendar, 'email', `${nextDay}T10:00:00+01:00`)).toMatchObject({
    because: 'channel_cooldown',
    params: { channel: 'email', on: day },
  })
  expect(pieceAt(calendar, 'sms', `${nextDay}T10:00:00+01:00`)).toMatchObject({
    allowed: true,
    because: null,
  })
  expect(pieceAt(calendar, 'email', '2026-11-29T10:00:00+01:00')).toMatchObject({ because: 'sunday' })
  // What the plan of the invoice says of those days.
  const plan = await sandbox.done<{ actions: { scheduledAt: string; action: string; skipped: boolean }[] }>(
    'GET',
    `/api/v1/workflow/invoice/${id}/plan`,
  )
  const expected = plan.actions.filter(
    ({ scheduledAt, skipped }) => !skipped && scheduledAt !== null && scheduledAt < calendar.until,
  )
  expect(calendar.planned.map(({ at, action }) => ({ at, action }))).toEqual(
    expected
      .filter(({ action }) => action !== 'revue_judiciaire')
      .map(({ scheduledAt: at, action }) => ({ at, action })),
  )
  expect(calendar.planned.every(({ invoiceIds }) => invoiceIds.includes(id))).toBe(true)
  // Every planned message falls into an open piece.
  for (const { at, channel } of calendar.planned.slice(0, 1))
    expect(pieceAt(calendar, channel, at)).toMatchObject({ allowed: true })
})

it('says what closes a channel: no number, an opt-out, a pause until its end', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({
    debtor: { ...lyonDebtor('Fermé SARL'), phone: undefined, email: 'ferme@calendrier.example' },
  })
  // Its first message has left.
  await sandbox.advanceToDay('2026-11-17')
  const path = `/api/v1/debtors/${debtor.id}/calendar`
  const closedOf = (calendar: Calendar) =>
    Object.fromEntries(calendar.channels.map(({ channel, closed }) => [channel, closed]))
  expect(closedOf(await sandbox.done<Calendar>('GET', path))).toMatchObject({
    email: null,
    sms: 'no_mobile',
    voice: 'no_phone',
  })
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, { until: '2026-11-25T12:00:00+01:00' })
  const paused = await sandbox.done<Calendar>('GET', path)
  expect(closedOf(paused).email).toBeNull()
  expect(pieceAt(paused, 'email', '2026-11-25T11:59:00+01:00')).toMatchObject({ because: 'debtor' })
  expect(pieceAt(paused, 'email', '2026-11-25T12:00:00+01:00')).toMatchObject({ allowed: true })
  expect(paused.planned.every(({ at }) => at > '2026-11-25T11:00:00.000Z')).toBe(true)
  expect(paused.planned.length).toBeGreaterThan(0)
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/opt-out`, { channel: 'email' })
  expect(closedOf(await sandbox.done<Calendar>('GET', path)).email).toBe('channel_closed')
})

it('has 28 days from today unless it is asked for others, 42 at most', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Jours SARL') })
  const path = `/api/v1/debtors/${debtor.id}/calendar`
  const usual = await sandbox.done<Calendar>('GET', path)
  expect([usual.from, usual.until]).toEqual(['2026-11-15T23:00:00.000Z', '2026-12-13T23:00:00.000Z'])
  for (const query of ['from=2026-11-16&to=2026-12-28', 'from=2026-11-16&to=2026-11-15', 'to=2026-11-01']) {
    const refused = await sandbox.call('GET', `${path}?${query}`)
    expect([refused.status, refused.body.error.details?.[0]?.field]).toEqual([400, 'to'])
  }
  const longest = await sandbox.done<Calendar>('GET', `${path}?from=2026-11-16&to=2026-12-27`)
  expect(longest.channels).toHaveLength(4)
})

it('names the hours of each day, the contact that closes a piece, and when the channel opens again', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Colonnes SARL') })
  await sandbox.advanceToDay('2026-11-17')
  const path = `/api/v1/debtors/${debtor.id}/calendar`
  const calendar = await sandbox.done<Calendar>('GET', `${path}?from=2026-11-10&to=2026-11-29`)
  expect(calendar.days).toHaveLength(20)
  expect(calendar.days.filter(({ isToday }) => isToday).map(({ date }) => date)).toEqual(['2026-11-17'])
  expect(calendar.days[0]).toEqual({
    date: '2026-11-10',
    isToday: false,
    from: '2026-11-09T23:00:00.000Z',
    opens: '2026-11-10T07:00:00.000Z',
    closes: '2026-11-10T19:00:00.000Z',
    until: '2026-11-10T23:00:00.000Z',
    countedAt: '2026-11-10T07:00:00.000Z',
    inSevenDays: 1,
  })
  expect(calendar).toMatchObject({ caps: { perWeek: 2, perMonth: 8 }, cooldownMinutes: 72 * 60 + 15 })
  expect(calendar.now.slice(0, 10)).toBe('2026-11-17')
  const made = calendar.contacts[0]!.at
  const countOn = (date: string) => calendar.days.find(day => day.date === date)!.inSevenDays
  // A day before a contact shares seven days with it.
  expect([countOn('2026-11-15'), countOn('2026-11-16'), countOn('2026-11-22')]).toEqual([1, 1, 1])
  expect(calendar.days.find(({ isToday }) => isToday)!.countedAt).toBe(calendar.now)
  expect(countOn('2026-11-24')).toBe(0)
  const closed = pieceAt(calendar, 'email', '2026-11-17T10:00:00+01:00')
  // To the minute: a rest that would end within a minute ends with it.
  const minute = Math.ceil(Date.parse(made) / 60_000)
  const reopens = new Date((minute + calendar.cooldownMinutes) * 60_000).toISOString()
  expect(closed).toMatchObject({ because: 'channel_cooldown', contactAt: made, opensAt: reopens })
  expect(pieceAt(calendar, 'sms', '2026-11-16T12:00:00+01:00')).toMatchObject({
    because: 'one_contact_a_day',
    contactAt: made,
  })
  expect(pieceAt(calendar, 'email', reopens)).toMatchObject({ allowed: true, opensAt: null, contactAt: null })
  // The last piece is a Sunday and its night: the channel opens after the time asked for.
  expect(calendar.channels[0]!.pieces.at(-1)).toMatchObject({
    because: 'sunday',
    opensAt: '2026-11-30T07:00:00.000Z',
    contactAt: null,
  })
})

it('may begin some days before today, and is as much longer', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Deux semaines SARL') })
  const { days } = await sandbox.done<Calendar>('GET', `/api/v1/debtors/${debtor.id}/calendar?back=14`)
  expect(days).toHaveLength(42)
  expect(days.findIndex(({ isToday }) => isToday)).toBe(14)
  const refused = await sandbox.call('GET', `/api/v1/debtors/${debtor.id}/calendar?back=15`)
  expect(refused.body.error.code).toBe('VAL_002')
})

it('names public holidays in the language of the reader', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Fetes SARL') })
  const holidays = async (query: string) => {
    const { channels } = await sandbox.done<{
      channels: { pieces: { because: string | null; params: Record<string, unknown> }[] }[]
    }>('GET', `/api/v1/debtors/${debtor.id}/calendar?from=2026-12-20&to=2027-01-02${query}`)
    const named = channels[0]!.pieces.filter(({ because }) => because === 'public_holiday')
    return named.map(({ params }) => params.holiday)
  }
  expect(await holidays('')).toEqual(['Christmas Day', "New Year's Day"])
  expect(await holidays('&language=fr')).toEqual(['Noël', 'jour de l’An'])
})

it('a debtor can be read with its account and what may be done', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Compte SARL'), dueDate: '2026-11-10' })
  await sandbox.advance('PT1H')
  interface Detail {
    account?: { openCents: number; oldestDaysOverdue: number; nextContact: { at: string } }
    acts?: { act: string; channel: string | null; allowed: boolean; because: string | null }[]
    sameAddress?: unknown[]
  }
  const read = (query: string) => sandbox.done<Detail>('GET', `/api/v1/debtors/${debtor.id}${query}`)
  const both = await read('?include=sameAddress,account')
  expect(both.account).toMatchObject({ openCents: 120_000, oldestDaysOverdue: 6 })
  expect(both.sameAddress).toEqual([])
  expect(both.acts!.find(({ act }) => act === 'resume')).toMatchObject({
    allowed: false,
    because: 'not_paused',
  })
  const clock = await sandbox.done<{ nextContact: { at: string; debtorId: string } }>(
    'GET',
    '/api/v1/sandbox/clock',
  )
  expect(clock.nextContact).toMatchObject({ at: both.account!.nextContact.at, debtorId: debtor.id })
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/opt-out`, { channel: 'sms' })
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, {})
  const { acts } = await read('?include=account')
  expect(acts!.filter(({ allowed }) => !allowed)).toMatchObject([
    { act: 'opt_out', channel: 'sms', because: 'channel_closed' },
    { act: 'retry_address', channel: null, because: 'not_refused' },
    { act: 'decide_situation', because: 'no_situation' },
    { act: 'end_insolvency', because: 'no_insolvency' },
  ])
  const plain = await read('')
  expect([plain.account, plain.acts, plain.sameAddress]).toEqual([undefined, undefined, undefined])
})

it('says what comes next and why nothing leaves before, or why nothing is planned', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Attente SARL'), dueDate: '2026-10-15' })
  const calendarOf = (query = '') =>
    sandbox.done<Calendar>('GET', `/api/v1/debtors/${debtor.id}/calendar${query}`)
  const nothing = (...because: string[]) => ({ next: 'nothing', at: null, channel: null, because })
  await sandbox.advanceToDay('2026-11-17')
  const { planned, outlook } = await calendarOf()
  expect(outlook).toEqual({ next: 'message', at: planned[0]!.at, channel: 'email', because: ['cascade'] })
  // Other days may be shown; what comes next is the same.
  expect(await calendarOf('?from=2026-12-20')).toMatchObject({ outlook })
  const asked = await sandbox.done<{ id: string; scheduledAt: string }>(
    'POST',
    `/api/v1/workflow/invoice/${id}/communications`,
    { channel: 'email' },
  )
  expect((await calendarOf()).outlook).toEqual({
    next: 'message',
    at: asked.scheduledAt,
    channel: 'email',
    because: ['channel_cooldown'],
  })
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, { until: '2026-11-27T09:00:00+01:00' })
  expect((await calendarOf()).outlook).toMatchObject({ next: 'message', because: ['debtor'] })
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, {})
  expect((await calendarOf()).outlook).toEqual(nothing('debtor'))
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/resume`)
  await sandbox.advanceToDay('2027-02-01')
  expect((await calendarOf()).outlook).toEqual({
    next: 'decision',
    at: null,
    channel: null,
    because: ['awaiting_decision'],
  })
  await sandbox.done('POST', '/api/v1/company/stop-sending', { reason: 'Prices' })
  expect((await calendarOf()).outlook).toEqual(nothing('sending_stopped'))
  await sandbox.done('POST', '/api/v1/company/resume-sending', {})
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 120_000,
    method: 'bank_transfer',
  })
  expect((await calendarOf()).outlook).toEqual(nothing('completed'))
})
