import { z } from 'zod'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import type { Environment } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type ActorRef, actorKinds } from '../../../kit/events.ts'
import { dateTime } from '../../../kit/fields.ts'
import { readStoredBytes } from '../stored-bytes/quota.ts'
import { tiers } from '../tiers.ts'
import { readLogo } from './logo-store.ts'
import { maskPayout, waitingFields } from './payout-fields.ts'
import { type CompanyRow, defaultSettings, missingToSend } from './settings.ts'
import { mediatorOf, waitingValue } from './waiting-values.ts'

const masked = z.string().nullable().meta({ description: 'Masked; null: empty' })

const PendingChange = z
  .object({
    field: z.enum(waitingFields),
    from: masked,
    to: masked,
    requestedAt: dateTime,
    effectiveAt: dateTime.meta({ description: 'From then on the new value counts' }),
  })
  .meta({ id: 'PendingChange' })

export const Company = z
  .object({
    name: z.string(),
    country: z.string(),
    timeZone: z.string(),
    language: z.enum(['fr', 'en']),
    currency: z.string(),
    tier: z.enum(tiers),
    environment: z.enum(['production', 'sandbox']).meta({ description: 'Each has settings of its own' }),
    legalName: z.string().nullable().meta({ description: 'How messages name the creditor; null: by `name`' }),
    address: z.string().nullable(),
    postalCode: z.string().nullable(),
    city: z.string().nullable(),
    siren: z.string().nullable().meta({ description: 'Nine digits; in every email and letter' }),
    legalForm: z.string().nullable().meta({
      description:
        'Such as `SARL au capital de 10 000 €`; in the signature of emails and letters. A French company with share capital names it',
    }),
    rcs: z
      .string()
      .nullable()
      .meta({ description: 'The town of the trade register, such as `Lyon`; printed beside the SIREN' }),
    mediator: z
      .object({ name: z.string(), address: z.string().nullable(), website: z.string() })
      .nullable()
      .meta({
        description:
          'The mediator of a company that sells to consumers (L616-1 C. conso.); consumers are told of it when they dispute',
      }),
    iban: z.string().nullable().meta({ description: 'Where debtors pay; without spaces' }),
    accountHolder: z.string().nullable().meta({
      description: 'Whose account it is, as the bank knows them; null: the creditor, as messages name it',
    }),
    replyEmail: z
      .string()
      .nullable()
      .meta({ description: 'Where answers of debtors go; null: to the owner’s address' }),
    telephone: z.string().nullable().meta({ description: 'Where debtors can call the creditor; E.164' }),
    hasLogo: z.boolean().meta({ description: 'Emails, letters and the debtor’s page show it' }),
    contractRateBps: z.int().nullable().meta({
      description: 'Interest agreed on with debtors, in hundredths of a percent a year; null: the legal rate',
    }),
    collectorMode: z.boolean().meta({
      description:
        'The operator collects on the creditor’s mandate, and messages speak as the collector; otherwise they speak as the creditor. Set by the operator, with the mandate',
    }),
    missingToSend: z.array(z.enum(['address', 'means_of_payment', 'siren'])).meta({
      description:
        'What must be set before anything is sent in production: the postal address; an IBAN or an account for cards; in France the SIREN. A sandbox sends without them',
    }),
    courtConsent: z
      .boolean()
      .meta({ description: 'Messages may say that the creditor is ready to go to court' }),
    claimsLatePayment: z.boolean().meta({
      description:
        'Firm messages claim the 40 € and the interest of the law for late payment, never from consumers; only for companies in France, in euros',
    }),
    paymentAccount: z.string().nullable().meta({
      description:
        'Account at the payment provider that cards of debtors are paid to; null: no cards. In production it is the one that the provider’s onboarding opened for the company',
    }),
    defaultDebtorType: z.enum(debtorTypes).meta({
      description:
        'The type of a new debtor without a valid SIRET and without a given type. Late payment is never claimed from consumers. Null restores the value the company was created with',
    }),
    caps: z.object({ contactsPerWeek: z.int(), contactsPerMonth: z.int() }).meta({
      description: 'The most contacts of one debtor in 7 and in 30 days; our own limits apply as well',
    }),
    keepMonths: z.int().meta({
      description:
        'How many months after the last case of a debtor was closed everything that names them is erased; the debtor’s page says so',
    }),
    keepMonthsConsumers: z.int().meta({ description: 'The same for consumers' }),
    keepReplyDays: z.int().meta({
      description:
        'How many days after it was read the text of a reply is erased; an unread one after 400 days. The debtor’s page says so',
    }),
    storage: z
      .object({
        usedBytes: z.int().min(0).meta({ description: 'What it stores now' }),
        quotaBytes: z.int().min(0).meta({ description: 'Set by the tier, or by the operator' }),
      })
      .meta({
        description:
          'Bytes of files and of the rows of imports in this environment. When full, only uploads and imports are refused (`VAL_005`)',
      }),
    sendingStop: z
      .object({
        since: dateTime,
        reason: z.string(),
        by: z
          .object({
            kind: z.enum(actorKinds),
            name: z.string().nullable().meta({ description: 'Null for whoever is no member any more' }),
          })
          .meta({ description: 'Who stopped it' }),
      })
      .nullable()
      .meta({ description: 'The company stopped its own sending in this environment; null: it did not' }),
    pendingChanges: z.array(PendingChange).meta({
      description:
        'In production a change of where money goes, of the logo or the mediator waits 24 hours, unless a second owner confirms it; a first value counts at once while debtors could never pay yet',
    }),
    updatedAt: dateTime.nullable().meta({ description: 'Null: nothing was ever set' }),
  })
  .meta({ id: 'Company' })

