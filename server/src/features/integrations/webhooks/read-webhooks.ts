import { pageQuery } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { eventScopesMissing, webhookNotFound } from './errors.ts'
import { toWebhook, Webhook, webhookInPath } from './schema.ts'
import { findWebhook, listManaged } from './store.ts'

export const listWebhooks = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List your webhooks, the newest first',
  description: 'Those whose events the caller may read.',
  scopes: ['webhooks:manage'],
  query: pageQuery,
  status: 200,
  reply: Webhook,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, actor, query }) {
    const all = await listManaged(tx, actor)
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
  params: webhookInPath,
  status: 200,
  reply: Webhook,
  errors: [webhookNotFound, eventScopesMissing],
  assistant: 'read',
  async run({ tx, actor, params }) {
    return toWebhook(await findWebhook(tx, actor, params.id))
  },
})
