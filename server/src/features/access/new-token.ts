import type { Ask } from '../../kit/db/plain.ts'
import { sql } from '../../kit/db/statement.ts'
import { randomWord } from '../../kit/random-word.ts'

const findCell = sql('oauth.get-cell', 'select cell from installation')

/** 256 random bits, with the cell that knows them in front. */
export async function newToken(ask: Ask, prefix: string): Promise<string> {
  const [row] = await ask(findCell, [])
  return `${prefix}_${row!.cell}${randomWord(43)}`
}
