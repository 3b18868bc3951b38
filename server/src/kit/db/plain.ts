import type { Pool } from './pool.ts'
import type { Statement } from './statement.ts'
import { isDatabaseFault, sqlState, type Value } from './transaction.ts'

/** Asks outside any tenant: for the tables that belong to none. */
export type Ask = <Row>(statement: Statement<Row>, values: readonly Value[]) => Promise<Row[]>

/** One question, by itself. */
export const asking =
  (pool: Pool): Ask =>
  async <Row>({ name, text }: Statement<Row>, values: readonly Value[]) =>
    (await pool.query({ name, text, values: values as unknown[] })).rows as Row[]

const isRetryable = (error: unknown) => ['40001', '40P01'].includes(sqlState(error))

/**
 * Several, all or nothing. What is returned is committed, also when it is a refusal; what is thrown is undone. A deadlock
 * gets three attempts, so `work` may be done again.
 */
export async function together<T>(pool: Pool, work: (ask: Ask) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(
        async <Row>({ name, text }: Statement<Row>, values: readonly Value[]) =>
          (await client.query({ name, text, values: values as unknown[] })).rows as Row[],
      )
      const { command } = await client.query('commit')
      // COMMIT of an aborted transaction answers ROLLBACK without an error.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
      return result
    } catch (error) {
      if (isDatabaseFault(error)) broken = error
      else
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
      if (attempt < 3 && isRetryable(error)) continue
      throw error
    } finally {
      client.release(broken)
    }
  }
}
