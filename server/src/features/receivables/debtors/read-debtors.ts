import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { declarationState } from '../../../domain/recovery/insolvency.ts'
import { localTime } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { oneOrMore, outputUuid, pageQuery, uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { findCompany } from '../../access/companies/company.ts'
import { actorNames } from '../../access/people/actor-names.ts'
import { totalOfDebtor } from '../../platform/counts/totals.ts'
import { isPaused } from '../../recovery/case/debtor-file.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import { readClosedChannels } from '../../recovery/holds/closed-channels.ts'
import { readScore } from '../scoring/get-score.ts'
import { scoreLanguages } from '../scoring/schema.ts'
import { readAccounts, readSums } from './debtor-account.ts'
import { requireScope } from './list-debtors.ts'
import { peopleOf } from './people/list-people.ts'
import { actsOfDebtor, Debtor, debtorColumns, type ShownDebtor, toDebtor } from './schema.ts'

const selectDebtor = sql(
  'debtors.get',
  `select ${debtorColumns} from debtors d where d.id = $1`,
).as<ShownDebtor>()

export const findDebtor = async (tx: Tx, id: string): Promise<ShownDebtor | null> =>
  (await tx.rows(selectDebtor, [id]))[0] ?? null

// Each address is looked up through its own index.
const selectSameAddress = sql(
  'debtors.list-same-address',
  `select o.id, o.name, array_remove(array[case when o.email_key = d.email_key then 'email' end,
            case when o.phone = d.phone then 'phone' end], null) as shares
     from debtors d
     join lateral (
       (select id, name, email_key, phone from debtors s where s.email_key = d.email_key limit 51)
       union
       (select id, name, email_key, phone from debtors s where s.phone = d.phone limit 51)) o on o.id <> d.id
    where d.id = $1 order by o.name, o.id limit 50`,
).as<{ id: string; name: string; shares: ('email' | 'phone')[] }>()

const included = ['sameAddress', 'account', 'score', 'people'] as const
const accountScopes = ['invoices:read', 'workflow:read'] as const

export const getDebtor = operation({
  id: 'debtors.get',
  method: 'GET',
  path: '/api/v1/debtors/:id',
  summary: 'Read a debtor',
  scopes: ['debtors:read'],
  params: z.strictObject({ id: uuid }),
  query: z.strictObject({
    include: oneOrMore(included).meta({
      type: 'string',
      description:
        '`sameAddress`: the other records that share its email or phone. `account`: what is open, what comes next and what may be done; needs the scopes invoices:read and workflow:read. `score`: the risk score. `people`: who can be spoken to, and what is known of each address. Several with commas',
    }),
    language: z
      .enum(scoreLanguages)
      .optional()
      .meta({ description: 'Language of the sentences of the score; default that of your company' }),
  }),
  status: 200,
  reply: Debtor,
  errors: [debtorUnknown],
  assistant: 'read',
  usesNow: true,
  async run(call) {
    const { tx, actor, params, query, now } = call
    const include = query.include ?? []
    if (include.includes('account')) for (const scope of accountScopes) requireScope(actor, scope)
    const row = await findDebtor(tx, params.id)
    if (!row) throw debtorUnknown.make()
    return {
      ...toDebtor(row),
      ...(include.includes('sameAddress') && { sameAddress: await tx.rows(selectSameAddress, [row.id]) }),
      ...(include.includes('account') && (await accountOf(call, row))),
      ...(include.includes('score') && { score: await readScore(tx, row.id, query.language, now) }),
      ...(include.includes('people') && { people: await peopleOf(tx, row.id) }),
    }
  },
})

async function accountOf(
  { tx, actor, now }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now'>,
  row: ShownDebtor,
) {
  const { currency, time_zone } = await findCompany(tx, actor.companyId)
  const today = localTime(time_zone, now).date
  const inCharge = row.in_charge_id === null ? null : { kind: 'person' as const, id: row.in_charge_id }
  const [accounts, sums, closed, shownActor] = await Promise.all([
    readAccounts(tx, { tenantId: actor.tenantId, currency, timeZone: time_zone, now, today }, [row.id]),
    readSums(tx, { currency, today }, row.id),
    readClosedChannels(tx, row.id),
    actorNames(tx, [inCharge]),
  ])
  const { insolvency } = toDebtor(row)
  const account = accounts.get(row.id)!
  const facts = {
    hasOpenInvoice: account.openInvoices > 0,
    isPaused: isPaused(row, now),
    hasSituation: row.reported !== null,
    isInsolvent: insolvency !== null,
  }
  return {
    account: { ...account, ...sums },
    inChargeName: shownActor(inCharge)?.name ?? null,
    closedChannels: closed,
    acts: actsOfDebtor(facts, closed),
    ...(insolvency && { declaration: declarationState(insolvency, today) }),
  }
}

const InvoiceOfDebtor = z
  .object({
    id: outputUuid,
    invoiceNumber: z.string(),
    amountCents: z.int(),
    status: z.enum(invoiceStatuses),
    dueDate: z.string().meta({ format: 'date' }),
  })
  .meta({ id: 'InvoiceOfDebtor' })

interface InvoiceOfDebtorRow {
  id: string | null
  number: string
  amount_cents: number
  status: InvoiceStatus
  due_date: string
}

// At least one row if the debtor exists.
const selectInvoicesOfDebtor = sql(
  'debtors.list-invoices',
  `select i.id, i.number, i.amount_cents, i.status, i.due_date
     from debtors d
     left join lateral (select * from invoices where debtor_id = d.id order by id desc limit $2 offset $3) i on true
    where d.id = $1 order by i.id desc`,
).as<InvoiceOfDebtorRow>()

export const listInvoicesOfDebtor = operation({
  id: 'debtors.invoices',
  method: 'GET',
  path: '/api/v1/debtors/:id/invoices',
  summary: 'List the invoices of a debtor, the newest first',
  scopes: ['debtors:read', 'invoices:read'],
  params: z.strictObject({ id: uuid }),
  query: pageQuery,
  status: 200,
  reply: InvoiceOfDebtor,
  list: true,
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params, query }) {
    const [rows, { total }] = await Promise.all([
      tx.rows(selectInvoicesOfDebtor, [params.id, query.limit, (query.page - 1) * query.limit]),
      totalOfDebtor(tx, params.id),
    ])
    if (rows.length === 0) throw debtorUnknown.make()
    return {
      items: rows.flatMap(row =>
        row.id === null
          ? []
          : [
              {
                id: row.id,
                invoiceNumber: row.number,
                amountCents: row.amount_cents,
                status: row.status,
                dueDate: row.due_date,
              },
            ],
      ),
      pagination: pagination(query, total),
    }
  },
})
