import { z } from 'zod'
import { daysBetween, type LocalDate, localTime } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { countedMax, idShape, listQuery, pageOf, positionOf, writeCursor } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { readTasks } from './read-tasks.ts'
import { inChargeFilter, tasksMax, WorkLine, workGroups } from './schema.ts'
import { whoseWork, workSql } from './store.ts'

const WorkQuery = z
  .strictObject({
    ...listQuery(20),
    group: z.enum(workGroups).optional().meta({ description: 'Only debtors with a task of this group' }),
    inCharge: inChargeFilter,
    later: z
      .enum(['true'])
      .optional()
      .meta({ description: 'Those put off to a later day; without it, they are left out' }),
  })
  .meta({ id: 'WorkQuery' })

// One row without a debtor where the page is empty.
const selectWork = sql(
  'work.list',
  `${workSql},
   passing as materialized (select * from work where is_later = $6 and ($5::text is null or $5 = any (groups)))
   select t.total, p.* from (select count(*)::integer as total from passing) t
     left join (
       select debtor_id, name, in_charge_id, come_back_on, open_cents, oldest_due_date, n, comes_back, weight
         from passing where $9::uuid is null or weight < $10::float8 or weight = $10 and debtor_id > $9
        order by weight desc, debtor_id limit $7 offset $8) p on true
    order by p.weight desc, p.debtor_id`,
).as<WorkRow & { total: number }>()

interface WorkRow {
  debtor_id: string | null
  name: string
  in_charge_id: string | null
  come_back_on: LocalDate | null
  open_cents: number
  oldest_due_date: LocalDate | null
  n: number
  /** The day of its note has come, or it is put off until then. */
  comes_back: boolean
  weight: number
}

export const listWork = operation({
  id: 'work.list',
  method: 'GET',
  path: '/api/v1/work',
  summary: 'List the debtors with something that waits for a person, by what they owe and for how long',
  description:
    'One row per debtor: a reply to read, a dispute or a recovery to decide, an address to correct. Every task follows from a fact and ends with it. The order is the open sum times the days overdue of the oldest invoice. At most 10,000 facts of a kind and 10,000 debtors are looked at.',
  scopes: ['debtors:read', 'invoices:read', 'workflow:read'],
  query: WorkQuery,
  status: 200,
  reply: WorkLine,
  list: true,
  errors: [],
  assistant: 'read',
  usesNow: 'after-reading',
  async run(call) {
    const { tx, actor, query } = call
    const position = positionOf(query, 'weight desc', [/^\d[\d.e+]{0,30}$/, idShape])
    const { currency, time_zone: zone } = await findCompany(tx, actor.companyId)
    const today = localTime(zone, call.now).date
    const [weight, id] = position.after ?? [null, null]
    const found = await tx.rows(selectWork, [
      actor.tenantId,
      currency,
      today,
      whoseWork(query.inCharge, actor),
      query.group ?? null,
      query.later === 'true',
      position.limit + 1,
      position.offset,
      id ?? null,
      weight ?? null,
    ])
    const rows = found.flatMap(row => (row.debtor_id === null ? [] : [{ ...row, debtor_id: row.debtor_id }]))
    const ids = rows.slice(0, position.limit).map(row => row.debtor_id)
    const tasks = await readTasks(tx, { tenantId: actor.tenantId, group: query.group }, ids)
    return pageOf(
      position,
      rows,
      { total: found[0]!.total, isExact: found[0]!.total < countedMax },
      (row): z.input<typeof WorkLine> => ({
        debtorId: row.debtor_id,
        name: row.name,
        openCents: row.open_cents,
        currency,
        oldestDaysOverdue: row.oldest_due_date === null ? null : daysBetween(row.oldest_due_date, today),
        inChargeId: row.in_charge_id,
        comeBackOn: row.come_back_on,
        tasks: (tasks.get(row.debtor_id) ?? [])
          .filter(({ kind }) => kind !== 'follow_up' || row.comes_back)
          .slice(0, tasksMax),
        taskCount: row.n,
      }),
      (row, nextPage) => writeCursor(position.order, nextPage, [row.weight, row.debtor_id]),
    )
  },
})
