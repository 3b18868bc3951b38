import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { World } from '../case/case.ts'
import { lockAgendas } from './hold-debtor.ts'

export const closedChannels = z
  .array(z.object({ channel: z.enum(channels), because: z.enum(['opt_out', 'wrong_person']) }))
  .meta({ description: 'Where the debtor is not contacted any more, and why' })
type ClosedChannel = z.output<typeof closedChannels>[number]

type Address = 'email' | 'phone'

/** The place of each point in what `contact_points` answers. */
const places = { debtor: 1, email: 2, phone: 3 } as const

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
const havingEmail = sql('holds.find-by-email', 'select id from debtors where email_key = $1')
const havingPhone = sql('holds.find-by-phone', 'select id from debtors where phone = $1')

async function sharing(tx: Tx, debtorId: string, address: Address | null): Promise<string[]> {
  const [own] = await tx.rows(readAddresses, [debtorId])
  if (!own) return []
  const value = address && own[address]
  const others = value ? await tx.rows(address === 'email' ? havingEmail : havingPhone, [value]) : []
  return [...new Set([debtorId, ...others.map(row => row.id)])]
}

/** Every record that shares an address with a debtor, itself included, with their agendas locked; empty when it is unknown. */
export async function lockSharing(
  world: World,
  debtorId: string,
  address: Address | null,
): Promise<readonly string[]> {
  const seen = await sharing(world.tx, debtorId, address)
  await lockAgendas(world, seen)
  // A record that came to share it since is not locked: whoever looks at it next finds the channel closed.
  return (await sharing(world.tx, debtorId, address)).filter(id => seen.includes(id))
}

const points = 'contact_points(d.tenant_id, d.id, d.email_key, d.phone)'
// A person who is not the one meant may have opted out before; the stronger reason takes its place.
const reopen = sql(
  'holds.reopen-channel',
  `delete from closed_points
    where point = (select (${points})[$2::integer] from debtors d where d.id = $1) and channel = any ($3::text[]) and because = 'opt_out'`,
)
const close = sql(
  'holds.close-channel',
  `insert into closed_points (tenant_id, point, channel, because, created_at)
   select d.tenant_id, p.points[place], channel, $4, $5
     from debtors d
     cross join lateral (select ${points} as points offset 0) p
     cross join unnest($2::integer[]) place
     cross join unnest($3::text[]) channel
    where d.id = $1 and p.points[place] is not null
   on conflict (tenant_id, point, channel) do nothing`,
)
const read = sql(
  'holds.list-closed-channels',
  `select distinct shut.channel, shut.because
     from debtors d
     cross join lateral unnest(${points}) as own(point)
     cross join lateral (select channel, because from closed_points where point = own.point offset 0) shut
    where d.id = $1 order by shut.channel, shut.because`,
).as<ClosedChannel>()

/** For the person: the record and the address the channel uses. */
export async function closeFor({ tx, now }: World, debtorId: string, channel: Channel): Promise<void> {
  const address = addressOf[channel]
  const where = address === null ? [places.debtor] : [places.debtor, places[address]]
  await tx.rows(close, [debtorId, where, [channel], 'opt_out', iso(now)])
}

const markEmail = sql('holds.mark-wrong-email', 'update debtors set wrong_person = true where email_key = $1')
const markPhone = sql('holds.mark-wrong-phone', 'update debtors set wrong_person = true where phone = $1')

/** For everybody who might be written to at an address that belongs to somebody else; false when there is no such address. */
export async function blockAddress({ tx, now }: World, debtorId: string, address: Address): Promise<boolean> {
  const [own] = await tx.rows(readAddresses, [debtorId])
  const value = own?.[address]
  if (!value) return false
  const shut = channelsOf[address]
  await tx.rows(reopen, [debtorId, places[address], shut])
  await tx.rows(close, [debtorId, [places[address]], shut, 'wrong_person', iso(now)])
  await tx.rows(address === 'email' ? markEmail : markPhone, [value])
  return true
}

export const readClosed = (tx: Tx, debtorId: string): Promise<ClosedChannel[]> => tx.rows(read, [debtorId])
