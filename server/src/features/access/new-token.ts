import type { Query } from '../../kit/db/query.ts'
import { sql } from '../../kit/db/statement.ts'
import { randomAlphanumeric } from '../../kit/random-alphanumeric.ts'

const findCell = sql('oauth.get-cell', 'select cell from installation')

/** A token with 256 random bits, prefixed with the cell that stores it. */
export async function newToken(query: Query, prefix: string): Promise<string> {
  const [row] = await query(findCell, [])
  return `${prefix}_${row!.cell}${randomAlphanumeric(43)}`
}
