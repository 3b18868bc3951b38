import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import { lockAgendas } from './hold-debtor.ts'

export const closedChannels = z
  .array(z.object({ channel: z.enum(channels), because: z.enum(['opt_out', 'wrong_person', 'erased']) }))
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
export const channelsOf: Record<Address, readonly Channel[]> = { email: ['email'], phone: ['sms', 'voice'] }

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
// The wrong person may have opted out before. The stronger reason, `wrong_person`, replaces `opt_out`.
const deleteOptOuts = sql(
  'holds.reopen-channel',
  `delete from closed_points
    where point = (select (${pointsSql})[$2::integer] from debtors d where d.id = $1) and channel = any ($3::text[]) and because = 'opt_out'`,
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
  await tx.rows(deleteOptOuts, [debtorId, pointPositions[address], channelsToClose])
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

export const readClosedChannels = (tx: Tx, debtorId: string): Promise<ClosedChannel[]> =>
  tx.rows(selectClosedChannels, [debtorId])
