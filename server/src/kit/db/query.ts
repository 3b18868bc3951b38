import type { Pool } from './pool.ts'
import type { Statement } from './statement.ts'
import { assertCommitted, type Value, withConnection } from './transaction.ts'

/** Runs a statement outside any tenant, for tables that belong to no tenant. */
export type Query = <Row>(statement: Statement<Row>, values: readonly Value[]) => Promise<Row[]>

/** Runs each statement by itself on the pool, without a transaction. */
export const queryOn =
  (pool: Pool): Query =>
  async <Row>({ name, text }: Statement<Row>, values: readonly Value[]) =>
    (await pool.query({ name, text, values: values as unknown[] })).rows as Row[]

/**
 * Runs several statements in one transaction. It commits when `work` returns, also when the result is a refusal, and rolls back
 * when `work` throws. After a deadlock it is retried, three attempts in all, so `work` may run more than once.
 */
export const inTransaction = <T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> =>
  withConnection(pool, async client => {
    await client.query('begin')
    const result = await work(
      async <Row>({ name, text }: Statement<Row>, values: readonly Value[]) =>
        (await client.query({ name, text, values: values as unknown[] })).rows as Row[],
    )
    assertCommitted(await client.query('commit'))
    return result
  })

/** Reads rows page by page, in the order of a key: each page begins after the last row of the one before. */
export async function* pagesOf<Row extends Key, Key>(
  first: Key,
  read: (after: Key) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Key | undefined = first; after !== undefined; ) {
    const rows: Row[] = await read(after)
    yield rows
    after = rows.at(-1)
  }
}
