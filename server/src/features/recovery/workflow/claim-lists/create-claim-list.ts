import { z } from 'zod'
import type { DebtorType } from '../../../../domain/debtor-type.ts'
import { type HalfYearRate, latePayment } from '../../../../domain/money/late-payment.ts'
import { type LocalDate, localTime } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { newEvent } from '../../../../kit/events.ts'
import { line, uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { findCompany } from '../../../access/companies/company.ts'
import { ratesSql } from '../../../access/companies/late-payment-rates.ts'
import { actorRef, recordAudit } from '../../../platform/events/record-events.ts'
import { lockAgendas } from '../../case/agenda-store.ts'
import { invoiceNotFound } from '../../case/errors.ts'
import { balanceColumn } from '../../case/invoice-facts.ts'
import { releaseListed } from '../../case/release-listed.ts'
import { movementsSql } from '../../messages/compose/content-store.ts'
import { claimsListed } from './audit-events.ts'
import { ClaimList } from './schema.ts'

export const claimsMax = 500

const ClaimListInput = z
  .strictObject({
    acceptedBy: line(200).meta({ description: 'Name and function, for the company' }),
    claims: z
      .array(z.strictObject({ invoiceId: uuid }))
      .min(1)
      .max(claimsMax)
      .refine(
        claims => new Set(claims.map(({ invoiceId }) => invoiceId)).size === claims.length,
        'has an invoice twice',
      )
      .meta({ description: 'Each invoice once' }),
  })
  .meta({ id: 'ClaimListInput' })

const findDebtors = sql(
  'claim-lists.find-debtors',
  'select distinct debtor_id from invoices where id = any ($1::uuid[])',
)
const selectInvoices = sql(
  'claim-lists.list-invoices',
  `select i.id, i.number, i.currency, i.due_date, i.amount_cents, greatest(0, ${balanceColumn}) as balance_cents,
          i.late_payment_waiver is not null as is_waived, d.type as debtor_type, d.insolvency_opened_on, ${movementsSql('i', '$2')} as movements
     from invoices i join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    where i.id = any ($1::uuid[]) order by i.id`,
).as<InvoiceRow>()
const selectTerms = sql(
  'claim-lists.get-terms',
  `select ${ratesSql} as rates, o.country, s.contract_rate_bps, coalesce(s.claims_late_payment, true) as is_claimed
     from companies o join tenants t on t.company_id = o.id left join company_settings s on s.tenant_id = t.id
    where t.id = current_setting('relance.tenant')::uuid`,
).as<{ rates: HalfYearRate[]; country: string; contract_rate_bps: number | null; is_claimed: boolean }>()
const insertList = sql(
  'claim-lists.insert',
  `insert into claim_lists (tenant_id, id, accepted_on, accepted_by, created_at, actor)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5)`,
)
const insertClaims = sql(
  'claim-lists.insert-claims',
  `insert into listed_claims (tenant_id, list_id, invoice_id, accepted_on, currency, principal_cents, indemnity_cents, interest_cents)
   select current_setting('relance.tenant')::uuid, $1, x."invoiceId", $2, x.currency, x."principalCents", x."indemnityCents", x."interestCents"
     from jsonb_to_recordset($3::jsonb) as x("invoiceId" uuid, currency text, "principalCents" bigint, "indemnityCents" bigint, "interestCents" bigint)`,
)

interface InvoiceRow {
  id: string
  number: string
  currency: string
  due_date: LocalDate
  amount_cents: number
  balance_cents: number
  is_waived: boolean
  debtor_type: DebtorType
  insolvency_opened_on: LocalDate | null
  movements: { on: LocalDate; cents: number }[]
}

export const createClaimList = operation({
  id: 'claimLists.create',
  method: 'POST',
  path: '/api/v1/claim-lists',
  summary: 'Accept a list of claims that your collector recovers for you',
  description:
    'Sums are those of today, principal and accessories apart. While a mandate is recorded, nothing is sent for an invoice that no list since its day contains.',
  scopes: ['company:manage'],
  body: ClaimListInput,
  status: 201,
  reply: ClaimList,
  errors: [invoiceNotFound],
  assistant: 'never',
  audit: [claimsListed],
  example: {
    body: {
      acceptedBy: 'Claire Lambert, manager',
      claims: [{ invoiceId: '01a1dd16-6edd-7dd9-b7f7-4014cd39872c' }],
    },
  },
  async run(call) {
    const { tx, actor, now, wall, body, newId } = call
    const invoiceIds = body.claims.map(({ invoiceId }) => invoiceId)
    const [company, debtors] = await Promise.all([
      findCompany(tx, actor.companyId),
      tx.rows(findDebtors, [invoiceIds]),
    ])
    const debtorIds = debtors.map(({ debtor_id }) => debtor_id)
    await tx.rows(lockAgendas, [actor.tenantId, debtorIds])
    const zone = company.time_zone
    const [invoices, [terms]] = await Promise.all([
      tx.rows(selectInvoices, [invoiceIds, zone]),
      tx.rows(selectTerms, []),
    ])
    if (invoices.length < invoiceIds.length) throw invoiceNotFound.make()
    const acceptedOn = localTime(zone, now).date
    const claims = invoices.map(invoice => {
      const late = latePayment(
        {
          dueDate: invoice.due_date,
          amountCents: invoice.amount_cents,
          currency: invoice.currency,
          movements: invoice.movements,
        },
        {
          rates: terms!.rates,
          debtorType: invoice.debtor_type,
          creditorCountry: terms!.country,
          contractRateBps: terms!.contract_rate_bps,
          isClaimed: terms!.is_claimed && !invoice.is_waived,
          insolvencyOpenedOn: invoice.insolvency_opened_on,
        },
        acceptedOn,
      )
      return {
        invoiceId: invoice.id,
        invoiceNumber: invoice.number,
        principalCents: invoice.balance_cents,
        indemnityCents: late.indemnity,
        interestCents: late.interest,
        currency: invoice.currency,
      }
    })
    const id = newId()
    const { acceptedBy } = body
    tx.atCommit(insertList, [id, acceptedOn, acceptedBy, iso(now), JSON.stringify(actorRef(actor))])
    tx.atCommit(insertClaims, [id, acceptedOn, JSON.stringify(claims)])
    releaseListed({ tx, now, wall }, actor.tenantId, { invoiceIds, debtorIds })
    recordAudit(tx, [newEvent(claimsListed, id, { listId: id, claims: claims.length })], call)
    return { id, acceptedOn, acceptedBy, createdAt: iso(now), claims }
  },
})
