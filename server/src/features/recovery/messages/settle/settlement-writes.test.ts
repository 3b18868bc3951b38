import { expect, it } from 'vitest'
import { useInstallation } from '../../../../../test/harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })

it('no index names what a message changes of a recovery, so that the row is updated in its page', async () => {
  const indexes = await installation.sql<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'recoveries'::regclass`,
  )
  expect(indexes.length).toBeGreaterThan(1)
  const changed =
    /\b(communication_id|step|attempt|wish_at|due_at|due_because|last_action|last_executed_at|notice_at|actions_completed)\b/
  expect(indexes.filter(({ definition }) => changed.test(definition))).toEqual([])
})
