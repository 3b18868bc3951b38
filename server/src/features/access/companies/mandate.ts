import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { day, line } from '../../../kit/fields.ts'
import { validateBody } from '../../../kit/http/validate.ts'
import { recordOperatorAudit } from '../../platform/events/record-company-audit.ts'
import { mandateEnded, mandateRecorded } from './audit-events.ts'
import type { OperatorContext } from './operate.ts'
import { OperatorError, requireCompany } from './require-company.ts'
import { wakeReleased } from './stops.ts'

/** The written convention between the company and the operator, art. R124-3 C. pr. civ. d'exécution. */
const Mandate = z.strictObject({ signedOn: day, reference: line(200) })

const saveMandate = sql(
  'companies.save-mandate',
  'update companies set mandate_signed_on = $2, mandate_reference = $3 where id = $1',
)
// Without a mandate, this flag would stop sending with `mandate_missing`.
const clearCollectorMode = sql(
  'companies.clear-collector-mode',
  'update company_settings set collector_mode = false where tenant_id = $1 and collector_mode',
)

const releaseUnlisted = sql('companies.release-unlisted', 'select release_unlisted($1, $2) as released')

/** From now on the operator collects for the company. `missing`: settings that the operator still has to configure. */
export async function recordMandate(
  context: OperatorContext,
  {
    companyId,
    missing,
    ...given
  }: { companyId: string; missing: readonly string[] } & z.input<typeof Mandate>,
): Promise<{ name: string }> {
  const { pool, wall } = context
  const { signedOn, reference } = validateBody(Mandate, given)
  if (missing.length > 0)
    throw new OperatorError(
      `The law wants more of a collector than is configured: set ${missing.join(', ')} for the workers and for this command. No mandate was recorded.`,
    )
  if (signedOn > iso(wall).slice(0, 10))
    throw new OperatorError('--signed-on is in the future: nobody is collected for before the mandate.')
  const recorded = await inTransaction(pool, async query => {
    const { id, name } = await requireCompany(query, companyId)
    await query(saveMandate, [id, signedOn, reference])
    await recordOperatorAudit(query, context, newEvent(mandateRecorded, id, { signedOn, reference }), id)
    return { name }
  })
  await wakeReleased(queryOn(pool), wall)
  return recorded
}

/** From now on the company writes in its own name again. */
export async function endMandate(context: OperatorContext, companyId: string): Promise<{ name: string }> {
  const { pool, wall } = context
  const { id, name, production, sandbox } = await requireCompany(queryOn(pool), companyId)
  await inTransaction(pool, async query => {
    await query(saveMandate, [id, null, null])
    await recordOperatorAudit(query, context, newEvent(mandateEnded, id, {}), id)
  })
  const clear = (tenantId: string) =>
    transact(pool, asWorker(tenantId), [], async ({ tx }) => {
      tx.atCommit(clearCollectorMode, [tenantId])
    })
  await Promise.all([clear(production), clear(sandbox)])
  await queryOn(pool)(releaseUnlisted, [id, iso(wall)])
  await wakeReleased(queryOn(pool), wall)
  return { name }
}
