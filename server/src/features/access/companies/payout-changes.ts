import { judgePayoutChange, mayConfirmPayout, payoutWaitMs } from '../../../domain/money/payout-change.ts'
import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type ActorRef, type NewEvent, newEvent } from '../../../kit/events.ts'
import { mayDo } from '../../../kit/may-do.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { type EventContext, recordAudit } from '../../platform/events/record-events.ts'
import { readOwners } from '../owners.ts'
import type { Role } from '../roles.ts'
import { payoutApplied, payoutConfirmed, payoutRequested, payoutWithdrawn } from './audit-events.ts'
import { freshSignInNeeded, newOwner, noPendingChange, ownChange, payoutByOwnersOnly } from './errors.ts'
import { lockSettings, saveSettings, type TenantRef } from './lock-settings.ts'
import { readLogo, saveLogo } from './logo-store.ts'
import { maskPayout, payoutAccess, type WaitingField } from './payout-fields.ts'
import { enqueuePayoutMails } from './payout-mail.ts'
import { type CompanyRow, defaultSettings, type PendingRow, type Settings } from './settings.ts'
import { waitingValue, withWaitingValue } from './waiting-values.ts'

/** The transaction in the production of a company, and who acts in it. */
export interface PayoutContext extends EventContext {
  readonly tx: Tx
  readonly actor: ActorRef & TenantRef
}

const upsertChange = sql(
  'companies.upsert-payout-change',
  `insert into payout_changes (tenant_id, field, value, requested_by, requested_at, effective_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5)
   on conflict (tenant_id, field) do update
     set value = excluded.value, requested_by = excluded.requested_by, requested_at = excluded.requested_at,
         effective_at = excluded.effective_at`,
)
const deleteChanges = sql(
  'companies.delete-payout-changes',
  `delete from payout_changes where tenant_id = current_setting('relance.tenant')::uuid and field = any ($1)`,
)

const settingsOf = (row: CompanyRow): Settings => row.settings ?? defaultSettings

/** What applies now; the picture is read only for a change of it. */
async function readCurrent(
  tx: Tx,
  row: CompanyRow,
  fields: readonly WaitingField[],
): Promise<{ settings: Settings; logo: string | null }> {
  return { settings: settingsOf(row), logo: fields.includes('logo') ? await readLogo(tx) : null }
}
type Current = Awaited<ReturnType<typeof readCurrent>>

/** Records the events in the audit log, and sends one mail to each owner. */
async function publish(context: PayoutContext, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  recordAudit(context.tx, events, context)
  await enqueuePayoutMails(context, events)
}

/** A change as the audit log and the mail show it, with masked values. */
const describeChange = (field: WaitingField, current: Current, value: string | null) => ({
  field,
  from: maskPayout(field, waitingValue(current, field)),
  to: maskPayout(field, value),
})

export type WantedPayout = Partial<Record<WaitingField, string | null>>

/**
 * Changes where money goes, under the settings lock. A first value applies at once while debtors could never pay yet; any other
 * change waits. Returns the settings with the values that apply at once, and the pending changes. The caller saves the settings.
 */
export async function changePayout(
  context: PayoutContext,
  row: CompanyRow,
  wanted: WantedPayout,
  atOnce?: 'operator',
): Promise<{ settings: Settings; pending: PendingRow[] }> {
  const { tx, actor, wall, now } = context
  const { companyId, kind, id } = actor
  const current = await readCurrent(tx, row, Object.keys(wanted) as WaitingField[])
  let { settings } = current
  const pending = new Map(row.pending.map(change => [change.field, change]))
  const events: NewEvent[] = []
  // The state before this request, so that all fields of a first request apply at once.
  const isPayoutKnown = settings.first_payout_at !== null
  for (const [field, value] of Object.entries(wanted) as [WaitingField, string | null][]) {
    const waiting = pending.get(field)
    const verdict = judgePayoutChange({
      current: waitingValue(current, field),
      pending: atOnce ? undefined : waiting,
      wanted: value,
      isPayoutKnown,
    })
    if (verdict === 'unchanged' && !(atOnce && waiting)) continue
    if (waiting) {
      pending.delete(field)
      const replaced = { ...describeChange(field, current, waiting.value), because: 'replaced' as const }
      events.push(newEvent(payoutWithdrawn, companyId, replaced))
    }
    if (verdict === 'unchanged') continue
    const about = describeChange(field, current, value)
    if (atOnce || verdict === 'at_once') {
      settings = withWaitingValue(settings, field, value)
      if (field === 'logo') saveLogo(tx, value, now)
      events.push(newEvent(payoutApplied, companyId, { ...about, because: atOnce ?? 'first_value' }))
    } else {
      const effectiveAt = wall + payoutWaitMs
      pending.set(field, { field, value, requestedBy: { kind, id }, requestedAt: wall, effectiveAt })
      events.push(newEvent(payoutRequested, companyId, { ...about, effectiveAt: iso(effectiveAt) }))
    }
  }
  const gone = row.pending.map(({ field }) => field).filter(field => !pending.has(field))
  if (gone.length > 0) tx.atCommit(deleteChanges, [gone])
  for (const change of pending.values())
    if (!row.pending.includes(change))
      tx.atCommit(upsertChange, [
        change.field,
        change.value,
        JSON.stringify(change.requestedBy),
        iso(change.requestedAt),
        iso(change.effectiveAt),
      ])
  await publish(context, events)
  return { settings, pending: [...pending.values()] }
}

const shareOwner = sql(
  'companies.share-owner',
  `select role, coalesce(role_since, created_at) as owner_since from memberships
    where person_id = $1 and company_id = $2 for share`,
).as<{ role: Role; owner_since: number }>()