// The actor of a stop is stored as `person 01…`, a kind and an id. The name is not read with the settings: the operator's role
// reads those too, and may not see the people of a company.
const findStopperName = sql(
  'companies.find-stopper-name',
  `select p.name from memberships m join people p on p.id = m.person_id
     where m.company_id = $1 and $3 = 'person ' || m.person_id
    union all select k.name from api_keys k where k.tenant_id = $2 and $3 = 'api_key ' || k.id
    union all select a.name from oauth_clients a where $3 like 'oauth_client %' and a.id = split_part($3, ' ', 2) limit 1`,
).as<{ name: string }>()

async function stopOf(tx: Tx, { own_stop: stop }: CompanyRow, { companyId, tenantId }: CompanyActor) {
  if (!stop) return null
  const [found] = await tx.rows(findStopperName, [companyId, tenantId, stop.by])
  const kind = stop.by.split(' ')[0] as ActorRef['kind']
  return { since: iso(stop.since), reason: stop.reason, by: { kind, name: found?.name ?? null } }
}

interface CompanyActor {
  companyId: string
  tenantId: string
  environment: Environment
}

export async function toCompany(
  tx: Tx,
  row: CompanyRow,
  actor: CompanyActor,
): Promise<z.input<typeof Company>> {
  const settings = row.settings ?? defaultSettings
  const logo = row.pending.some(({ field }) => field === 'logo') ? await readLogo(tx) : null
  return {
    name: row.name,
    country: row.country,
    timeZone: row.time_zone,
    language: row.language,
    currency: row.currency,
    tier: row.tier,
    environment: actor.environment,
    legalName: settings.legal_name,
    address: settings.address,
    postalCode: settings.postal_code,
    city: settings.city,
    siren: settings.siren,
    legalForm: settings.legal_form,
    rcs: settings.rcs,
    mediator: mediatorOf(settings),
    iban: settings.iban,
    accountHolder: settings.account_holder,
    replyEmail: settings.reply_email,
    telephone: settings.telephone,
    hasLogo: row.has_logo,
    contractRateBps: settings.contract_rate_bps,
    collectorMode: row.has_mandate || settings.collector_mode,
    missingToSend: missingToSend(settings, row.country),
    courtConsent: settings.court_consent,
    claimsLatePayment: settings.claims_late_payment,
    paymentAccount: settings.payment_account,
    defaultDebtorType: settings.default_debtor_type ?? row.default_debtor_type,
    caps: { contactsPerWeek: settings.contacts_per_week, contactsPerMonth: settings.contacts_per_month },
    keepMonths: settings.keep_months,
    keepMonthsConsumers: settings.keep_months_consumers,
    keepReplyDays: settings.keep_reply_days,
    storage: await readStoredBytes(tx),
    sendingStop: await stopOf(tx, row, actor),
    pendingChanges: row.pending.map(({ field, value, requestedAt, effectiveAt }) => ({
      field,
      from: maskPayout(field, waitingValue({ settings, logo }, field)),
      to: maskPayout(field, value),
      requestedAt: iso(requestedAt),
      effectiveAt: iso(effectiveAt),
    })),
    updatedAt: row.settings ? iso(row.settings.updated_at) : null,
  }
}
