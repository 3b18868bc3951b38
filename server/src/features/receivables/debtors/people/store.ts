import type { Channel, ClosedBecause } from '../../../../domain/contact/channel.ts'
import type { MainAddresses, PersonChannel, PersonRole } from '../../../../domain/contact/debtor-person.ts'
import { triedStates } from '../../../../domain/contact/message-state.ts'
import type { DebtorType } from '../../../../domain/debtor-type.ts'
import type { Tables } from '../../../../kit/db/schema.generated.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'

export type PersonRow = Pick<
  Tables['debtor_people'],
  'id' | 'name' | 'ground' | 'is_main_email' | 'email' | 'is_main_phone' | 'phone' | 'created_at'
> & { role: PersonRole; language: 'fr' | 'en' | null }

export interface DebtorOfPeople extends MainAddresses {
  id: string
  name: string
  type: DebtorType
  country: string
  is_erased: boolean
}

const debtorSql = `select id, name, type, country, email, phone, language, erased_at is not null as is_erased from debtors where id = $1`
const selectDebtor = sql('debtors.get-of-people', debtorSql).as<DebtorOfPeople>()
/** The debtor whose people are changed. The caller holds the lock of its agenda. */
export const lockDebtor = sql('debtors.lock-of-people', `${debtorSql} for no key update`).as<DebtorOfPeople>()

export const selectPeople = sql(
  'debtors.list-people',
  `select id, name, role, ground, is_main_email, email, is_main_phone, phone, language, created_at
     from debtor_people where debtor_id = $1 order by id`,
).as<PersonRow>()

/** A message to an address. */
export interface UsedPoint {
  kind: PersonChannel
  address: string
  channel: Channel
  state: string
  at: number
}
/** A channel that is closed at an address; null: for the debtor, whatever the address. */
export interface ClosedPoint {
  kind: PersonChannel | null
  address: string | null
  channel: Channel
  because: ClosedBecause
  at: number
}

/** Every address of the debtor and its people, with its point. */
const addressesSql = `
  known as (
    select d.tenant_id, d.id, d.email, d.email_key, d.phone from debtors d where d.id = $1
    union
    select p.tenant_id, p.debtor_id, p.email, p.email_key, p.phone from debtor_people p where p.debtor_id = $1),
  own as (
    select 'email' as kind, email as address, (contact_points(tenant_id, id, email_key, null))[2] as point from known where email is not null
    union
    select 'phone', phone, (contact_points(tenant_id, id, '', phone))[3] from known where phone is not null)`

const selectUsed = sql(
  'debtors.list-used-points',
  `with ${addressesSql}
   select own.kind, own.address, c.channel, c.state, coalesce(c.sent_at, c.reserved_at) as at
     from communications c join own on own.point = c.recipient_point
    where c.debtor_id = $1 and c.state = any ('{${triedStates}}') order by c.reserved_at desc limit 1000`,
).as<UsedPoint>()

const selectClosed = sql(
  'debtors.list-closed-points',
  `with ${addressesSql},
   closable as (
     select kind, address, point from own
     union all
     select null, null, (contact_points(tenant_id, id, '', null))[1] from debtors where id = $1)
   select own.kind, own.address, shut.channel, shut.because, shut.created_at as at
     from closable own cross join lateral (select channel, because, created_at from closed_points where point = own.point offset 0) shut`,
).as<ClosedPoint>()

/** The debtor, its people, and what is known of every address; null if there is no such debtor. */
export async function readPeople(tx: Tx, debtorId: string) {
  const [[debtor], people, used, closed] = await Promise.all([
    tx.rows(selectDebtor, [debtorId]),
    tx.rows(selectPeople, [debtorId]),
    tx.rows(selectUsed, [debtorId]),
    tx.rows(selectClosed, [debtorId]),
  ])
  return debtor ? { debtor, people, facts: { used, closed } } : null
}

export const insertPerson = sql(
  'debtors.insert-person',
  `insert into debtor_people (tenant_id, id, debtor_id, name, role, ground, is_main_email, email, email_key, is_main_phone, phone, language,
     created_at, updated_at)
   select current_setting('relance.tenant')::uuid, x.id, $1, x.name, x.role, x.ground, x.is_main_email, x.email, x.email_key,
          x.is_main_phone, x.phone, x.language, $3, $3
     from jsonb_to_record($2::jsonb) as x(id uuid, name text, role text, ground text, is_main_email boolean, email text, email_key text,
       is_main_phone boolean, phone text, language text)`,
)
export const updatePerson = sql(
  'debtors.update-person',
  `update debtor_people p
      set name = x.name, role = x.role, ground = x.ground, is_main_email = x.is_main_email, email = x.email, email_key = x.email_key,
          is_main_phone = x.is_main_phone, phone = x.phone, language = x.language, updated_at = $2
     from jsonb_to_record($1::jsonb) as x(id uuid, name text, role text, ground text, is_main_email boolean, email text, email_key text,
       is_main_phone boolean, phone text, language text)
    where p.id = x.id`,
)
export const deletePerson = sql('debtors.delete-person', 'delete from debtor_people where id = $1')