/** Refuses any caller other than an owner of the company in their own session. Returns since when they are an owner. */
async function requireOwner(tx: Tx, actor: Actor, fields: readonly WaitingField[]): Promise<number> {
  // Freshness is asked by who needs it.
  if (!mayDo(payoutAccess, actor, null).allowed) throw payoutByOwnersOnly.make(fields)
  const [member] = await tx.rows(shareOwner, [actor.id, actor.companyId])
  if (member?.role !== 'owner') throw payoutByOwnersOnly.make(fields)
  return member.owner_since
}

/** The same, with a fresh sign-in. */
export async function requireFreshOwner(
  tx: Tx,
  actor: Actor,
  wall: number,
  fields: readonly WaitingField[],
): Promise<number> {
  const ownerSince = await requireOwner(tx, actor, fields)
  if (!mayDo(payoutAccess, actor, wall).allowed) throw freshSignInNeeded.make(fields)
  return ownerSince
}

type PersonContext = PayoutContext & { readonly actor: Actor }

const requirePending = (row: CompanyRow, field: WaitingField): PendingRow => {
  const change = row.pending.find(one => one.field === field)
  if (!change) throw noPendingChange.make()
  return change
}

/** Applies changes that waited long enough or were confirmed. */
function applyChanges(
  context: PayoutContext,
  current: Current,
  changes: readonly PendingRow[],
  because: 'waited' | 'confirmed',
): NewEvent[] {
  const { tx, actor, now } = context
  let { settings } = current
  const events = changes.map(({ field, value }) => {
    const about = { ...describeChange(field, current, value), because }
    settings = withWaitingValue(settings, field, value)
    if (field === 'logo') saveLogo(tx, value, now)
    return newEvent(payoutApplied, actor.companyId, about)
  })
  tx.atCommit(deleteChanges, [changes.map(({ field }) => field)])
  saveSettings(context, actor, settings)
  return events
}

/** A second owner confirms: the change applies at once. */
export async function confirmPayoutChange(context: PersonContext, field: WaitingField): Promise<void> {
  const { tx, actor, wall, now } = context
  const row = await lockSettings(tx, actor, now)
  const ownerSince = await requireFreshOwner(tx, actor, wall, [field])
  const change = requirePending(row, field)
  const requestedBy = change.requestedBy.kind === 'person' ? change.requestedBy.id : null
  const verdict = mayConfirmPayout({ requestedBy, personId: actor.id, ownerSince, wall })
  if (!verdict.allowed) throw (verdict.because === 'own_change' ? ownChange : newOwner).make(field)
  const current = await readCurrent(tx, row, [field])
  const about = describeChange(field, current, change.value)
  await publish(context, [
    newEvent(payoutConfirmed, actor.companyId, about),
    ...applyChanges(context, current, [change], 'confirmed'),
  ])
}

/** Any owner can withdraw a pending change. No fresh sign-in is needed, so that a wrong account is stopped without delay. */
export async function withdrawPayoutChange(context: PersonContext, field: WaitingField): Promise<void> {
  const { tx, actor, now } = context
  const row = await lockSettings(tx, actor, now)
  await requireOwner(tx, actor, [field])
  const change = requirePending(row, field)
  tx.atCommit(deleteChanges, [[field]])
  const current = await readCurrent(tx, row, [field])
  const about = { ...describeChange(field, current, change.value), because: 'withdrawn' as const }
  await publish(context, [newEvent(payoutWithdrawn, actor.companyId, about)])
}

// Ids begin with their time, so the partial index of these event types finds it.
const hasNewPassword = sql(
  'companies.find-new-password',
  `select 1 as found from audit_log
    where tenant_id = current_setting('relance.tenant')::uuid and id >= $2 and type = 'person.password_changed' and subject_id = $1
      and split_part(type, '.', 1) in ('api_key', 'company', 'member', 'oauth_client', 'oauth_grant', 'person', 'webhook')
    limit 1`,
)

/** Whether the requester is no longer an owner, or has a new password since: the request may not have been theirs. */
async function hasRequesterEnded(
  tx: Tx,
  owners: readonly string[],
  { requestedBy, requestedAt }: PendingRow,
): Promise<boolean> {
  if (requestedBy.kind !== 'person') return false
  if (!owners.includes(requestedBy.id)) return true
  return (await tx.rows(hasNewPassword, [requestedBy.id, lowestIdOf(requestedAt)])).length > 0
}

/** Applies the changes of one tenant that have waited long enough. Changes of a requester who no longer counts are withdrawn. */
export async function applyWaitedChanges(context: PayoutContext): Promise<void> {
  const { tx, actor } = context
  const row = await lockSettings(tx, actor, context.now)
  const owners = await readOwners(tx.rows, actor.companyId)
  const fields = row.pending.map(({ field }) => field)
  const current = await readCurrent(tx, row, fields)
  const [applied, ended]: [PendingRow[], PendingRow[]] = [[], []]
  for (const change of row.pending.filter(({ effectiveAt }) => effectiveAt <= context.wall))
    ((await hasRequesterEnded(tx, owners, change)) ? ended : applied).push(change)
  if (ended.length > 0) {
    tx.atCommit(deleteChanges, [ended.map(({ field }) => field)])
    const withdrawn = ended.map(({ field, value }) => {
      const about = { ...describeChange(field, current, value), because: 'requester_ended' as const }
      return newEvent(payoutWithdrawn, actor.companyId, about)
    })
    await publish(context, withdrawn)
  }
  if (applied.length > 0) await publish(context, applyChanges(context, current, applied, 'waited'))
}
