import { expect, it } from 'vitest'
import { newOracle } from '../browser/console/drawn-oracle.ts'
import type { Drawn } from '../browser/console/drawn-read.ts'

const element = (tag: string, at: Record<string, string>, inside: Drawn[] = [], text = ''): Drawn => ({
  tag,
  at,
  text,
  in: inside,
})
const cellOf = (text: string) => element('td', {}, [], text)

/** One day of one channel, closed until 08:46 by the delay of the channel, with one email at noon. */
const answer = {
  debtorId: 'debtor',
  timeZone: 'Europe/Paris',
  days: [
    {
      date: '2026-11-19',
      isToday: false,
      from: '2026-11-18T23:00:00.000Z',
      opens: '2026-11-19T07:00:00.000Z',
      closes: '2026-11-19T19:00:00.000Z',
      until: '2026-11-19T23:00:00.000Z',
    },
  ],
  channels: [
    {
      channel: 'email',
      pieces: [
        {
          from: '2026-11-18T23:00:00.000Z',
          until: '2026-11-19T07:46:00.000Z',
          allowed: false,
          because: 'channel_cooldown',
        },
        { from: '2026-11-19T07:46:00.000Z', until: '2026-11-19T23:00:00.000Z', allowed: true, because: null },
      ],
    },
  ],
  contacts: [],
  planned: [{ at: '2026-11-19T11:00:00.000Z', channel: 'email', action: 'relance_email_2' }],
} as never

/** Twelve hours in 120 pixels. */
function faultsOf({
  closedFor = 46 / 6,
  pattern = 'cooldown',
  markAt = 42.666_67,
  open = '08:46',
  planned = '12:00',
} = {}) {
  const oracle = newOracle()
  const grid = element('svg', {}, [
    element('path', { d: `M0 0h30v${closedFor}h-30z`, fill: `url(#a-${pattern})` }),
    element('g', {}, [
      element('rect', {
        'data-cell': 'email 2026-11-19',
        'aria-label': `jeu. 19 nov., E-mail : ouvert de ${open} à 20:00, E-mail 2 12:00`,
        x: '0',
        y: '0',
        width: '30',
        height: '120',
      }),
    ]),
    element('g', { 'data-in': 'email 2026-11-19' }, [
      element('circle', { cx: '15', cy: String(markAt), 'stroke-dasharray': '2.5 2', class: 'stroke-email' }),
    ]),
  ])
  const row = [cellOf('jeu. 19 nov.'), cellOf(`ouvert de ${open} à 20:00 · Prévu : E-mail 2 à ${planned}.`)]
  oracle.calendar(answer, grid, element('table', {}, [element('tbody', {}, [element('tr', {}, row)])]))
  return oracle.faults
}

it('what is drawn as the API said it has no fault', () => {
  expect(faultsOf()).toEqual([])
})

it.each([
  ['a minute longer', { closedFor: 47 / 6 }],
  ['by another pattern', { pattern: 'cap' }],
  ['a mark an hour late', { markAt: 51.333_33 }],
  ['another time in the words', { open: '08:47' }],
  ['another time in the table', { planned: '13:00' }],
])('what is drawn otherwise is a fault: %s', (_, change) => {
  expect(faultsOf(change)).not.toEqual([])
})
