import type { z } from 'zod'
import type { Channel } from '../../../domain/contact/channel.ts'
import { type SaidReply, type Situation, situations } from '../../../domain/recovery/told.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { countedMax } from '../../../kit/list.ts'
import { lowestId } from '../../../kit/uuid.ts'
import {
  type decisionCauses,
  groupOfKind,
  invoicesMax,
  standingOfCause,
  tasksMax,
  type WorkGroup,
  type WorkTask,
  workKinds,
} from './schema.ts'
import { settledSince } from './store.ts'

interface TaskRow {
  debtor_id: string
  kind: keyof typeof groupOfKind
  since: number
  id: string | null
  invoice_id: string | null
  invoice_number: string | null
  invoices: number
  amount_cents: number | null
  channel: Channel | null
  said: SaidReply | Situation | null
  because: (typeof decisionCauses)[number] | null
  due_on: LocalDate | null
}

/** SQL: the oldest invoice of the debtor with this standing, since when, and how many there are. */
const ofStanding = (standing: string) => `
       select r.invoice_id, i.number, ${settledSince('r')} as since,
              (select count(*) from (
                 select from recoveries s where s.debtor_id = w.debtor_id and s.standing = '${standing}' limit ${invoicesMax}) c)::integer as n
         from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
        where r.debtor_id = w.debtor_id and r.standing = '${standing}' order by r.invoice_id limit 1`

const ofAddress = (kind: string, standing: string, because: string) => `
     select '${kind}', since, null::uuid, invoice_id, number, n, null::bigint,
            (select shut.channel from debtors d
              cross join lateral unnest(contact_points(d.tenant_id, d.id, d.email_key, d.phone)) as own(point)
              cross join lateral (select channel, because from closed_points where point = own.point offset 0) shut
              where d.id = w.debtor_id and shut.because = '${because}' order by shut.channel limit 1),
            null::text, null::text, null::date
       from (${ofStanding(standing)}) s`

const ofDecision = (because: keyof typeof standingOfCause) => `
     select 'decision', since, null::uuid, invoice_id, number, n, null::bigint, null::text, null::text, '${because}', null::date
       from (${ofStanding(standingOfCause[because])}) s`

const selectTasks = sql(
  'work.list-tasks',
  `select w.debtor_id, t.* from unnest($2::uuid[]) as w(debtor_id) cross join lateral (
     (select case when said = any ($3::text[]) then 'situation' else 'reply' end as kind, received_at as since, id,
             null::uuid as invoice_id, null::text as invoice_number, 0 as invoices, null::bigint as amount_cents, channel, said,
             null::text as because, null::date as due_on
        from replies where debtor_id = w.debtor_id and read_at is null order by said = any ($3::text[]) is true desc, id limit ${tasksMax})
     union all
     (select 'dispute', x.opened_at, x.id, r.invoice_id, i.number, 1, coalesce(x.amount_cents, i.amount_cents), null, null, null, null
        from (select tenant_id, invoice_id from recoveries where debtor_id = w.debtor_id and 'dispute' = any (holds)
               order by invoice_id limit ${tasksMax}) r
        join disputes x on x.tenant_id = r.tenant_id and x.invoice_id = r.invoice_id and x.status = 'open'
        join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id)
     union all${ofDecision('finished')}
     union all${ofDecision('upheld')}
     union all${ofDecision('reopened')}
     union all${ofAddress('wrong_person', 'held:wrong_person', 'wrong_person')}
     union all${ofAddress('address_refused', 'held:address_refused', 'refused')}
     union all
     (select 'promise_broken', r.promise_broken_at, p.id, r.invoice_id, i.number, 1, p.amount_cents, null, null, null, p.pay_on
        from (select tenant_id, invoice_id, promise_broken_at from recoveries
               where debtor_id = w.debtor_id and promise_broken_at is not null order by invoice_id limit ${tasksMax}) r
        join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
        cross join lateral (
          select id, amount_cents, pay_on
            from (select * from promises where invoice_id = r.invoice_id order by id desc limit 100) newest
           where status = 'broken' order by id desc limit 1) p)
     union all
     select 'follow_up', n.created_at, n.id, n.invoice_id, i.number, (n.invoice_id is not null)::integer, null, null, null, null, n.come_back_on
       from (select * from debtor_notes where debtor_id = w.debtor_id and come_back_on is not null and come_back_ended_at is null offset 0) n
       left join invoices i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
     union all
     (select 'data_request', created_at, id, null, null, 0, null, null, null, null, due_on
        from data_requests where debtor_id = w.debtor_id and decision is null order by due_on, id limit ${tasksMax})
     union all
     select 'claim', insolvency_recorded_at, null, null, null, 0, null, null, null, null, insolvency_declare_by
       from (select insolvency_recorded_at, insolvency_declare_by, insolvency_declared_on from debtors where id = w.debtor_id offset 0) d
      where insolvency_declare_by is not null and insolvency_declared_on is null) t
   union all
   select m.debtor_id, 'unknown_message', u.since, m.id, m.lead_invoice_id, i.number, 1, null, m.channel, null, null, null
     from (select communication_id, since from unknown_messages where tenant_id = $1 and seen_at is null and communication_id > '${lowestId}'
            order by communication_id limit ${countedMax}) u
    cross join lateral (
      select tenant_id, id, debtor_id, lead_invoice_id, channel from communications where id = u.communication_id offset 0) m
     left join invoices i on i.tenant_id = m.tenant_id and i.id = m.lead_invoice_id
    where m.debtor_id = any ($2)`,
).as<TaskRow>()

const toTask = (row: TaskRow): z.input<typeof WorkTask> => ({
  kind: row.kind,
  group: groupOfKind[row.kind],
  since: iso(row.since),
  id: row.id,
  invoiceId: row.invoice_id,
  invoiceNumber: row.invoice_number,
  invoices: row.invoices,
  amountCents: row.amount_cents,
  channel: row.channel,
  said: row.said,
  because: row.because,
  dueOn: row.due_on,
})

/** What waits for a person, of the debtors of one page: the most urgent first, and those of the group before all others. */
export async function readTasks(
  tx: Tx,
  { tenantId, group }: { tenantId: string; group: WorkGroup | undefined },
  debtorIds: readonly string[],
): Promise<Map<string, z.input<typeof WorkTask>[]>> {
  if (debtorIds.length === 0) return new Map()
  const rows = await tx.rows(selectTasks, [tenantId, debtorIds, situations])
  const rank = (row: TaskRow) =>
    workKinds.indexOf(row.kind) + (groupOfKind[row.kind] === group ? 0 : workKinds.length)
  const sorted = rows.toSorted((one, other) => rank(one) - rank(other) || one.since - other.since)
  return new Map([...Map.groupBy(sorted, row => row.debtor_id)].map(([id, tasks]) => [id, tasks.map(toTask)]))
}
