import { z } from 'zod'
import { builtInCascades } from '../../../../domain/recovery/cascade.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { pageQuery } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { pagination } from '../../../../kit/page.ts'
import { ownCascadesMax } from '../../../access/companies/company.ts'
import { cascadeNotFound } from './errors.ts'
import {
  Cascade,
  type CascadeRow,
  cascadeColumns,
  cascadeInPath,
  findBuiltIn,
  toBuiltIn,
  toCascade,
} from './schema.ts'

const readCurrent = sql(
  'cascades.list-current',
  `select ${cascadeColumns} from cascades where is_current order by name limit ${ownCascadesMax}`,
).as<CascadeRow>()

export const listCascades = operation({
  id: 'cascades.list',
  method: 'GET',
  path: '/api/v1/cascades',
  summary: 'List the cascades, your own first, each in its present version',
  scopes: ['workflow:read'],
  query: pageQuery,
  status: 200,
  reply: Cascade,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, query }) {
    const own = await tx.rows(readCurrent, [])
    const current = builtInCascades.filter(cascade => findBuiltIn(cascade.name) === cascade)
    const all = [...own.map(toCascade), ...current.map(toBuiltIn)]
    const from = (query.page - 1) * query.limit
    return { items: all.slice(from, from + query.limit), pagination: pagination(query, all.length) }
  },
})

const versionsMax = 100
const readVersions = sql(
  'cascades.list-versions',
  `select ${cascadeColumns}, is_current from cascades where name = $1 order by version desc limit ${versionsMax}`,
).as<CascadeRow & { is_current: boolean }>()

const CascadeWithVersions = Cascade.extend({
  versions: z
    .array(Cascade.pick({ version: true, applies: true, steps: true, createdAt: true }))
    .meta({ description: 'The newest first, 100 at most: running recoveries keep theirs' }),
}).meta({ id: 'CascadeWithVersions' })

export const getCascade = operation({
  id: 'cascades.get',
  method: 'GET',
  path: '/api/v1/cascades/:name',
  summary: 'Read a cascade with its earlier versions',
  scopes: ['workflow:read'],
  params: cascadeInPath,
  status: 200,
  reply: CascadeWithVersions,
  errors: [cascadeNotFound],
  assistant: 'read',
  async run({ tx, params }) {
    const own = await tx.rows(readVersions, [params.name])
    const current = own.find(version => version.is_current)
    const found = findBuiltIn(params.name)
    if (!current && !found) throw cascadeNotFound.make()
    const versions = current
      ? own.map(toCascade)
      : builtInCascades
          .filter(cascade => cascade.name === params.name)
          .map(toBuiltIn)
          .toReversed()
    return {
      ...(current ? toCascade(current) : toBuiltIn(found!)),
      versions: versions.map(({ version, applies, steps, createdAt }) => ({
        version,
        applies,
        steps,
        createdAt,
      })),
    }
  },
})
