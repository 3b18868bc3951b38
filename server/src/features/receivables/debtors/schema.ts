import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { type DebtorType, debtorTypes } from '../../../domain/debtor-type.ts'
import { declarationStates, insolvencyKinds, reliefUntil } from '../../../domain/recovery/insolvency.ts'
import { debtorHolds, type Hold } from '../../../domain/recovery/recovery-state.ts'
import {
  decisionsFor,
  type Situation,
  situationDecisions,
  situations,
} from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { closedChannels } from '../../recovery/holds/closed-channels.ts'
import { RiskScore } from '../scoring/schema.ts'
import { DebtorAccount } from './account-schema.ts'
import type { Insolvency } from './input-schema.ts'
import { DebtorPeople } from './people/schema.ts'

const debtorActs = [
  'payment',
  'promise',
  'pause',
  'resume',
  'opt_out',
  'correct_address',
  'retry_address',
  'report_situation',
  'decide_situation',
  'record_insolvency',
  'end_insolvency',
] as const

const DebtorAct = z
  .object({
    act: z.enum(debtorActs).meta({ description: 'What may be done' }),
    operation: z.string().meta({ description: 'The operation that does it' }),
    channel: z.enum(channels).nullable().meta({
      description:
        'Of `opt_out`: the channel it would close; of `retry_address`: that of an address that refused a message',
    }),
    allowed: z.boolean().meta({ description: 'Whether it is possible as things stand' }),
    because: z
      .enum([
        'no_open_invoice',
        'insolvent',
        'not_paused',
        'channel_closed',
        'not_refused',
        'no_situation',
        'no_insolvency',
      ])
      .nullable()
      .meta({ description: 'Why not; null if it is allowed' }),
  })
  .meta({ id: 'DebtorAct', description: 'What may be done with a debtor as it stands, or why not' })

/** One act for each refused address, or one that says that there is none. */
const retriesOf = (refused: readonly Channel[]): z.input<typeof DebtorAct>[] => {
  const retry = { act: 'retry_address' as const, operation: 'debtors.retryAddress' }
  return refused.length === 0
    ? [{ ...retry, channel: null, allowed: false, because: 'not_refused' }]
    : refused.map(channel => ({ ...retry, channel, allowed: true, because: null }))
}

/** A pause is always allowed: an existing one gets a new end. So are proceedings: the record of them is changed. */
export const actsOfDebtor = (
  {
    hasOpenInvoice,
    isPaused,
    hasSituation,
    isInsolvent,
  }: Readonly<Record<'hasOpenInvoice' | 'isPaused' | 'hasSituation' | 'isInsolvent', boolean>>,
  closed: readonly { channel: Channel; because: string }[],
): z.input<typeof DebtorAct>[] => [
  {
    act: 'payment',
    operation: 'payments.receive',
    channel: null,
    allowed: hasOpenInvoice,
    because: hasOpenInvoice ? null : 'no_open_invoice',
  },
  {
    act: 'promise',
    operation: 'debtors.promise',
    channel: null,
    allowed: hasOpenInvoice && !isInsolvent,
    because: !hasOpenInvoice ? 'no_open_invoice' : isInsolvent ? 'insolvent' : null,
  },
  { act: 'pause', operation: 'debtors.pause', channel: null, allowed: true, because: null },
  {
    act: 'resume',
    operation: 'debtors.resume',
    channel: null,
    allowed: isPaused,
    because: isPaused ? null : 'not_paused',
  },
  ...channels.map(channel => {
    const isClosed = closed.some(one => one.channel === channel && one.because !== 'refused')
    return {
      act: 'opt_out' as const,
      operation: 'debtors.optOut',
      channel,
      allowed: !isClosed,
      because: isClosed ? ('channel_closed' as const) : null,
    }
  }),
  { act: 'correct_address', operation: 'debtors.update', channel: null, allowed: true, because: null },
  ...retriesOf(closed.flatMap(({ channel, because }) => (because === 'refused' ? [channel] : []))),
  {
    act: 'report_situation',
    operation: 'debtors.reportSituation',
    channel: null,
    allowed: true,
    because: null,
  },
  {
    act: 'decide_situation',
    operation: 'debtors.decideSituation',
    channel: null,
    allowed: hasSituation,
    because: hasSituation ? null : 'no_situation',
  },
  { act: 'record_insolvency', operation: 'debtors.update', channel: null, allowed: true, because: null },
  {
    act: 'end_insolvency',
    operation: 'debtors.update',
    channel: null,
    allowed: isInsolvent,
    because: isInsolvent ? null : 'no_insolvency',
  },
]

