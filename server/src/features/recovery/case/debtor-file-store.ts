import type { Channel, ClosedBecause } from '../../../domain/contact/channel.ts'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import { answers } from '../../../domain/recovery/cascade.ts'
import { situations } from '../../../domain/recovery/told.ts'
import type { LocalDate } from '../../../domain/time.ts'
import type { Environment } from '../../../kit/actor.ts'
import { readTogether } from '../../../kit/db/group.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { CollectorIdentity } from '../../access/companies/installation.ts'
import { type Mediator, mediatorSql } from '../../access/companies/mediator.ts'
import { type StopReason, stopReasonSql } from '../../access/companies/stops.ts'
import type { DailyLimits } from '../../access/daily-limits.ts'
import type { Tier } from '../../access/tiers.ts'
import { lockAgenda } from './agenda-store.ts'

export interface RecentContact {
  at: number
  channel: Channel
  communicationId: string
  /** The message is reserved or being sent: it is not known yet whether it becomes a contact. */
  isOpen: boolean
}

export interface DebtorFile
  extends Pick<
    Tables['debtors'],
    | 'id'
    | 'name'
    | 'email'
    | 'phone'
    | 'address'
    | 'postal_code'
    | 'city'
    | 'country'
    | 'insolvency_kind'
    | 'insolvency_opened_on'
    | 'paused_at'
    | 'paused_until'
  > {
  type: DebtorType
  language: 'fr' | 'en'
  environment: Environment
  /** Why nothing is sent for the company; null if it may be. */
  stop_reason: StopReason | null
  tier: Tier
  /** What the operator set instead of the limits of the tier. */
  daily_limits: DailyLimits
  creditor: {
    name: string
    replyEmail: string
    address: string | null
    postalCode: string | null
    city: string | null
    country: string
    siren: string | null
    legalForm: string | null
    rcs: string | null
    /** Who settles disputes with consumers. */
    mediator: Mediator | null
    telephone: string | null
    iban: string | null
    /** Whose account it is. */
    accountHolder: string
    mayNameCourt: boolean
    claimsLatePayment: boolean
    contractRateBps: number | null
    /** Who recovers on the creditor's mandate; null: the creditor itself. */
    collector: (CollectorIdentity & { mandateSignedOn: LocalDate }) | null
    perWeek: number
    perMonth: number
  }
  points: Buffer[]
  /** Recent contacts of the person through any debtor record with the same address. */
  contacts: RecentContact[]
  /** The latest contacts of this debtor, up to thirty, which is more than any cap counts. */
  month: RecentContact[]
  closed: { channel: Channel; because: ClosedBecause }[]
  /** The debtor answered, and the creditor has not read the reply. */
  has_unread_reply: boolean
  /** The debtor reported a situation, and nobody has decided what it means. */
  has_situation: boolean
  /** Channels without a provider. */
  missing: Channel[]
  /** Providers that failed and have not answered since. Until it has failed often enough, a provider has no `until`. */
  failures: { channel: Channel; since: number; until: number | null }[]
  /** Channels whose provider the operator stopped. */
  stopped: { channel: Channel; since: number }[]
}

// SQL parts for queries about how a debtor `d` of a tenant `t` can be reached; `n` is the installation.
export const pointsOfDebtorSql = `cross join lateral (select contact_points(d.tenant_id, d.id, d.email_key, d.phone) as points offset 0) p`

export const closedChannelsSql = `cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'because', because)), '[]') as closed
         from unnest(p.points) as own(point)
        cross join lateral (select channel, because from closed_points where point = own.point offset 0) shut) x`

const failuresSql = `cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('channel', o.channel, 'since', floor(extract(epoch from o.since) * 1000),
                'until', floor(extract(epoch from o.until) * 1000))), '[]') as failures
         from provider_outages o where t.environment = 'production' and o.provider = n.providers ->> o.channel) f
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('channel', named.key, 'since', floor(extract(epoch from held.since) * 1000))), '[]') as stopped
         from jsonb_each_text(n.providers) named
        cross join lateral (select since from stops where target = named.value and ended_at is null offset 0) held
        where t.environment = 'production') z`

export const missingChannelsSql = `case when t.environment = 'production' then n.missing_channels else '{}' end`

