import { expect, it } from 'vitest'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { type Hold, holds, recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { standingOf } from '../../../domain/recovery/standing.ts'

const installation = useInstallation({ redisUrl: undefined })

it('the database and the rules name every state of a recovery alike', async () => {
  const setsOfHolds = Array.from({ length: 2 ** holds.length }, (_, bits): Hold[] =>
    holds.filter((_, i) => (bits >> i) % 2 === 1),
  )
  const states = recoveryStatuses.flatMap(status =>
    (status === 'paused' ? setsOfHolds.slice(1) : [[]]).flatMap(active =>
      [true, false].map(hasMoment => ({ status, holds: active, hasMoment })),
    ),
  )
  const rows = await installation.sql<{ standing: string }>(
    `select standing_of(x->>'status', array(select jsonb_array_elements_text(x->'holds')), (x->>'hasMoment')::boolean) as standing
       from jsonb_array_elements($1::jsonb) with ordinality as given(x, n) order by n`,
    [JSON.stringify(states)],
  )
  expect(rows.map(row => row.standing)).toEqual(states.map(state => standingOf(state, state.hasMoment)))
})
