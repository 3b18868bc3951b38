import { z } from 'zod'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { claimsMax } from './create-claim-list.ts'
import { claimListNotFound } from './errors.ts'
import { ClaimList } from './schema.ts'

const selectList = sql(
  'claim-lists.get',
  'select id, accepted_on, accepted_by, created_at from claim_lists where id = $1',
)
const selectClaims = sql(
  'claim-lists.list-claims',
  `select k.invoice_id, i.number, k.currency, k.principal_cents, k.indemnity_cents, k.interest_cents
     from listed_claims k join invoices i on i.tenant_id = k.tenant_id and i.id = k.invoice_id
    where k.list_id = $1 order by k.invoice_id limit ${claimsMax}`,
)

export const getClaimList = operation({
  id: 'claimLists.get',
  method: 'GET',
  path: '/api/v1/claim-lists/:id',
  summary: 'Read a list of claims, with the sums of its day',
  scopes: ['workflow:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: ClaimList,
  errors: [claimListNotFound],
  assistant: 'read',
  async run({ tx, params }) {
    const [[list], claims] = await Promise.all([
      tx.rows(selectList, [params.id]),
      tx.rows(selectClaims, [params.id]),
    ])
    if (!list) throw claimListNotFound.make()
    return {
      id: list.id,
      acceptedOn: list.accepted_on,
      acceptedBy: list.accepted_by,
      createdAt: iso(list.created_at),
      claims: claims.map(claim => ({
        invoiceId: claim.invoice_id,
        invoiceNumber: claim.number,
        principalCents: claim.principal_cents,
        indemnityCents: claim.indemnity_cents,
        interestCents: claim.interest_cents,
        currency: claim.currency,
      })),
    }
  },
})