// A request about personal data holds as a pause without an end does.
/** The debtor, the creditor, and the recent contacts of this person through any debtor record with the same address. */
// Each `offset 0` forces the planner to do one index lookup per point. With stale statistics it would otherwise read every
// slot of the tenant and compute the points again for each of them.
const debtorFileSql = (source: string) => `
   select d.id, d.name, d.email, d.phone, d.address, d.postal_code, d.city, d.country, d.type, d.language, d.insolvency_kind,
          d.insolvency_opened_on, coalesce(d.restricted_at, d.paused_at) as paused_at,
          case when d.restricted_at is null then d.paused_until end as paused_until, t.environment, ${stopReasonSql} as stop_reason, c.tier, c.daily_limits,
          ${missingChannelsSql} as missing,
          jsonb_build_object('name', coalesce(s.legal_name, c.name), 'replyEmail', coalesce(s.reply_email, c.reply_email),
            'address', s.address, 'postalCode', s.postal_code, 'city', s.city, 'country', c.country, 'siren', s.siren, 'legalForm', s.legal_form,
            'rcs', s.rcs, 'mediator', ${mediatorSql}, 'telephone', s.telephone, 'iban', s.iban,
            'accountHolder', coalesce(s.account_holder, s.legal_name, c.name),
            'mayNameCourt', coalesce(s.court_consent, false), 'claimsLatePayment', coalesce(s.claims_late_payment, true),
            'contractRateBps', s.contract_rate_bps, 'collector', case when c.mandate_signed_on is not null then n.collector || jsonb_build_object('mandateSignedOn', c.mandate_signed_on) end, 'perWeek', coalesce(s.contacts_per_week, 2),
            'perMonth', coalesce(s.contacts_per_month, 8)) as creditor,
          p.points, k.contacts, m.month, x.closed, f.failures, z.stopped,
          coalesce((select true from replies y where y.debtor_id = d.id and y.read_at is null limit 1), false) as has_unread_reply,
          coalesce((select true from replies y
             where y.debtor_id = d.id and y.read_at is null and y.said = any ('{${situations}}') limit 1), false) as has_situation
     from ${source}
     join tenants t on t.id = d.tenant_id
     cross join installation n
     join companies c on c.id = t.company_id
     left join company_settings s on s.tenant_id = d.tenant_id
     ${pointsOfDebtorSql}
     cross join lateral (
       select coalesce(jsonb_agg(distinct jsonb_build_object('at', floor(extract(epoch from at) * 1000), 'channel', channel,
                'communicationId', communication_id, 'isOpen', is_open)), '[]') as contacts
         from unnest(p.points) as own(point)
        cross join lateral (
          select at, channel, communication_id,
                 coalesce((select c.state in ('reserved', 'sending') from communications c where c.id = communication_id), false) as is_open
            from contact_slots where point = own.point and counts offset 0) held) k
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('at', floor(extract(epoch from at) * 1000), 'channel', channel,
                'communicationId', id, 'isOpen', state in ('reserved', 'sending'))), '[]') as month
         from (select coalesce(sent_at, reserved_at) as at, channel, id, state from communications
                where debtor_id = d.id and state in ('reserved', 'sending', 'sent', 'delivered', 'unknown')
                  and step <> all ('{${answers}}')
                order by reserved_at desc limit 30) recent) m
     ${closedChannelsSql}
     ${failuresSql}`

export const selectDebtorFile = sql(
  'case.get-debtor-file',
  `${debtorFileSql('debtors d')} where d.id = $1`,
).as<DebtorFile>()

export const selectDebtorFiles = sql(
  'case.get-debtor-files',
  debtorFileSql(
    'unnest($1::uuid[]) as wanted(id) cross join lateral (select * from debtors where id = wanted.id offset 0) d',
  ),
).as<DebtorFile>()

readTogether(selectDebtorFile, selectDebtorFiles, 'id')

/** The first statements of every transaction under a debtor's lock: lock the agenda, then read the file, in one pipeline. */
export const lockAndLoadDebtor = (tenantId: string, debtorId: string) =>
  [
    [lockAgenda, [tenantId, debtorId]],
    [selectDebtorFile, [debtorId]],
  ] as const
