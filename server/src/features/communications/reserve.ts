import type { Channel } from '../../domain/channel.ts'
import { CLOSING_MINUTE } from '../../domain/contact-rules.ts'
import { type Instant, instantOf, localTime, MINUTE } from '../../domain/time.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'

export interface Reservation {
  id: string
  tenantId: string
  debtorId: string
  gen: number
  channel: Channel
  step: string
  invoiceIds: readonly string[]
  points: readonly Buffer[]
  at: Instant
  zone: string
  notAfter: Instant
  redriveAt: number
  verdict: unknown
}

/** A reservation is for now: ten minutes, and never into the last two of the window. */
export const notAfter = (zone: string, now: Instant): Instant =>
  Math.min(now + 10 * MINUTE, instantOf(zone, localTime(zone, now).date, CLOSING_MINUTE) - 2 * MINUTE)

// The slots first: where one of them is taken, nothing else of this statement happens and the caller undoes the rest.
const insert = sql<{ is_free: boolean }>(
  `with slot as (
     insert into contact_slots (tenant_id, point, channel, local_day, at, zone, cool, counts, communication_id)
     select $1, decode(point, 'hex'), $5, ($8::timestamptz at time zone $9)::date, $8, $9,
            tstzrange($8, $8::timestamptz + interval '72 hours 15 minutes'), true, $2
       from unnest($10::text[]) as point
     on conflict do nothing
     returning 1),
   free as (select count(*) = cardinality($10::text[]) as yes from slot),
   communication as (
     insert into communications (tenant_id, id, debtor_id, wake_gen, channel, step, state, not_after, verdict, reserved_at)
     select $1, $2, $3, $4, $5, $6, 'reserved', $11, $13::jsonb, $8 from free where yes),
   served as (
     insert into communication_invoices (tenant_id, communication_id, invoice_id)
     select $1, $2, invoice_id from free, unnest($7::uuid[]) as invoice_id where yes),
   moved as (
     update recoveries set communication_id = $2 from free where yes and invoice_id = any ($7::uuid[])),
   pending as (
     insert into pending_sends (tenant_id, communication_id, debtor_id, redrive_at) select $1, $2, $3, $12 from free where yes),
   agenda as (
     update agendas set wake_gen = wake_gen + 1, attempts = 0, wake_at = null, wake_because = null
       from free where yes and tenant_id = $1 and debtor_id = $3)
   select yes as is_free from free`,
)

/** True when the person's day and channel were free and the message now holds them. False: undo the transaction. */
export async function reserve(tx: Tx, reservation: Reservation): Promise<boolean> {
  const [row] = await tx.rows(insert, [
    reservation.tenantId,
    reservation.id,
    reservation.debtorId,
    reservation.gen,
    reservation.channel,
    reservation.step,
    reservation.invoiceIds,
    iso(reservation.at),
    reservation.zone,
    reservation.points.map(point => point.toString('hex')),
    iso(reservation.notAfter),
    iso(reservation.redriveAt),
    JSON.stringify(reservation.verdict),
  ])
  return row!.is_free
}
