import { z } from 'zod'
import {
  type Standing,
  standingGroups,
  standings,
  standingsOfGroup,
} from '../../../domain/recovery/standing.ts'
import { localTime } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { currencyCode } from '../../platform/code-fields.ts'
import { openSums } from './open-sums.ts'

const defaultEdges = [30, 60, 90]

const edgesText = z
  .string()
  .regex(/^[1-9]\d{0,3}(,[1-9]\d{0,3}){0,9}$/, 'must be one to ten numbers of days, with commas')
  .transform(text => text.split(',').map(Number))
  .refine(edges => edges.every((edge, i) => i === 0 || edge > edges[i - 1]!), 'must rise')
  .optional()
  .meta({
    type: 'string',
    default: defaultEdges.join(),
    description: 'The last day of each bucket, in days past the due date',
  })

const sums = {
  invoices: z.int().meta({ description: 'Invoices with something open' }),
  openCents: z.int().meta({ description: 'Principal still to be paid' }),
}

const groups = z
  .array(
    z.object({
      group: z.enum(standingGroups).meta({
        description:
          'running: reminded; waiting: not started, or held by what ends by itself; decide: a person has to; judicial: amicable stage ended; ended: reminders are over',
      }),
      ...sums,
      standings: z
        .array(z.enum(standings))
        .meta({ description: 'What it is made of: the filter `standing` of the list of invoices' }),
    }),
  )
  .meta({ description: 'The standings in groups; those with something open' })

const AgedBalance = z
  .object({
    asOf: z.string().meta({ format: 'date', description: "Today, in the company's time zone" }),
    currency: z.string(),
    buckets: z
      .array(
        z.object({
          fromDays: z
            .int()
            .nullable()
            .meta({ description: 'Days past the due date, inclusive; null: not past it' }),
          toDays: z.int().nullable().meta({ description: 'Inclusive; null: without end' }),
          ...sums,
          standings: z
            .array(z.object({ standing: z.enum(standings), ...sums }))
            .meta({ description: 'Those with something open' }),
          groups,
        }),
      )
      .meta({ description: 'What is not due yet first, then from the youngest debts to the oldest' }),
    totals: z.object({ ...sums, groups }),
    otherCurrencies: z
      .array(z.object({ currency: z.string(), ...sums }))
      .meta({ description: 'What is open in other currencies; nothing is converted' }),
  })
  .meta({ id: 'AgedBalance' })

// Sums are float8: exact up to 2^53, and beyond that the nearest number that JSON readers hold anyway.
const selectAgedSums = sql(
  'reports.aged-balance',
  `select currency, width_bucket($1::date - due_date, $2::integer[]) as bucket, standing, sum(n)::bigint as n,
          sum(open_cents)::float8 as open_cents
     from (${openSums}) c group by 1, 2, 3 having sum(n) <> 0`,
).as<{ currency: string; bucket: number; standing: Standing; n: number; open_cents: number }>()

const sumOf = (rows: readonly { n: number; open_cents: number }[]) => ({
  invoices: rows.reduce((sum, row) => sum + row.n, 0),
  openCents: rows.reduce((sum, row) => sum + row.open_cents, 0),
})

const groupsOf = (rows: readonly { standing: Standing; n: number; open_cents: number }[]) =>
  standingGroups.flatMap(group => {
    const members = standingsOfGroup(group)
    const groupRows = rows.filter(({ standing }) => members.includes(standing))
    return groupRows.length > 0 ? [{ group, ...sumOf(groupRows), standings: members }] : []
  })

export const agedBalance = operation({
  id: 'reports.agedBalance',
  method: 'GET',
  path: '/api/v1/reports/aged-balance',
  summary: 'What is open, by how long it is overdue and by where it stands',
  scopes: ['reports:read'],
  query: z
    .strictObject({
      edges: edgesText,
      currency: currencyCode.optional().meta({ examples: ['EUR'], description: "Without it, the company's" }),
    })
    .meta({ id: 'AgedBalanceQuery' }),
  status: 200,
  reply: AgedBalance,
  errors: [],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, query, now }) {
    const company = await findCompany(tx, actor.companyId)
    const edges = query.edges ?? defaultEdges
    const asOf = localTime(company.time_zone, now).date
    const rows = await tx.rows(selectAgedSums, [asOf, [1, ...edges.map(edge => edge + 1)]])
    const currency = query.currency ?? company.currency
    const shown = rows.filter(row => row.currency === currency)
    const others = [...new Set(rows.map(row => row.currency))].filter(code => code !== currency).sort()
    return {
      asOf,
      currency,
      buckets: [null, 0, ...edges].map((after, bucket) => {
        const inBucket = shown.filter(row => row.bucket === bucket)
        return {
          fromDays: after === null ? null : after + 1,
          toDays: after === null ? 0 : (edges[bucket - 1] ?? null),
          ...sumOf(inBucket),
          standings: standings.flatMap(standing => {
            const standingRows = inBucket.filter(row => row.standing === standing)
            return standingRows.length > 0 ? [{ standing, ...sumOf(standingRows) }] : []
          }),
          groups: groupsOf(inBucket),
        }
      }),
      totals: { ...sumOf(shown), groups: groupsOf(shown) },
      otherCurrencies: others.map(code => ({
        currency: code,
        ...sumOf(rows.filter(row => row.currency === code)),
      })),
    }
  },
})
