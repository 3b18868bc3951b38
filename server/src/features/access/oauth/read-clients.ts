import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import { conditions, countUpTo, listQuery, pageOf, positionOf, writeCursor } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { clientNotFound } from './errors.ts'
import { type ClientRow, clientColumns, clientInPath, OAuthClient, toClient } from './schema.ts'
import { findOwnClient, inTenant } from './store.ts'

const order = 'created_at desc'
/** The sort values in a cursor of this list: a time and the id of a client. */
const shapes = [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, /^oc_[a-z0-9]{2}[0-9A-Za-z]{20}$/]
const isMoment = (text: string) => !Number.isNaN(Date.parse(text))

export const listClients = operation({
  id: 'oauthClients.list',
  method: 'GET',
  path: '/api/v1/oauth-clients',
  summary: 'List the OAuth clients of this environment, the newest first, without their secrets',
  description: 'Deleted clients stay in the list with `enabled` false.',
  scopes: ['webhooks:manage'],
  query: z.strictObject(listQuery(100)),
  status: 200,
  reply: OAuthClient,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, query }) {
    const position = positionOf(query, order, [
      { test: text => shapes[0]!.test(text) && isMoment(text) },
      shapes[1]!,
    ])
    const filter = conditions()
    filter.add(inTenant)
    if (position.after) {
      const [at, id] = position.after
      filter.add(`(created_at, id) < (${filter.bind(at!)}::timestamptz, ${filter.bind(id!)})`)
    }
    const [rows, total] = await Promise.all([
      tx.rows(
        adHoc<ClientRow>(
          `select ${clientColumns} from oauth_clients ${filter.where()} order by created_at desc, id desc
            limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}`,
        ),
        filter.values,
      ),
      countUpTo(tx, `oauth_clients where ${inTenant}`, []),
    ])
    return pageOf(position, rows, total, toClient, (row, nextPage) =>
      writeCursor(position.order, nextPage, [iso(row.created_at), row.id]),
    )
  },
})

export const getClient = operation({
  id: 'oauthClients.get',
  method: 'GET',
  path: '/api/v1/oauth-clients/:id',
  summary: 'Read an OAuth client, without its secret',
  scopes: ['webhooks:manage'],
  params: clientInPath,
  status: 200,
  reply: OAuthClient,
  errors: [clientNotFound],
  assistant: 'read',
  run: async ({ tx, params }) => toClient(await findOwnClient(tx, params.id)),
})
