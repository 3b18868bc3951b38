import type { Pool } from './pool.ts'
import type { Statement } from './statement.ts'
import { onOneConnection, refuseRolledBack, type Value } from './transaction.ts'

/** Asks outside any tenant: for the tables that belong to none. */
export type Ask = <Row>(statement: Statement<Row>, values: readonly Value[]) => Promise<Row[]>

/** One question, by itself. */
export const asking =
  (pool: Pool): Ask =>
  async <Row>({ name, text }: Statement<Row>, values: readonly Value[]) =>
    (await pool.query({ name, text, values: values as unknown[] })).rows as Row[]

/**
 * Several, all or nothing. What is returned is committed, also when it is a refusal; what is thrown is undone. A deadlock
 * gets three attempts, so `work` may be done again.
 */
export const together = <T>(pool: Pool, work: (ask: Ask) => Promise<T>): Promise<T> =>
  onOneConnection(pool, async client => {
    await client.query('begin')
    const result = await work(
      async <Row>({ name, text }: Statement<Row>, values: readonly Value[]) =>
        (await client.query({ name, text, values: values as unknown[] })).rows as Row[],
    )
    refuseRolledBack(await client.query('commit'))
    return result
  })
