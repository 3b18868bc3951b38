import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import type { Call } from '../../../../kit/operation.ts'
import { inspectInvoice, removeUncontacted } from '../../../receivables/invoices/delete-invoice.ts'
import type { WalkedInvoice } from '../../../receivables/invoices/invoice-filter.ts'
import { triggerWorkflow } from '../../../recovery/workflow/trigger-workflow.ts'
import { runItems } from '../bulk/run-bulk.ts'
import { invoiceInUse } from '../errors.ts'
import { chunkSize, type TaskWork } from '../task-work.ts'

const findImported = sql(
  'import-rows.list-imported',
  `select r.line, i.id, i.debtor_id from import_rows r left join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.task_id = $1 and r.line > $2 and r.invoice_id is not null order by r.line limit $3`,
).as<{ line: number; id: string | null; debtor_id: string | null }>()
const findStatus = sql('imports.find-status', 'select status from recoveries where invoice_id = $1')

/** Its recovery is cancelled first, with its event, so that receivers of the start event also get the end. */
async function undoInvoice(call: Call<unknown, unknown, unknown>): Promise<null> {
  const { id } = call.params as { id: string }
  const [recovery] = await call.tx.rows(findStatus, [id])
  if (recovery?.status === 'in_recovery' || recovery?.status === 'paused')
    await triggerWorkflow.run!({
      ...call,
      params: { invoiceId: id },
      body: { action: 'cancel', reason: 'Import undone' },
    })
  // Read after the debtor was locked, so that a message that was being sent is known now.
  const found = await inspectInvoice(call, id)
  if (found.has_messages || found.has_records) throw invoiceInUse.make()
  removeUncontacted(call, id, found)
  return null
}

// Not shared, because it reads its own changes.
const act = { operation: { run: undoInvoice }, paramsOf: (id: string) => ({ id }), body: {}, isShared: false }

export const undoWork: TaskWork = {
  refusalsBy: 'message',
  async run(context, task, ref) {
    const importId = task.input.importId as string
    const rows = await transact(context.pool, asWorker(ref.tenantId), [], ({ tx }) =>
      tx.rows(findImported, [importId, (task.cursor as number | null) ?? 0, chunkSize]),
    )
    // Invoices that were deleted since the import are left out.
    const items = rows.filter((row): row is WalkedInvoice & { line: number } => row.id !== null)
    return runItems(context, task, ref, act, items, rows.length < chunkSize ? null : rows.at(-1)!.line)
  },
}
