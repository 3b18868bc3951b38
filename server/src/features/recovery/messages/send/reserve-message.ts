import type { Channel } from '../../../../domain/contact/channel.ts'
import type { ContactFile } from '../../../../domain/contact/contact-rules.ts'
import { isAnswer } from '../../../../domain/recovery/cascade.ts'
import type { Instant } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { noContactSql } from '../../agenda/plan-columns.ts'
import { withContact } from '../../case/debtor-file.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import { selectContent } from '../compose/content-store.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type Claim, claimColumns, claimMessage } from './claim.ts'

/** The message that a wake-up chose. */
export interface ChosenMessage {
  channel: Channel
  step: string
  leadInvoiceId: string
  /** The invoices of the message; empty for an extra message, which has `extraId` instead. */
  invoiceIds: readonly string[]
  /** The invoices for which it is the formal notice. */
  noticeIds: readonly string[]
  extraId: string | null
  points: readonly Buffer[]
  zone: string
  notAfter: Instant
}

/** The debtor it is for, under its lock. */
export interface LockedDebtor {
  tenantId: string
  debtorId: string
  /** The current generation of the agenda; the reservation ends it. */
  generation: number
  file: DebtorFile
  rules: ContactFile
  offsetMs: number
  now: Instant
  wall: number
}

// The slots come first: if one of them is taken, the rest of the statement does nothing and the caller rolls back.
const insertReservation = sql(
  'messages.reserve',
  `with slot as (
     insert into contact_slots (tenant_id, point, channel, local_day, at, zone, cooldown, counts, communication_id)
     select $1, decode(point, 'hex'), $5, ($8::timestamptz at time zone $9)::date, $8, $9,
            tstzrange($8, $8::timestamptz + interval '72 hours 15 minutes'), true, $2
       from unnest($10::text[]) as point
     on conflict do nothing
     returning 1),
   free as (select count(*) = cardinality($10::text[]) as yes from slot),
   communication as (
     insert into communications (tenant_id, id, debtor_id, wake_generation, channel, step, state, not_after, verdict, reserved_at, lead_invoice_id,
       token, lease_until, provider, recipient_point)
     select $1, $2, $3, $4, $5, $6, case when $17::uuid is null then 'reserved' else 'sending' end, $11, $20, $8, $14, $17, $18, $19, $21
       from free where yes),
   extra as (
     update extra_messages set communication_id = $2 from free where yes and id = $13
     returning invoice_id),
   served as (
     insert into communication_invoices (tenant_id, communication_id, invoice_id, as_notice)
     select $1, $2, invoice_id, invoice_id = any ($15::uuid[]) from free, unnest($7::uuid[]) as invoice_id where yes
     union all select $1, $2, invoice_id, false from extra),
   moved as (
     update recoveries set communication_id = $2 from free where yes and invoice_id = any ($7::uuid[])),
   pending as (
     insert into pending_sends (tenant_id, communication_id, debtor_id, reclaim_at, taken_by) select $1, $2, $3, $12, $16 from free where yes),
   agenda as (
     update agendas set wake_generation = wake_generation + 1, attempts = 0, wake_at = null, wake_because = null,
         ${noContactSql}, plan_generation = wake_generation + 1, acted_at = $8
       from free where yes and tenant_id = $1 and debtor_id = $3)
   select yes as is_free from free`,
).as<{ is_free: boolean }>()

/**
 * Takes the slots, inserts the message and, if it may, claims it in the same commit. `slot_taken` and `cannot_claim`: the
 * transaction must be rolled back, because another message holds a slot, or because the message may not be sent now.
 */
export async function reserveMessage(
  tx: Tx,
  worker: WorkerContext,
  { tenantId, debtorId, generation, file, rules, offsetMs, now, wall }: LockedDebtor,
  chosen: ChosenMessage,
  mayClaim: boolean,
): Promise<{ communicationId: string; claim: Claim | null } | 'slot_taken' | 'cannot_claim'> {
  const id = worker.newId()
  const adapter = worker.channelsFor({ id: tenantId, environment: file.environment })[chosen.channel]
  const columns =
    mayClaim && adapter ? claimColumns(worker, adapter, { rules, file }, chosen, { now, wall }) : null
  const [[reserved], [content]] = await Promise.all([
    tx.rows(insertReservation, [
      tenantId,
      id,
      debtorId,
      generation,
      chosen.channel,
      chosen.step,
      chosen.invoiceIds,
      iso(now),
      chosen.zone,
      chosen.points.map(point => point.toString('hex')),
      iso(chosen.notAfter),
      iso(wall + worker.reclaimAfterMs),
      chosen.extraId,
      chosen.leadInvoiceId,
      chosen.noticeIds,
      worker.workerId,
      columns?.token ?? null,
      columns && iso(columns.leaseUntil),
      columns?.provider ?? null,
      JSON.stringify(columns?.verdict ?? {}),
      columns?.recipientPoint ?? null,
    ]),
    columns ? tx.rows(selectContent, [id, debtorId]) : [],
  ])
  if (!reserved!.is_free) return 'slot_taken'
  if (!columns) return { communicationId: id, claim: null }
  if (!content) return 'cannot_claim'
  const { step, channel, notAfter, points } = chosen
  const contact = { at: now, channel, communicationId: id, isOpen: true }
  const known = { file: isAnswer(step) ? file : withContact(file, contact), generation: generation + 1 }
  const message = {
    id,
    step,
    channel,
    code: null,
    not_after: notAfter,
    is_stopped: false,
    points: [...points],
  }
  const claim = claimMessage(tx, worker, {
    ...{ tenantId, debtorId, offsetMs, message, content, file, rules, known, now, wall },
    token: columns.token,
    isFirst: true,
  })
  return 'obstacle' in claim ? 'cannot_claim' : { communicationId: id, claim }
}
