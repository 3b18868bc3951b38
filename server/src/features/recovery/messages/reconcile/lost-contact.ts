import type { Channel } from '../../../../domain/contact/channel.ts'
import {
  addDays,
  type Instant,
  instantOf,
  type LocalDate,
  localTime,
  weekday,
} from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { plainSha256 } from '../../../../kit/crypto.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { idle, scheduleWakes } from '../../agenda/schedule-wakes.ts'
import { contactFile } from '../../case/debtor-file.ts'
import { lockAndLoadDebtor } from '../../case/debtor-file-store.ts'
import { appendToLedger, digestOf, findOrCreateSalt, recipientOf } from '../settle/ledger.ts'
import { readSalts } from '../settle/salt-store.ts'
import type { WorkerContext } from '../worker-context.ts'

/** A message that was sent, or may have been sent, and whose record was lost with a database. */
export interface LostContact {
  /** The same for the same contact, however often it is found. */
  key: string
  channel: Channel
  /** Real time. */
  at: Instant
  provider: string
  /** Null: it is not known whether it was sent. */
  providerId: string | null
}

/** Replaces the step of the cascade, which is not known. */
const lostStep = 'lost_record'

const insertLost = sql(
  'messages.insert-lost-contact',
  `insert into communications (tenant_id, id, debtor_id, wake_generation, channel, step, state, not_after, verdict, reserved_at, sent_at, settled_at,
     provider, provider_id, reason)
   values ($1, $2, $3, 0, $4, '${lostStep}', $5, $6, '{}', $6, case when $5 = 'sent' then $6::timestamptz end, $7, $8, $9, 'its record was lost')
   on conflict do nothing returning id`,
)
// A slot that is taken stays with its contact: the day is blocked anyway.
const insertSlots = sql(
  'messages.insert-lost-slots',
  `insert into contact_slots (tenant_id, point, channel, local_day, at, zone, cooldown, counts, communication_id)
   select $1, decode(point, 'hex'), $3, ($4::timestamptz at time zone $5)::date, $4, $5,
          tstzrange($4, $4::timestamptz + interval '72 hours 15 minutes'), true, $2
     from unnest($6::text[]) as point
   on conflict do nothing`,
)

/** The same id for the same key (RFC 9562, version 8). */
function idOf(key: string): string {
  const bytes = plainSha256(key).subarray(0, 16)
  bytes[6] = 0x80 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const openingMinute = 8 * 60
const closingMinute = 20 * 60 - 1

/** Slots exist only within the contact hours. Providers' clocks differ a little, and an assumed moment may be at any hour. */
function withinHours(zone: string, at: Instant): Instant {
  const { date } = localTime(zone, at)
  const closing = (day: LocalDate) => instantOf(zone, day, closingMinute)
  if (weekday(date) === 7) return closing(addDays(date, -1))
  return Math.min(Math.max(at, instantOf(zone, date, openingMinute)), closing(date))
}

/**
 * Records that a debtor was contacted: a communication without invoices, the slots that prevent another contact too soon, and
 * an entry of the ledger. No step advances: it is not known which one was sent, and steps with legal effect must not be lost.
 * Waiting steps are planned again by the rules. False: it is already recorded.
 */
export const recordLostContact = (
  worker: Pick<WorkerContext, 'pool' | 'clock' | 'newSalt'>,
  { tenantId, debtorId }: { tenantId: string; debtorId: string },
  { key, channel, at, provider, providerId }: LostContact,
): Promise<boolean> =>
  transact(
    worker.pool,
    asWorker(tenantId),
    [...lockAndLoadDebtor(tenantId, debtorId), [readSalts, [[debtorId]]]],
    async ({ tx, openingRows, offsetMs }) => {
      const [[agenda], [file], [foundSalt]] = openingRows
      if (!file) return false
      const id = idOf(`${tenantId} ${debtorId} ${key}`)
      const moment = at + offsetMs
      const outcome = providerId === null ? 'unknown' : 'accepted'
      const inserted = await tx.rows(insertLost, [
        tenantId,
        id,
        debtorId,
        channel,
        providerId === null ? 'unknown' : 'sent',
        iso(moment),
        iso(worker.clock.wall() + offsetMs),
        provider,
        providerId,
      ])
      if (inserted.length === 0) return false
      const zone = contactFile(file, null).calendar?.zones[0] ?? 'UTC'
      const slotAt = iso(withinHours(zone, moment))
      const points = file.points.map(point => point.toString('hex'))
      tx.atCommit(insertSlots, [tenantId, id, channel, slotAt, zone, points])
      const ids = { tenantId, debtorId }
      // A debtor without an invoice has no agenda, and with it no chain.
      if (!agenda) scheduleWakes(tx, { tenantId, environment: file.environment }, [{ debtorId, ...idle }])
      const salt = findOrCreateSalt(tx, ids, foundSalt, worker.newSalt)
      appendToLedger(tx, ids, agenda ?? { chain_head: null, chain_length: 0 }, {
        kind: 'contact',
        communicationId: id,
        channel,
        step: lostStep,
        at: iso(moment),
        fate: outcome,
        verdict: null,
        invoices: 0,
        recipient: digestOf(salt, recipientOf(file, channel)),
        message: null,
      })
      return true
    },
  )
