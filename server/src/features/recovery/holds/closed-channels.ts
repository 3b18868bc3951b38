import { z } from 'zod'
import { type Channel, channels, channelsOf, closedBecauses } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ActorRef } from '../../../kit/events.ts'
import { lookAtSharing } from '../case/agenda-store.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import { addActions } from '../case/history.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import { lockAgendas } from './hold-debtor.ts'

export const closedChannels = z
  .array(z.object({ channel: z.enum(channels), because: z.enum(closedBecauses) }))
  .meta({ description: 'Where the debtor is not contacted any more, and why' })
type ClosedChannel = z.output<typeof closedChannels>[number]

type Address = 'email' | 'phone'

/** The position of each point in the array that the SQL function `contact_points` returns. */
const pointPositions = { debtor: 1, email: 2, phone: 3 } as const

export const addressOf: Record<Channel, Address | null> = {
  email: 'email',
  sms: 'phone',
  voice: 'phone',
  lrar: null,
}

const readAddresses = sql(
  'holds.get-addresses',
  'select email_key as email, phone from debtors where id = $1',
)
const findByEmail = sql('holds.find-by-email', 'select id from debtors where email_key = $1')
const findByPhone = sql('holds.find-by-phone', 'select id from debtors where phone = $1')

async function findSharingDebtors(tx: Tx, debtorId: string, address: Address | null): Promise<string[]> {
  const [own] = await tx.rows(readAddresses, [debtorId])
  if (!own) return []
  const value = address && own[address]
  const others = value ? await tx.rows(address === 'email' ? findByEmail : findByPhone, [value]) : []
  return [...new Set([debtorId, ...others.map(row => row.id)])]
}

/** Locks the agendas of all debtors that share an address with this one, itself included; empty if the debtor is unknown. */
export async function lockSharingDebtors(
  context: OperationContext,
  debtorId: string,
  address: Address | null,
): Promise<readonly string[]> {
  const lockedIds = await findSharingDebtors(context.tx, debtorId, address)
  await lockAgendas(context, lockedIds)
  // A debtor that got the same address in the meantime is not locked. Its next wake-up will find the channel closed.
  return (await findSharingDebtors(context.tx, debtorId, address)).filter(id => lockedIds.includes(id))
}

const pointsSql = 'contact_points(d.tenant_id, d.id, d.email_key, d.phone)'
// Of two reasons at one point the stronger one stays: `wrong_person`, then `opt_out`, then `refused`.
const deleteWeaker = sql(
  'holds.reopen-channel',
  `delete from closed_points
    where point = any (array(select (${pointsSql})[place] from debtors d cross join unnest($2::integer[]) place where d.id = $1))
      and channel = any ($3::text[]) and because = any ($4::text[])`,
)
const insertClosedPoints = sql(
  'holds.close-channel',
  `insert into closed_points (tenant_id, point, channel, because, created_at)
   select d.tenant_id, p.points[place], channel, $4, $5
     from debtors d
     cross join lateral (select ${pointsSql} as points offset 0) p
     cross join unnest($2::integer[]) place
     cross join unnest($3::text[]) channel
    where d.id = $1 and p.points[place] is not null
   on conflict (tenant_id, point, channel) do nothing`,
)
const selectClosedChannels = sql(
  'holds.list-closed-channels',
  `select distinct shut.channel, shut.because
     from debtors d
     cross join lateral unnest(${pointsSql}) as own(point)
     cross join lateral (select channel, because from closed_points where point = own.point offset 0) shut
    where d.id = $1 order by shut.channel, shut.because`,
).as<ClosedChannel>()

/** Closes a channel for the person: for the debtor record and for the address that the channel uses. */
export async function closeChannelFor(
  { tx, now }: OperationContext,
  debtorId: string,
  channel: Channel,
): Promise<void> {
  const address = addressOf[channel]
  const positions =
    address === null ? [pointPositions.debtor] : [pointPositions.debtor, pointPositions[address]]
  await tx.rows(deleteWeaker, [debtorId, positions, [channel], ['refused']])
  await tx.rows(insertClosedPoints, [debtorId, positions, [channel], 'opt_out', iso(now)])
}

const markEmail = sql('holds.mark-wrong-email', 'update debtors set wrong_person = true where email_key = $1')
const markPhone = sql('holds.mark-wrong-phone', 'update debtors set wrong_person = true where phone = $1')

/**
 * Closes an address that belongs to the wrong person, for every debtor that has it; false if the debtor has no such address.
 */
export async function blockAddress(
  { tx, now }: OperationContext,
  debtorId: string,
  address: Address,
): Promise<boolean> {
  const [own] = await tx.rows(readAddresses, [debtorId])
  const value = own?.[address]
  if (!value) return false
  const channelsToClose = channelsOf[address]
  await tx.rows(deleteWeaker, [debtorId, [pointPositions[address]], channelsToClose, ['opt_out', 'refused']])
  await tx.rows(insertClosedPoints, [
    debtorId,
    [pointPositions[address]],
    channelsToClose,
    'wrong_person',
    iso(now),
  ])
  await tx.rows(address === 'email' ? markEmail : markPhone, [value])
  return true
}

const insertRefused = sql(
  'holds.refuse-address',
  `insert into closed_points (tenant_id, point, channel, because, created_at)
   select $1, $2, channel, 'refused', $4 from unnest($3::text[]) channel on conflict do nothing`,
)

/** The point that a message on this channel goes to; a letter goes to the postal address of the record. */
export const pointOf = ({ points }: Pick<DebtorFile, 'points'>, channel: Channel): Buffer | undefined =>
  points[pointPositions[addressOf[channel] ?? 'debtor'] - 1]

/** The channels that a refused message closes: a number that cannot be called gets no text message either. */
export const refusedWith = (channel: Channel): readonly Channel[] =>
  channel === 'voice' ? channelsOf.phone : [channel]

interface RefusedAddress {
  tenantId: string
  debtorId: string
  channel: Channel
  point: Buffer
  /** The debtor still has it. */
  isCurrent: boolean
  /** When the records with that address are looked at, by our clock. */
  lookAt: number
}

/**
 * An address refused a message: what needs it waits until a person corrects it, or lets it be tried again. Runs at the end of the
 * transaction, after the agenda is refreshed.
 */
export function refuseAddress(
  { tx, actor, now, newId }: Pick<OperationContext, 'tx' | 'now' | 'newId'> & { actor: ActorRef },
  { tenantId, debtorId, channel, point, isCurrent, lookAt }: RefusedAddress,
): void {
  tx.atCommit(insertRefused, [tenantId, point, refusedWith(channel), iso(now)])
  if (!isCurrent) return
  addActions(tx, [
    {
      id: newId(),
      invoiceId: null,
      debtorId,
      actor,
      action: 'address_refused',
      channel,
      status: 'done',
      code: 'address_refused',
      params: { channel },
      communicationId: null,
      at: now,
    },
  ])
  tx.atCommit(lookAtSharing, [tenantId, debtorId, channel, iso(lookAt)])
}

/** The address of the debtor on this channel may be used again; a stronger reason why it is closed stays. */
export async function reopenRefused(tx: Tx, debtorId: string, channel: Channel): Promise<void> {
  const address = addressOf[channel]
  const reopened = address === null ? [channel] : channelsOf[address]
  await tx.rows(deleteWeaker, [debtorId, [pointPositions[address ?? 'debtor']], reopened, ['refused']])
}

export const readClosedChannels = (tx: Tx, debtorId: string): Promise<ClosedChannel[]> =>
  tx.rows(selectClosedChannels, [debtorId])
