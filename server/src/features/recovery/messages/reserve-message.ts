import type { Channel } from '../../../domain/contact/channel.ts'
import type { Instant } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

export interface Reservation {
  id: string
  tenantId: string
  debtorId: string
  generation: number
  channel: Channel
  step: string
  leadInvoiceId: string
  /** The invoices of the message; empty for an extra message, which has `extraId` instead. */
  invoiceIds: readonly string[]
  /** The invoices for which it is the formal notice. */
  noticeIds: readonly string[]
  extraId: string | null
  points: readonly Buffer[]
  at: Instant
  zone: string
  notAfter: Instant
  reclaimAt: number
  /** The worker that will send it. */
  workerId: string
  /** It is claimed with its reservation; null: it is claimed later, after more invoices joined it. */
  claim: { token: string; leaseUntil: number; provider: string; verdict: object } | null
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
       token, lease_until, provider)
     select $1, $2, $3, $4, $5, $6, case when $17::uuid is null then 'reserved' else 'sending' end, $11, $20, $8, $14, $17, $18, $19
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
     update agendas set wake_generation = wake_generation + 1, attempts = 0, wake_at = null, wake_because = null, wake_slot = null,
         wake_channel = null, acted_at = $8
       from free where yes and tenant_id = $1 and debtor_id = $3)
   select yes as is_free from free`,
).as<{ is_free: boolean }>()

/** True if the slots were free and the message now holds them. False: the transaction must be rolled back. */
export async function reserveMessage(tx: Tx, reservation: Reservation): Promise<boolean> {
  const [row] = await tx.rows(insertReservation, [
    reservation.tenantId,
    reservation.id,
    reservation.debtorId,
    reservation.generation,
    reservation.channel,
    reservation.step,
    reservation.invoiceIds,
    iso(reservation.at),
    reservation.zone,
    reservation.points.map(point => point.toString('hex')),
    iso(reservation.notAfter),
    iso(reservation.reclaimAt),
    reservation.extraId,
    reservation.leadInvoiceId,
    reservation.noticeIds,
    reservation.workerId,
    reservation.claim?.token ?? null,
    reservation.claim && iso(reservation.claim.leaseUntil),
    reservation.claim?.provider ?? null,
    JSON.stringify(reservation.claim?.verdict ?? {}),
  ])
  return row!.is_free
}
