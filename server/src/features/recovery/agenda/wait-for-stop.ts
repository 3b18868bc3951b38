import { sql } from '../../../kit/db/statement.ts'

export const sendingStopped = 'sending_stopped'

/** The debtor waits without a moment: `release_stopped` wakes it when the stop is over. */
export const waitForStop = sql(
  'agenda.wait-for-stop',
  `update agendas set wake_gen = wake_gen + 1, attempts = 0, wake_at = null, wake_because = '${sendingStopped}'
    where tenant_id = $1 and debtor_id = $2`,
)
