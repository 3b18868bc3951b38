import { calendarFor } from '../../domain/calendar.ts'
import { type Cascade, cascadeOf, type Step } from '../../domain/cascade.ts'
import type { Channel } from '../../domain/channel.ts'
import type { ContactFile } from '../../domain/contact-rules.ts'
import type { LocalDate } from '../../domain/time.ts'
import type { Tables } from '../../kit/db/schema.generated.ts'
import { type Statement, sql } from '../../kit/db/statement.ts'
import type { Value } from '../../kit/db/transaction.ts'
import type { Environment } from '../../kit/operation.ts'
import { type FactRow, factColumns } from '../invoices/facts.ts'

/** The one mutex: whatever can change what a debtor is sent begins here. Lock in one statement, read in the next. */
export type AgendaLock = Pick<Tables['agendas'], 'wake_gen' | 'parked_because'>
export const lockAgenda = sql<AgendaLock>(
  'select wake_gen, parked_because from agendas where tenant_id = $1 and debtor_id = $2 for no key update',
)

export interface DebtorFile {
  id: string
  name: string
  email: string
  language: 'fr' | 'en'
  country: string
  postal_code: string | null
  company_name: string
  reply_email: string
  environment: Environment
  points: Buffer[]
  contacts: { at: number; channel: Channel; communicationId: string }[]
}

/** Who the debtor is, for whom we write, and when this person was last contacted, through any record with its address. */
// The two `offset 0` hold the planner to one probe per point: on a morning's stale statistics it would else read every slot of
// the tenant, and work out the points anew for each.
export const readFile = sql<DebtorFile>(
  `select d.id, d.name, d.email, d.language, d.country, d.postal_code, c.name as company_name, c.reply_email, t.environment,
          p.points, s.contacts
     from debtors d
     join tenants t on t.id = d.tenant_id
     join companies c on c.id = t.company_id
     cross join lateral (select contact_points(d.tenant_id, d.id, d.email_key, d.phone) as points offset 0) p
     cross join lateral (
       select coalesce(jsonb_agg(distinct jsonb_build_object('at', floor(extract(epoch from at) * 1000), 'channel', channel,
                'communicationId', communication_id)), '[]') as contacts
         from unnest(p.points) as own(point)
        cross join lateral (
          select at, channel, communication_id from contact_slots where point = own.point and counts offset 0) held) s
    where d.id = $1`,
)

export interface OpenStep
  extends FactRow,
    Pick<
      Tables['recoveries'],
      | 'invoice_id'
      | 'step'
      | 'attempt'
      | 'cascade'
      | 'cascade_version'
      | 'started_at'
      | 'due_at'
      | 'actions_completed'
      | 'generation'
    > {
  number: string
  currency: string
  issue_date: LocalDate
  due_date: LocalDate
  invoice_status: string
}

const openStepColumns = `r.invoice_id, r.step, r.attempt, r.cascade, r.cascade_version, r.started_at, r.due_at, r.actions_completed,
  r.generation, i.number, i.currency, i.issue_date, i.due_date, i.status as invoice_status, ${factColumns}`

export const wakeBatch = 500

/** The steps of a debtor that wait, the earliest first; those on their way are left out. */
export const readWaiting = sql<OpenStep>(
  `select ${openStepColumns}
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.debtor_id = $1 and r.due_at is not null and r.communication_id is null
    order by r.due_at limit ${wakeBatch}`,
)

/** The steps one communication serves. */
export const readServed = sql<OpenStep>(
  `select ${openStepColumns}
     from communication_invoices l
     join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id and r.communication_id = l.communication_id
     join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
    where l.communication_id = $1`,
)

/** The opening of everything done under a debtor's lock: the lock, then the file, in one flight. */
export const openFile = (
  tenantId: string,
  debtorId: string,
): (readonly [Statement<unknown>, readonly Value[]])[] => [
  [lockAgenda, [tenantId, debtorId]],
  [readFile, [debtorId]],
]

/** The file as the rules see it; a communication does not stand in its own way. */
export const contactFile = (file: DebtorFile, except?: string): ContactFile => ({
  calendar: calendarFor({ country: file.country, postalCode: file.postal_code }),
  contacts: file.contacts.filter(contact => contact.communicationId !== except),
})

export const stepOf = (
  open: Pick<OpenStep, 'cascade' | 'cascade_version' | 'step'>,
): { cascade: Cascade; step: Step } => {
  const cascade = cascadeOf(open.cascade, open.cascade_version)
  const step = cascade.steps[open.step]
  if (!step) throw new Error(`cascade ${cascade.name} has no step ${open.step}`)
  return { cascade, step }
}

// The next look at a debtor: when its earliest waiting step is due. Runs after everything else in the transaction.
export const refreshAgenda = sql(
  `update agendas a
      set wake_gen = a.wake_gen + 1, attempts = 0, wake_at = next.due_at - $3::double precision * interval '1 millisecond',
          wake_because = next.due_because
     from (select $2::uuid as debtor_id) d
     left join lateral (
       select due_at, due_because from recoveries r
        where r.debtor_id = d.debtor_id and r.due_at is not null and r.communication_id is null
        order by r.due_at limit 1) next on true
    where a.tenant_id = $1 and a.debtor_id = d.debtor_id`,
)
