import { sql } from '../../../kit/db/statement.ts'

/**
 * The debtor waits without a wake-up time, whatever the reason of the stop. `release_stopped` wakes it when its tenant has no
 * stop any more. The reason is read with `stop_reason`.
 */
export const waitForStop = sql(
  'agenda.wait-for-stop',
  `update agendas set wake_generation = wake_generation + 1, attempts = 0, wake_at = null, wake_because = 'sending_stopped',
          wake_slot = null, wake_channel = null
    where tenant_id = $1 and debtor_id = $2`,
)
