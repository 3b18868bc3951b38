import { sql } from '../../../kit/db/statement.ts'
import { pageQuery } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { knownTemplates, Template, toTemplate } from './schema.ts'
import { type OwnTextsRow, ownTextsColumns } from './store.ts'

const selectAllOwnTexts = sql(
  'templates.list',
  `select ${ownTextsColumns} from company_texts order by step, channel, language limit ${knownTemplates.length}`,
).as<OwnTextsRow>()

export const listTemplates = operation({
  id: 'templates.list',
  method: 'GET',
  path: '/api/v1/templates',
  summary: 'List the messages debtors receive, by step, channel and language, with the words you may replace',
  scopes: ['workflow:read'],
  query: pageQuery,
  status: 200,
  reply: Template,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, query }) {
    const own = await tx.rows(selectAllOwnTexts, [])
    const byId = new Map(own.map(row => [`${row.step}.${row.channel}.${row.language}`, row]))
    const from = (query.page - 1) * query.limit
    const items = knownTemplates.slice(from, from + query.limit)
    return {
      items: items.map(template => toTemplate(template, byId.get(template.id))),
      pagination: pagination(query, knownTemplates.length),
    }
  },
})
