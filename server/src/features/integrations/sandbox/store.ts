import { sql } from '../../../kit/db/statement.ts'

export const moveClock = sql('sandbox.advance-clock', 'select advance_clock($1) as is_moved').as<{
  is_moved: boolean
}>()
