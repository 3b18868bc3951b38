import type { ReceivedMail } from '../../dev/mailbox.ts'
import { judgeContacts } from './crash-contacts.ts'
import { judgeDeeds } from './crash-deeds.ts'
import { judgeStops, stopsOf } from './crash-stops.ts'
import type { Findings } from './findings.ts'
import type { Stage } from './stage.ts'
import type { Create } from './traffic.ts'

interface InvoiceRow {
  id: string
  number: string
  email: string
  event_seq: number
  recoveries: number
  started: boolean
  /** It goes on, on a later day. */
  waits: boolean
  companions: number
  sequences: number[]
  types: string[]
  fates: string[] | null
}

interface CommunicationRow {
  id: string
  email: string
  state: string
  reason: string | null
  slots: number
  invoices: number
  actions: number
}

// As the administrator, who sees through every policy. A lone invoice is the only one of its address.
const invoices = `
  select i.id, i.number, d.email, i.event_seq,
         (select count(*)::int from recoveries r where r.invoice_id = i.id) as recoveries,
         exists (select from recoveries r where r.invoice_id = i.id and r.started_at is not null) as started,
         exists (select from recoveries r where r.invoice_id = i.id and r.status = 'in_recovery' and r.due_at is not null) as waits,
         (select count(*)::int - 1 from invoices o join debtors p on p.id = o.debtor_id
           where p.email_key = d.email_key) as companions,
         array(select e.sequence from events e where e.subject_id = i.id order by e.sequence) as sequences,
         array(select e.type from events e where e.subject_id = i.id order by e.sequence) as types,
         array(select c.state from communication_invoices l join communications c on c.id = l.communication_id
           where l.invoice_id = i.id order by c.reserved_at) as fates
    from invoices i join debtors d on d.id = i.debtor_id and d.tenant_id = i.tenant_id
   where i.tenant_id = $1`

const communications = `
  select c.id, d.email, c.state, c.reason,
         (select count(*)::int from contact_slots s where s.communication_id = c.id and s.counts) as slots,
         (select count(*)::int from communication_invoices l where l.communication_id = c.id) as invoices,
         (select count(*)::int from actions a where a.communication_id = c.id) as actions
    from communications c join debtors d on d.id = c.debtor_id and d.tenant_id = c.tenant_id
   where c.tenant_id = $1`

// The constraints said once more in other words, so that a constraint that was lost would show.
const slotFaults = `
  select s.communication_id, 'two on one day' as fault from contact_slots s
    join contact_slots o on o.point = s.point and o.local_day = s.local_day and o.communication_id <> s.communication_id
   where s.counts and o.counts
  union all
  select s.communication_id, 'too soon after another' from contact_slots s
    join contact_slots o on o.point = s.point and o.channel = s.channel and o.cool && s.cool
     and o.communication_id <> s.communication_id
   where s.counts and o.counts
  union all
  select communication_id, 'outside hours' from contact_slots
   where not ((at at time zone zone)::time >= '08:00' and (at at time zone zone)::time < '20:00')
      or extract(isodow from at at time zone zone) = 7`

const times = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
const repeated = (values: readonly string[]) => [...times(values)].filter(([, count]) => count > 1)
const isContact = (state: string) => state === 'sent' || state === 'unknown'

export async function judgeCrash(
  findings: Findings,
  stage: Stage,
  made: readonly Create[],
  leaseMs: number,
): Promise<void> {
  const tenant = [stage.company.tenants.production]
  const rows = await stage.ask<InvoiceRow>(invoices, tenant)
  const sent = await stage.ask<CommunicationRow>(communications, tenant)
  const mails = stage.mailbox.messages()
  const states = times(sent.map(communication => communication.state))
  findings.figure('communications', Object.fromEntries(states))
  const unknown = sent.filter(communication => communication.state === 'unknown')
  findings.figure('unknown', {
    all: unknown.length,
    ...Object.fromEntries(times(unknown.map(communication => communication.reason ?? 'no reason'))),
  })
  findings.figure('emails received', mails.length)
  judgeAnswers(findings, rows, made)
  judgeMails(findings, sent, mails)
  judgeStories(findings, rows, sent, made)
  await judgeDeeds(findings, stage, made)
  await judgeStops(findings, stage, made.flatMap(stopsOf), leaseMs)
  await judgeContacts(findings, stage)
  const faults = await stage.ask(slotFaults)
  findings.check('no contact slot breaks the rules', faults.length === 0, faults)
  const parked = await stage.ask('select * from agendas where parked_because is not null')
  findings.check('no agenda is parked', parked.length === 0, parked)
}

