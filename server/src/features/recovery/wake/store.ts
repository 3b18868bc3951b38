import { sql } from '../../../kit/db/statement.ts'
import { keepPlanSql, noContactSql } from '../agenda/plan-columns.ts'

export const parkAgenda = sql(
  'wake.park-agenda',
  `update agendas set wake_generation = wake_generation + 1, attempts = 0, wake_at = null, wake_because = $3, parked_because = $3,
          plan_generation = wake_generation + 1, ${noContactSql}
    where tenant_id = $1 and debtor_id = $2`,
)

// Only the debtor's next look moves; waiting steps keep their moment. In a sandbox the moment of the look is the moment of the
// action, so it does not move either.
export const waitForOutcome = sql(
  'wake.wait-for-outcome',
  `update agendas
      set wake_generation = wake_generation + 1, attempts = 0, wake_because = 'message_on_its_way', ${keepPlanSql},
          wake_at = case when is_sandbox then least(wake_at, $3) else $3 end
    where tenant_id = $1 and debtor_id = $2`,
)
