import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../../kit/db/transaction.ts'
import type { ApiError } from '../../../../kit/errors.ts'
import { newEvent } from '../../../../kit/events.ts'
import { lowestId } from '../../../../kit/uuid.ts'
import { type EventContext, recordAudit } from '../../../platform/events/record-events.ts'
import { lockAgenda } from '../../../recovery/case/agenda-store.ts'
import type { TaskContext } from '../task-context.ts'
import { debtorErased } from './audit-events.ts'
import { obstacleTo } from './erase-obstacles.ts'
import { readSearchTerms, type SearchTerms } from './needles.ts'

/** First texts that may name any person, in search order; then the person's own rows, with their name last. */
const steps = [
  'begin',
  'idempotency_keys',
  'conversations',
  'audit_log',
  'tasks',
  'task_files',
  'import_rows',
  'invoices',
  'communications',
  'debtors',
] as const
type Step = (typeof steps)[number]

/** Where an erasure continues. */
export type EraseCursor = { step: Step; after: string | null }

export interface Erasure {
  tenantId: string
  debtorIds: readonly string[]
  /** The task that erases, if there is one. */
  taskId?: string
  by: Pick<EventContext, 'actor' | 'requestId'>
  /** Called at the beginning of each transaction: false ends the chunk. */
  goesOn?: (tx: Tx) => Promise<boolean>
}

/** An obstacle appeared after the erasure was requested. */
export class EraseRefused extends Error {
  override readonly cause: ApiError
  constructor(cause: ApiError) {
    super(cause.message)
    this.cause = cause
  }
}

/** About how long a chunk takes; each of its transactions is shorter. */
const chunkMs = 2_000
const invoicesAtOnce = 100
const communicationsAtOnce = 500

const begin = sql('erase.begin', 'select begin_erasure($1, $2::uuid[], $3)')
const lookThrough = sql(
  'erase.look-through',
  'select erase_mentions($1, $2, $3, $4, $5::text[], $6::text[], $7::text[]) as next',
).as<{ next: string | null }>()
const findInvoices = sql(
  'erase.find-invoices',
  'select id from invoices where debtor_id = any ($1::uuid[]) and id > $2 order by id limit $3',
)
const findCommunications = sql(
  'erase.find-communications',
  'select id from communications where debtor_id = any ($1::uuid[]) and id > $2 order by id limit $3',
)
const blockInvoices = sql('erase.block-invoices', 'select block_invoices($1, $2::uuid[], $3, $4)')
const eraseInvoices = sql('erase.invoice-rows', 'select erase_invoice_rows($1, $2::uuid[], $3)')
const eraseCommunications = sql(
  'erase.communication-rows',
  'select erase_communication_rows($1, $2::uuid[], $3)',
)
const eraseDebtors = sql('erase.debtor-rows', 'select erase_debtor_rows($1, $2::uuid[], $3)')

/**
 * Erases for a few seconds, in small transactions, and returns where to continue; null when nothing is left. Safe to run twice:
 * texts about a person are found by their name, which is erased last.
 */
export async function erasePersons(
  context: Pick<TaskContext, 'pool' | 'clock' | 'newId'>,
  erasure: Erasure,
  from: EraseCursor | null,
): Promise<EraseCursor | null> {
  const { pool, clock, newId } = context
  const { tenantId, debtorIds, goesOn } = erasure
  const endAt = clock.wall() + chunkMs
  let cursor: EraseCursor = from ?? { step: 'begin', after: null }
  const needles = await transact(pool, asWorker(tenantId), [], ({ tx }) =>
    readSearchTerms(tx, tenantId, debtorIds),
  )
  for (;;) {
    const next = await transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
      if (goesOn && !(await goesOn(tx))) return 'stopped'
      const wall = clock.wall()
      const moment = { now: wall + offsetMs, wall, newId }
      const after = await doStep(tx, erasure, cursor, needles, moment)
      return after === null ? nextStep(cursor.step) : { step: cursor.step, after }
    })
    if (next === null) return null
    if (next === 'stopped') return cursor
    cursor = next
    if (clock.wall() >= endAt) return cursor
  }
}

function nextStep(step: Step): EraseCursor | null {
  const following = steps[steps.indexOf(step) + 1]
  return following === undefined ? null : { step: following, after: null }
}

type Moment = Pick<EventContext, 'now' | 'wall' | 'newId'>

/** Returns where the same step continues; null when it is done. */
async function doStep(
  tx: Tx,
  erasure: Erasure,
  { step, after }: EraseCursor,
  needles: SearchTerms,
  moment: Moment,
): Promise<string | null> {
  const { tenantId, debtorIds } = erasure
  const at = iso(moment.now)
  if (step === 'begin') {
    await beginErasure(tx, erasure, at)
    return null
  }
  if (step === 'invoices') {
    const found = await tx.rows(findInvoices, [debtorIds, after ?? lowestId, invoicesAtOnce])
    const ids = found.map(({ id }) => id)
    await tx.rows(blockInvoices, [tenantId, ids, at, at.slice(0, 10)])
    await tx.rows(eraseInvoices, [tenantId, ids, at])
    return ids.length < invoicesAtOnce ? null : ids.at(-1)!
  }
  if (step === 'communications') {
    const found = await tx.rows(findCommunications, [debtorIds, after ?? lowestId, communicationsAtOnce])
    const ids = found.map(({ id }) => id)
    await tx.rows(eraseCommunications, [tenantId, ids, at])
    return ids.length < communicationsAtOnce ? null : ids.at(-1)!
  }
  if (step === 'debtors') {
    await tx.rows(eraseDebtors, [tenantId, debtorIds, iso(moment.wall)])
    recordAudit(
      tx,
      debtorIds.map(debtorId => newEvent(debtorErased, debtorId, { debtorId })),
      { ...erasure.by, ...moment },
    )
    return null
  }
  const { texts, words, digits, ids } = needles
  // People may write only a part of a name; programs write the whole name.
  const isWritten = step === 'tasks' || step === 'conversations'
  // Fewer rows for a debtor with many invoices, so that a step always takes less than a second.
  const rows = Math.max(20, Math.min(2_000, Math.floor(400_000 / (texts.length + ids.length))))
  const [looked] = await tx.rows(lookThrough, [
    tenantId,
    step,
    after,
    isWritten ? Math.ceil(rows / 20) : rows,
    isWritten ? [...texts, ...words] : texts,
    digits,
    ids,
  ])
  return looked!.next
}

/** Under the debtors' locks, so that nothing is opened or sent in between. */
async function beginErasure(tx: Tx, { tenantId, debtorIds, taskId }: Erasure, at: string): Promise<void> {
  for (const debtorId of debtorIds.toSorted()) await tx.rows(lockAgenda, [tenantId, debtorId])
  const obstacle = await obstacleTo(tx, debtorIds, taskId)
  if (obstacle) throw new EraseRefused(obstacle)
  await tx.rows(begin, [tenantId, debtorIds, at])
}
