import { sql } from '../../../kit/db/statement.ts'
import { pageQuery } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { webhookNotFound } from './errors.ts'
import {
  toWebhook,
  Webhook,
  type WebhookRow,
  webhookColumns,
  webhookInPath,
  webhookSource,
  webhooksMax,
} from './schema.ts'
import { findWebhook } from './store.ts'

const selectWebhooks = sql(
  'webhooks.list',
  `select ${webhookColumns} from ${webhookSource} order by w.id desc limit ${webhooksMax}`,
).as<WebhookRow>()

export const listWebhooks = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List your webhooks, the newest first',
  scopes: ['webhooks:manage'],
  people: ['owner', 'developer'],
  query: pageQuery,
  status: 200,
  reply: Webhook,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, query }) {
    const all = await tx.rows(selectWebhooks, [])
    const from = (query.page - 1) * query.limit
    return {
      items: all.slice(from, from + query.limit).map(toWebhook),
      pagination: pagination(query, all.length),
    }
  },
})

export const getWebhook = operation({
  id: 'webhooks.get',
  method: 'GET',
  path: '/api/v1/webhooks/:id',
  summary: 'Read a webhook, without its secret',
  scopes: ['webhooks:manage'],
  people: ['owner', 'developer'],
  params: webhookInPath,
  status: 200,
  reply: Webhook,
  errors: [webhookNotFound],
  assistant: 'read',
  async run({ tx, params }) {
    const row = await findWebhook(tx, params.id)
    if (!row) throw webhookNotFound.make()
    return toWebhook(row)
  },
})