function judgeAnswers(findings: Findings, rows: readonly InvoiceRow[], made: readonly Create[]): void {
  const acknowledged = made.filter(one => one.answeredId !== null)
  const share = acknowledged.length / made.length
  findings.check('at least 90 % of the creates were answered 201', share >= 0.9, {
    asked: made.length,
    created: acknowledged.length,
  })
  const refused = made.filter(one => one.refusal !== null)
  findings.check('no create was refused', refused.length === 0, refused)
  const byNumber = Map.groupBy(rows, row => row.number)
  const wrong = acknowledged.filter(one => {
    const found = byNumber.get(one.number) ?? []
    return found.length !== 1 || found[0]!.id !== one.answeredId
  })
  findings.check('every 201 has exactly one invoice, under the id it was answered', wrong.length === 0, wrong)
  const gaveUp = new Set(made.filter(one => one.answeredId === null).map(one => one.number))
  const known = new Set(made.map(one => one.number))
  const strangers = rows.filter(row => !known.has(row.number))
  const silent = rows.filter(row => gaveUp.has(row.number)).length
  findings.check('every other invoice is one whose customer gave up', strangers.length === 0, strangers)
  if (gaveUp.size > 0) findings.figure('given up', { customers: gaveUp.size, storedAllTheSame: silent })
  const wanted = new Map(made.map(one => [one.number, one]))
  const unstarted = rows.filter(
    row => row.recoveries !== 1 || (wanted.get(row.number)?.isAutoStarted && !row.started),
  )
  findings.check(
    'every invoice has exactly one recovery, and it was started with it unless that was to wait',
    unstarted.length === 0,
    unstarted,
  )
}

function judgeMails(
  findings: Findings,
  sent: readonly CommunicationRow[],
  mails: readonly ReceivedMail[],
): void {
  const twice = repeated(mails.map(mail => mail.communicationId ?? 'none'))
  findings.check('no communication reached the mail server twice', twice.length === 0, twice)
  const crowded = repeated(mails.map(mail => mail.to))
  findings.check('nobody was written to twice', crowded.length === 0, crowded)
  const received = new Set(mails.map(mail => mail.communicationId))
  const unreceived = sent.filter(one => one.state === 'sent' && !received.has(one.id))
  findings.check('every communication called sent was received', unreceived.length === 0, unreceived)
  const byId = new Map(sent.map(one => [one.id, one]))
  const unaccounted = mails.flatMap(mail => {
    const state = byId.get(mail.communicationId ?? '')?.state ?? 'no such communication'
    return isContact(state) ? [] : [{ id: mail.communicationId, state }]
  })
  findings.check('every email received is known as sent or unknown', unaccounted.length === 0, unaccounted)
  const open = sent.filter(one => one.state === 'reserved' || one.state === 'sending')
  findings.check('nothing is left reserved or sending', open.length === 0, open)
  const misheld = sent.filter(one => (isContact(one.state) ? one.slots !== 2 : one.slots !== 0))
  findings.check('a contact holds its slots and nothing else does', misheld.length === 0, misheld)
  const untold = sent.filter(
    one => isContact(one.state) && (one.invoices === 0 || one.actions !== one.invoices),
  )
  findings.check(
    'every contact is told once in the history of each invoice it served',
    untold.length === 0,
    untold,
  )
}

/**
 * Nothing its customer did stands in the way of its first message. One that was on its way when the recovery went on counts as
 * a contact even if it then comes to nothing: the next is planned three days later.
 */
const isFree = ({ story, deeds }: Create) =>
  deeds.length === story.flat().length &&
  deeds.every(({ data }) => data !== null && (data.inFlight ?? []).length === 0) &&
  ['', 'start', 'escalate', 'pause resume'].includes(story.flat().join(' '))

function judgeStories(
  findings: Findings,
  rows: readonly InvoiceRow[],
  sent: readonly CommunicationRow[],
  made: readonly Create[],
): void {
  const free = new Set(made.filter(isFree).map(one => one.number))
  const wanted = rows.filter(row => free.has(row.number))
  const unsent = wanted.filter(row => row.companions === 0 && !row.fates?.some(isContact))
  findings.check(
    'every lone invoice left to run has its first email sent or unknown',
    unsent.length === 0,
    unsent,
  )
  const reached = new Set(rows.filter(row => row.fates?.some(isContact)).map(row => row.email))
  // Whoever made way for a message of another invoice of theirs, which then came to nothing, has a later day.
  const madeWay = new Set(sent.filter(one => !isContact(one.state)).map(one => one.email))
  const unreached = wanted.filter(row => !reached.has(row.email))
  const forgotten = unreached.filter(row => !(row.waits && madeWay.has(row.email)))
  findings.figure('made way for a message that came to nothing', unreached.length - forgotten.length)
  findings.check(
    'everybody was written to for one of their invoices, or waits for a later day after a message that came to nothing',
    forgotten.length === 0,
    forgotten,
  )
  const broken = rows.filter(
    row =>
      row.event_seq !== row.sequences.length ||
      row.sequences.some((sequence, i) => sequence !== i + 1) ||
      row.types.filter(type => type === 'invoice.created').length !== 1 ||
      row.types.filter(type => type === 'workflow.started').length !== (row.started ? 1 : 0),
  )
  findings.check(
    'every invoice has its events, created and started once, without gap',
    broken.length === 0,
    broken,
  )
}
