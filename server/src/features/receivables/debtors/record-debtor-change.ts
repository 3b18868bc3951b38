import { randomBytes } from 'node:crypto'
import { newEvent } from '../../../kit/events.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import type { DebtorContext } from '../../recovery/case/open-recovery.ts'
import { digestOf, findOrCreateSalt } from '../../recovery/messages/settle/ledger.ts'
import { auditedFields, debtorChanged, personalFields } from './audit-events.ts'
import type { ShownDebtor } from './schema.ts'

type AuditedDebtor = Pick<ShownDebtor, 'id' | (typeof auditedFields)[number]>

/** Records which data of a debtor changed; personal data as digests. The caller holds the debtor's lock. */
export function recordDebtorChange(
  context: DebtorContext,
  before: AuditedDebtor,
  after: AuditedDebtor,
  storedSalt: { salt: Buffer } | undefined,
): void {
  const { tx, actor } = context
  const debtorId = before.id
  const changed = auditedFields.filter(name => before[name] !== after[name])
  if (changed.length === 0) return
  const personal = personalFields.filter(name => changed.includes(name))
  const salt =
    personal.length === 0
      ? null
      : findOrCreateSalt(tx, { tenantId: actor.tenantId, debtorId }, storedSalt, () => randomBytes(32))
  const digestsOf = (debtor: AuditedDebtor) =>
    Object.fromEntries(
      personal.map(name => [name, debtor[name] === null ? null : digestOf(salt!, debtor[name])]),
    )
  const data = { debtorId, changed, before: digestsOf(before), after: digestsOf(after) }
  recordAudit(tx, [newEvent(debtorChanged, debtorId, data)], context)
}
