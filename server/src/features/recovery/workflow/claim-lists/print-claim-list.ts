import { z } from 'zod'
import { sql } from '../../../../kit/db/statement.ts'
import { uuid } from '../../../../kit/fields.ts'
import { operation, pdfReply } from '../../../../kit/operation.ts'
import type { CollectorIdentity } from '../../../access/companies/installation.ts'
import { claimsMax } from './create-claim-list.ts'
import { drawClaimList, type ShownClaimList } from './draw-claim-list.ts'
import { claimListNotFound } from './errors.ts'

const selectHead = sql(
  'claim-lists.get-to-print',
  `select l.id, l.accepted_on, l.accepted_by, l.created_at, t.environment, c.language, coalesce(s.legal_name, c.name) as name,
          nullif(concat_ws(', ', s.address, nullif(concat_ws(' ', s.postal_code, s.city), '')), '') as address, s.siren, s.legal_form, s.rcs,
          case when c.mandate_signed_on is not null then n.collector end as collector, c.mandate_signed_on, c.mandate_reference
     from claim_lists l join tenants t on t.id = l.tenant_id join companies c on c.id = t.company_id cross join installation n
     left join company_settings s on s.tenant_id = l.tenant_id where l.id = $1`,
).as<{
  id: string
  accepted_on: string
  accepted_by: string
  created_at: number
  environment: string
  language: 'fr' | 'en'
  name: string
  address: string | null
  siren: string | null
  legal_form: string | null
  rcs: string | null
  collector: CollectorIdentity | null
  mandate_signed_on: string | null
  mandate_reference: string | null
}>()
const selectClaims = sql(
  'claim-lists.list-to-print',
  `select i.number, d.name as debtor, i.due_date as "dueOn", k.currency, k.principal_cents as "principalCents",
          k.indemnity_cents as "indemnityCents", k.interest_cents as "interestCents"
     from listed_claims k join invoices i on i.tenant_id = k.tenant_id and i.id = k.invoice_id
     join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    where k.list_id = $1 order by k.invoice_id limit ${claimsMax}`,
).as<ShownClaimList['claims'][number]>()

export const printClaimList = operation({
  id: 'claimLists.pdf',
  method: 'GET',
  path: '/api/v1/claim-lists/:id/pdf',
  summary: 'Download a list of claims as a document to sign, for the file of the mandate',
  scopes: ['workflow:read', 'debtors:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: pdfReply,
  errors: [claimListNotFound],
  assistant: 'never',
  async run({ tx, params }) {
    const [[head], claims] = await Promise.all([
      tx.rows(selectHead, [params.id]),
      tx.rows(selectClaims, [params.id]),
    ])
    if (!head) throw claimListNotFound.make()
    const { collector, mandate_signed_on: signedOn, mandate_reference: reference } = head
    const bytes = await drawClaimList({
      id: head.id,
      acceptedOn: head.accepted_on,
      acceptedBy: head.accepted_by,
      madeAt: head.created_at,
      language: head.language,
      isSandbox: head.environment === 'sandbox',
      creditor: {
        name: head.name,
        address: head.address,
        siren: head.siren,
        legalForm: head.legal_form,
        rcs: head.rcs,
      },
      mandate:
        collector && signedOn !== null && reference !== null ? { collector, signedOn, reference } : null,
      claims,
    })
    return { bytes, fileName: `claims-${head.accepted_on}.pdf` }
  },
})
