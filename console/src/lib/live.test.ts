import type { Hint } from '@relance/sdk'
import { expect, it } from 'vitest'
import { isConcerned } from './live.ts'

const hints = (...list: [Hint['kind'], ...string[]][]): Hint[] =>
  list.map(([kind, ...ids]) => ({ kind, ids }))

it.each([
  [['invoice', 'i1'], hints(['invoice', 'i1']), 'now'],
  [['invoice', 'i1', 'timeline'], hints(['debtor', 'd1'], ['invoice', 'i0', 'i1']), 'now'],
  [['invoice', 'i2'], hints(['invoice', 'i1']), null],
  [['debtor', 'i1'], hints(['invoice', 'i1']), null],
  [['today'], hints(['invoice', 'i1']), 'soon'],
  [['invoice', 'list'], hints(['payment', 'p1']), 'soon'],
  [['company'], hints(['invoice', 'i1']), null],
  [['company'], hints(['company', 'c1']), 'now'],
  [['clock'], hints(['all']), 'now'],
  [['debtor', 'd9'], hints(['all']), 'now'],
  [['search', 'x'], hints(['all']), null],
  [['today'], hints(), null],
])('%j is fetched again after %j: %s', (key, list, urgency) => {
  expect(isConcerned(key, list)).toBe(urgency)
})
