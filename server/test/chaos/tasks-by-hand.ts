import { randomUUIDv7 } from 'node:crypto'
import { asAdmin, type Database } from '../../dev/database.ts'

// The rows that a pause writes, for many recoveries in one statement each, without any rule.
const statements = [
  `select from agendas a join recoveries r on r.tenant_id = a.tenant_id and r.debtor_id = a.debtor_id
    where r.invoice_id = any ($1::uuid[]) for no key update of a`,
  `update recoveries set status = 'paused', holds = '{asked}', wish_at = null, due_at = null, due_because = null where invoice_id = any ($1::uuid[])`,
  `insert into actions (tenant_id, id, invoice_id, action, status, details, executed_at)
   select i.tenant_id, x.id, i.id, 'pause', 'done', 'Paused. Reason: Summer closing', now()
     from unnest($1::uuid[], $2::uuid[]) as x(invoice_id, id) join invoices i on i.id = x.invoice_id`,
  `insert into audit_log (tenant_id, id, type, schema_version, subject_id, data, actor, occurred_at, recorded_at)
   select i.tenant_id, x.id, 'workflow.triggered', 1, i.id, '{"action": "pause"}', '{}', now(), now()
     from unnest($1::uuid[], $2::uuid[]) as x(invoice_id, id) join invoices i on i.id = x.invoice_id`,
  `update agendas a set wake_generation = wake_generation + 1, wake_at = null from recoveries r
    where r.tenant_id = a.tenant_id and r.debtor_id = a.debtor_id and r.invoice_id = any ($1::uuid[])`,
]

/** How many recoveries a second are paused by statements written by hand, so many in a transaction. */
export const pauseByHand = (database: Database, ids: readonly string[], size: number): Promise<number> =>
  asAdmin(database.adminUrl, async admin => {
    const startedAt = performance.now()
    for (let from = 0; from < ids.length; from += size) {
      const some = ids.slice(from, from + size)
      await admin.query('begin')
      for (const text of statements) {
        const values: string[][] = [some]
        if (text.includes('$2')) values.push(some.map(() => randomUUIDv7()))
        await admin.query(text, values)
      }
      await admin.query('commit')
    }
    return (ids.length * 1_000) / (performance.now() - startedAt)
  })