const isoDay = z.string().meta({ format: 'date' })

export const Debtor = z
  .object({
    id: outputUuid,
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    siret: z.string().nullable(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    postalCode: z.string().nullable(),
    country: z.string(),
    type: z.enum(debtorTypes),
    language: z.enum(['fr', 'en']),
    timeZone: z
      .string()
      .nullable()
      .meta({ description: 'Where the contact hours are counted; null when the country has no calendar' }),
    holidayRegion: z.string().nullable(),
    contactable: z.boolean().meta({
      description:
        'False when nothing may be sent: no calendar of public holidays covers the country, insolvency proceedings are open, the email or phone belongs to somebody else, or the person was erased',
    }),
    insolvency: z
      .object({
        kind: z.enum(insolvencyKinds),
        openedOn: isoDay,
        publishedOn: isoDay.nullable(),
        court: z.string().nullable(),
        practitioner: z.string().nullable(),
        declareBy: isoDay
          .nullable()
          .meta({ description: 'The last day to declare the claim; an estimate without `publishedOn`' }),
        reliefUntil: isoDay.nullable().meta({ description: 'Until when a court may let in a late claim' }),
        declaredOn: isoDay.nullable(),
        declarationProof: z.string().nullable(),
      })
      .nullable(),
    pause: z
      .object({ since: dateTime, until: dateTime.nullable() })
      .nullable()
      .meta({ description: 'A person paused every recovery; over once `until` has passed' }),
    reported: z
      .object({
        situationId: outputUuid,
        situation: z.enum(situations),
        reportedAt: dateTime,
        decisions: z.array(z.enum(situationDecisions)).meta({ description: 'What may end it' }),
      })
      .nullable()
      .meta({ description: 'A situation that waits for a decision; the oldest one' }),
    notes: z.string().nullable().meta({ description: 'Internal; the debtor can ask for a copy' }),
    inChargeId: outputUuid.nullable().meta({
      description:
        'The person of the company who is in charge of this debtor; null for nobody, and for somebody who left',
    }),
    inChargeName: z.string().nullable().optional().meta({
      description: 'Only with `account` in `include`, where one debtor is read: the name of that person',
    }),
    createdAt: dateTime,
    sameAddress: z
      .array(
        z.object({
          id: outputUuid,
          name: z.string(),
          shares: z.array(z.enum(['email', 'phone'])),
        }),
      )
      .optional()
      .meta({
        description:
          'Only with `sameAddress` in `include`: other records with the same email or phone, 50 at most. The contact rules treat them as one person',
      }),
    declaration: z.enum(declarationStates).optional().meta({
      description:
        'Only with `account` in `include`, where one debtor with proceedings is read: `due` until `declareBy`, then `relief` until `reliefUntil`, then `late`',
    }),
    account: DebtorAccount.optional().meta({ description: 'Only with `account` in `include`' }),
    closedChannels: closedChannels.optional().meta({
      description:
        'Only with `account` in `include`, where one debtor is read: where the debtor is not contacted, and why. `refused` waits for a corrected address',
    }),
    acts: z
      .array(DebtorAct)
      .optional()
      .meta({ description: 'Only with `account` in `include`, where one debtor is read' }),
    score: RiskScore.optional().meta({
      description: 'Only with `score` in `include`, where one debtor is read',
    }),
    people: DebtorPeople.optional().meta({
      description: 'Only with `people` in `include`, where one debtor is read',
    }),
  })
  .meta({ id: 'Debtor' })

export const DebtorOfInvoice = Debtor.omit({
  notes: true,
  inChargeId: true,
  inChargeName: true,
  reported: true,
  sameAddress: true,
  pause: true,
  declaration: true,
  account: true,
  closedChannels: true,
  acts: true,
  score: true,
  people: true,
}).meta({
  id: 'DebtorOfInvoice',
})

export type DebtorRow = Tables['debtors']

type ShownDebtorOfInvoice = Omit<
  DebtorRow,
  | 'tenant_id'
  | 'notes'
  | 'in_charge_id'
  | 'updated_at'
  | 'email_key'
  | 'name_key'
  | 'search_text'
  | 'search_grams'
  | 'erased_at'
  | 'paused_at'
  | 'paused_until'
  | 'restricted_at'
  | 'insolvency_warned_days'
  | 'insolvency_recorded_at'
> & { is_erased: boolean }
export type ShownDebtor = ShownDebtorOfInvoice &
  Pick<DebtorRow, 'notes' | 'in_charge_id' | 'paused_at' | 'paused_until'> & {
    reported: { id: string; kind: Situation; at: number } | null
  }

export const debtorColumns = `d.id, d.name, d.email, d.phone, d.siret, d.address, d.city, d.postal_code, d.country, d.type, d.language,
  d.insolvency_kind, d.insolvency_opened_on, d.insolvency_published_on, d.insolvency_court, d.insolvency_practitioner, d.insolvency_declare_by,
  d.insolvency_declared_on, d.insolvency_proof, d.wrong_person, d.paused_at, d.paused_until, d.notes, d.created_at,
  case when d.in_charge_id is not null then person_in_charge(d.in_charge_id) end as in_charge_id,
  d.erased_at is not null as is_erased,
  (select jsonb_build_object('id', y.id, 'kind', y.said, 'at', floor(extract(epoch from y.received_at) * 1000)) from replies y
    where y.debtor_id = d.id and y.read_at is null and y.said = any ('{${situations}}') order by y.id limit 1) as reported`

/** A debtor inside another record, as JSON; timestamps as the pool reads them, in milliseconds. */
export const debtorAsJson = `json_build_object('id', d.id, 'name', d.name, 'email', d.email, 'phone', d.phone, 'siret', d.siret,
  'address', d.address, 'city', d.city, 'postal_code', d.postal_code, 'country', d.country, 'type', d.type,
  'language', d.language, 'insolvency_kind', d.insolvency_kind, 'insolvency_opened_on', d.insolvency_opened_on,
  'insolvency_published_on', d.insolvency_published_on, 'insolvency_court', d.insolvency_court,
  'insolvency_practitioner', d.insolvency_practitioner, 'insolvency_declare_by', d.insolvency_declare_by,
  'insolvency_declared_on', d.insolvency_declared_on, 'insolvency_proof', d.insolvency_proof,
  'wrong_person', d.wrong_person, 'is_erased', d.erased_at is not null, 'created_at', floor(extract(epoch from d.created_at) * 1000))`

/** The holds on every recovery of a debtor that follow from its record. */
export const holdsOf = (row: Pick<ShownDebtorOfInvoice, 'insolvency_kind' | 'wrong_person'>): Hold[] =>
  debtorHolds({
    isInsolvent: row.insolvency_kind !== null,
    isWrongPerson: row.wrong_person,
    // Not part of the record: the situation or reply itself holds and releases the recoveries.
    hasSituation: false,
    hasUnreadReply: false,
    // Neither is a pause, which ends by itself.
    isPaused: false,
  })

function proceedingsOf(row: ShownDebtorOfInvoice) {
  const proceedings = {
    kind: row.insolvency_kind as Insolvency['kind'],
    openedOn: row.insolvency_opened_on!,
    publishedOn: row.insolvency_published_on,
  }
  return {
    ...proceedings,
    court: row.insolvency_court,
    practitioner: row.insolvency_practitioner,
    declareBy: row.insolvency_declare_by,
    reliefUntil: reliefUntil(proceedings, { country: row.country, postalCode: row.postal_code }),
    declaredOn: row.insolvency_declared_on,
    declarationProof: row.insolvency_proof,
  }
}

export function toDebtorOfInvoice(row: ShownDebtorOfInvoice): z.output<typeof DebtorOfInvoice> {
  const calendar = calendarFor({ country: row.country, postalCode: row.postal_code })
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    siret: row.siret,
    address: row.address,
    city: row.city,
    postalCode: row.postal_code,
    country: row.country,
    type: row.type as DebtorType,
    language: row.language as 'fr' | 'en',
    timeZone: calendar?.zones[0] ?? null,
    holidayRegion: calendar?.region ?? null,
    contactable:
      !row.is_erased &&
      calendar !== null &&
      !(row.type === 'consumer' && calendar.country !== 'FR') &&
      holdsOf(row).length === 0,
    insolvency: row.insolvency_kind === null ? null : proceedingsOf(row),
    createdAt: iso(row.created_at),
  }
}

export const toDebtor = (row: ShownDebtor): z.output<typeof Debtor> => ({
  ...toDebtorOfInvoice(row),
  pause:
    row.paused_at === null
      ? null
      : { since: iso(row.paused_at), until: row.paused_until === null ? null : iso(row.paused_until) },
  reported: row.reported && {
    situationId: row.reported.id,
    situation: row.reported.kind,
    reportedAt: iso(row.reported.at),
    decisions: decisionsFor(row.reported.kind),
  },
  notes: row.notes,
  inChargeId: row.in_charge_id,
})

/** Spellings that differ only in case, Unicode composition or spaces are the same name. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
export const emailKey = (address: string): string => address.normalize('NFKC').toLowerCase()
