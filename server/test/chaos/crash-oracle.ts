import type { ReceivedMail } from '../../dev/mailbox.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import { judgeActions } from './crash-actions.ts'
import { judgeContacts } from './crash-contacts.ts'
import { judgeStops, stopsOf } from './crash-stops.ts'
import type { Findings } from './findings.ts'
import type { InvoiceRequest } from './traffic.ts'

interface InvoiceRow {
  id: string
  number: string
  email: string
  event_seq: number
  recoveries: number
  started: boolean
  /** It goes on, on a later day. */
  companions: number
  sequences: number[]
  types: string[]
  states: string[] | null
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

// Read as the administrator, without row-level security. An invoice without companions is the only one of its address.
const invoices = `
  select i.id, i.number, d.email, i.event_seq,
         (select count(*)::int from recoveries r where r.invoice_id = i.id) as recoveries,
         exists (select from recoveries r where r.invoice_id = i.id and r.started_at is not null) as started,
         (select count(*)::int - 1 from invoices o join debtors p on p.id = o.debtor_id
           where p.email_key = d.email_key) as companions,
         array(select e.sequence from events e where e.subject_id = i.id order by e.sequence) as sequences,
         array(select e.type from events e where e.subject_id = i.id order by e.sequence) as types,
         array(select c.state from communication_invoices l join communications c on c.id = l.communication_id
           where l.invoice_id = i.id order by c.reserved_at) as states
    from invoices i join debtors d on d.id = i.debtor_id and d.tenant_id = i.tenant_id
   where i.tenant_id = $1`

const communications = `
  select c.id, d.email, c.state, c.reason,
         (select count(*)::int from contact_slots s where s.communication_id = c.id and s.counts) as slots,
         (select count(*)::int from communication_invoices l where l.communication_id = c.id) as invoices,
         (select count(*)::int from actions a where a.communication_id = c.id) as actions
    from communications c join debtors d on d.id = c.debtor_id and d.tenant_id = c.tenant_id
   where c.tenant_id = $1`

// The schema's constraints written again as queries, so that a missing constraint would show.
const slotFaults = `
  select s.communication_id, 'two on one day' as fault from contact_slots s
    join contact_slots o on o.point = s.point and o.local_day = s.local_day and o.communication_id <> s.communication_id
   where s.counts and o.counts
  union all
  select s.communication_id, 'too soon after another' from contact_slots s
    join contact_slots o on o.point = s.point and o.channel = s.channel and o.cooldown && s.cooldown
     and o.communication_id <> s.communication_id
   where s.counts and o.counts
  union all
  select communication_id, 'outside hours' from contact_slots
   where not ((at at time zone zone)::time >= '08:00' and (at at time zone zone)::time < '20:00')
      or extract(isodow from at at time zone zone) = 7`

const countBy = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
const repeated = (values: readonly string[]) => [...countBy(values)].filter(([, count]) => count > 1)
const isContact = (state: string) => state === 'sent' || state === 'unknown'

export async function judgeCrash(
  findings: Findings,
  installation: ChaosInstallation,
  requests: readonly InvoiceRequest[],
  leaseMs: number,
): Promise<void> {
  const tenant = [installation.company.tenants.production]
  const rows = await installation.query<InvoiceRow>(invoices, tenant)
  const sent = await installation.query<CommunicationRow>(communications, tenant)
  const mails = installation.mailbox.messages()
  const states = countBy(sent.map(communication => communication.state))
  findings.figure('communications', Object.fromEntries(states))
  const unknown = sent.filter(communication => communication.state === 'unknown')
  findings.figure('unknown', {
    all: unknown.length,
    ...Object.fromEntries(countBy(unknown.map(communication => communication.reason ?? 'no reason'))),
  })
  findings.figure('emails received', mails.length)
  judgeAnswers(findings, rows, requests)
  judgeMails(findings, sent, mails)
  judgeFirstMessages(findings, rows, requests)
  await judgeActions(findings, installation, requests)
  await judgeStops(findings, installation, requests.flatMap(stopsOf), leaseMs)
  await judgeContacts(findings, installation)
  const faults = await installation.query(slotFaults)
  findings.check('no contact slot breaks the rules', faults.length === 0, faults)
  const parked = await installation.query('select * from agendas where parked_because is not null')
  findings.check('no agenda is parked', parked.length === 0, parked)
}

function judgeAnswers(
  findings: Findings,
  rows: readonly InvoiceRow[],
  requests: readonly InvoiceRequest[],
): void {
  const acknowledged = requests.filter(one => one.answeredId !== null)
  const share = acknowledged.length / requests.length
  findings.check('at least 90 % of the creates were answered 201', share >= 0.9, {
    asked: requests.length,
    created: acknowledged.length,
  })
  const refused = requests.filter(one => one.refusal !== null)
  findings.check('no create was refused', refused.length === 0, refused)
  const byNumber = Map.groupBy(rows, row => row.number)
  const wrong = acknowledged.filter(one => {
    const found = byNumber.get(one.number) ?? []
    return found.length !== 1 || found[0]!.id !== one.answeredId
  })
  findings.check('every 201 has exactly one invoice, under the id it was answered', wrong.length === 0, wrong)
  const abandoned = new Set(requests.filter(one => one.answeredId === null).map(one => one.number))
  const known = new Set(requests.map(one => one.number))
  const unexpected = rows.filter(row => !known.has(row.number))
  const silent = rows.filter(row => abandoned.has(row.number)).length
  findings.check('every other invoice is one whose customer gave up', unexpected.length === 0, unexpected)
  if (abandoned.size > 0) findings.figure('given up', { customers: abandoned.size, storedAllTheSame: silent })
  const wanted = new Map(requests.map(one => [one.number, one]))
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
  const writtenTwice = repeated(mails.map(mail => mail.to))
  findings.check('nobody was written to twice', writtenTwice.length === 0, writtenTwice)
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
  const wrongSlots = sent.filter(one => (isContact(one.state) ? one.slots !== 2 : one.slots !== 0))
  findings.check('a contact holds its slots and nothing else does', wrongSlots.length === 0, wrongSlots)
  const notInHistory = sent.filter(
    one => isContact(one.state) && (one.invoices === 0 || one.actions !== one.invoices),
  )
  findings.check(
    'every contact is once in the history of each of its invoices',
    notInHistory.length === 0,
    notInHistory,
  )
}

/** No action of its customer prevents its first message. */
const isFree = ({ planned, actions }: InvoiceRequest) =>
  actions.length === planned.flat().length &&
  actions.every(({ data }) => data !== null) &&
  ['', 'start', 'escalate', 'pause resume'].includes(planned.flat().join(' '))

function judgeFirstMessages(
  findings: Findings,
  rows: readonly InvoiceRow[],
  requests: readonly InvoiceRequest[],
): void {
  const free = new Set(requests.filter(isFree).map(one => one.number))
  const wanted = rows.filter(row => free.has(row.number))
  const unsent = wanted.filter(row => row.companions === 0 && !row.states?.some(isContact))
  findings.check(
    'every running invoice that is the only one of its debtor has its first email sent or unknown',
    unsent.length === 0,
    unsent,
  )
  const reached = new Set(rows.filter(row => row.states?.some(isContact)).map(row => row.email))
  const forgotten = wanted.filter(row => !reached.has(row.email))
  findings.check('everybody was written to for one of their invoices', forgotten.length === 0, forgotten)
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
