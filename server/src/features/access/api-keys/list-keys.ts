import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { conditions, countUpTo, listQuery, newestFirst } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { ApiKey, type KeyRow, keysMax, toApiKey } from './schema.ts'
import { keyColumns } from './store.ts'

const tenantFilter = () => {
  const filter = conditions()
  filter.add(`k.tenant_id = current_setting('relance.tenant')::uuid`)
  return filter
}

export const listKeys = operation({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'List the keys of this environment, the newest first, masked',
  description: 'Deleted and rotated keys stay in the list with `enabled` false.',
  scopes: ['webhooks:manage'],
  query: z.strictObject(listQuery(100)),
  status: 200,
  reply: ApiKey,
  list: true,
  errors: [],
  assistant: 'read',
  run: ({ tx, actor, query }) =>
    newestFirst(tx, query, {
      columns: keyColumns,
      source: 'api_keys k',
      filter: tenantFilter,
      total: () => countUpTo(tx, `api_keys k ${tenantFilter().where()}`, []),
      toItem: (row: KeyRow) => toApiKey(row, actor.environment),
    }),
})

const selectEnabled = sql(
  'api-keys.list-enabled',
  `select ${keyColumns} from api_keys
    where tenant_id = current_setting('relance.tenant')::uuid and enabled order by id desc limit ${keysMax}`,
).as<KeyRow>()

/** The keys that can be used, the newest first: there are never more than the maximum. */
export const listEnabledKeys = (tx: Tx): Promise<KeyRow[]> => tx.rows(selectEnabled, [])
