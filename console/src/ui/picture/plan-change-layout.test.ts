import type { MessageName, PlanChange, PlannedAction, PlannedMessage, WorkflowPlan } from '@relance/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentText } from '../../lib/format.ts'
import { changesOf, layoutPlans, sentencesOf, type TwoPlans, tableOfPlans } from './plan-change-layout.ts'

const zone = 'Europe/Paris'
const steps: MessageName[] = [
  'relance_email_1',
  'sms_reminder',
  'relance_email_2',
  'ai_call',
  'extra_message',
]
const start = Date.parse('2026-10-20T08:00:00Z')

const action = (
  name: MessageName,
  at: string | null,
  changes: Partial<PlannedAction> = {},
): PlannedAction => ({
  action: name,
  communicationId: null,
  channel: name === 'sms_reminder' ? 'sms' : name === 'ai_call' ? 'voice' : 'email',
  scheduledAt: at,
  day: 0,
  ownAt: at,
  isNext: false,
  skipped: false,
  reason: '',
  reasonCode: 'cascade',
  shifts: [],
  ...changes,
})
const planOf = (actions: PlannedAction[], changes: Partial<WorkflowPlan> = {}): WorkflowPlan => ({
  invoiceId: 'one',
  status: 'in_recovery',
  cascade: 'standard',
  cascadeVersion: 1,
  actions,
  reason: '',
  reasonCode: 'planned',
  ...changes,
})

const moments = fc
  .integer({ min: 0, max: 60 * 24 * 60 })
  .map(minutes => new Date(start + minutes * 60_000).toISOString())
const plans = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...steps), moments), { maxLength: 8, selector: ([, at]) => at })
  .map(list => planOf(list.map(([name, at]) => action(name, at))))
const changes = fc
  .record({ before: plans, after: plans })
  .map(({ before, after }) => ({ before: [before], after: [after] }))

const times = ([plan]: WorkflowPlan[]) =>
  plan!.actions.map(({ scheduledAt }) => Date.parse(scheduledAt!)).toSorted((a, b) => a - b)

describe('what is drawn of two plans', () => {
  it.each([390, 632])('is the two plans, mark by mark, %i wide', width => {
    fc.assert(
      fc.property(changes, two => {
        const { marks } = layoutPlans(two, width, 'fr', zone)
        for (const plan of ['before', 'after'] as const) {
          const drawn = marks.filter(mark => mark.plan === plan).toSorted((a, b) => a.at - b.at)
          expect(drawn.map(({ at }) => at)).toEqual(times(two[plan]))
          const colours = two[plan][0]!.actions.toSorted((a, b) =>
            a.scheduledAt!.localeCompare(b.scheduledAt!),
          )
          expect(drawn.map(({ channel }) => channel)).toEqual(colours.map(({ channel }) => channel))
          const places = drawn.map(({ x, y }) => (width < 600 ? y : x))
          if (width >= 600) expect(places).toEqual(places.toSorted((a, b) => a - b))
        }
        for (const { x, y } of marks) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x).toBeLessThanOrEqual(width)
          expect(y).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('has a table with the same messages and moments', () => {
    fc.assert(
      fc.property(changes, two => {
        const { rows } = tableOfPlans(two, 'fr', zone)
        const cells = (column: number) =>
          rows
            .map(row => row[column]!)
            .filter(text => text !== '–')
            .toSorted()
        for (const [plan, column] of [
          ['before', 1],
          ['after', 2],
        ] as const)
          expect(cells(column)).toEqual(
            times(two[plan])
              .map(at => momentText(at, zone, 'fr'))
              .toSorted(),
          )
      }),
    )
  })

  it('puts no two names in one place', () => {
    fc.assert(
      fc.property(changes, two => {
        const { labels } = layoutPlans(two, 632, 'fr', zone)
        const span = ({ x, text, anchor }: (typeof labels)[number]) => {
          const wide = text.length * 7
          const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2
          return [from, from + wide] as const
        }
        for (const one of labels)
          for (const other of labels)
            if (one !== other && one.y === other.y)
              expect(span(one)[1] <= span(other)[0] || span(other)[1] <= span(one)[0]).toBe(true)
      }),
    )
  })
})

describe('the difference in sentences', () => {
  const [first, second, third] = ['2026-11-16T07:14:00Z', '2026-11-18T08:00:00Z', '2026-11-23T07:14:00Z']
  const before = planOf([action('relance_email_1', first!), action('sms_reminder', second!)])
  const say = (two: TwoPlans) => sentencesOf(two, 'fr', zone)

  it('says what falls away and why nothing follows', () => {
    const after = planOf([], { status: 'paused', reasonCode: 'paused' })
    expect(say({ before: [before], after: [after] })).toEqual([
      'Ne part plus\u00a0: E-mail 1, lun. 16 nov. 08:14 ; SMS, mer. 18 nov. 09:00.',
      'Ensuite, plus rien n’est prévu\u00a0: en pause.',
    ])
  })

  it('says what moves to when and why, and what is new', () => {
    const after = planOf([
      action('relance_email_1', third!, { reasonCode: 'channel_cooldown' }),
      action('sms_reminder', second!),
      action('extra_message', first!, { reasonCode: 'requested' }),
    ])
    expect(say({ before: [before], after: [after] })).toEqual([
      'Se décale\u00a0: E-mail 1, lun. 16 nov. 08:14 → lun. 23 nov. 08:14 (délai du canal).',
      'Nouveau\u00a0: Message, lun. 16 nov. 08:14.',
    ])
  })

  it('takes a step that is left out for one that does not leave', () => {
    const after = planOf([
      action('relance_email_1', first!, { skipped: true, reasonCode: 'opted_out' }),
      action('sms_reminder', second!),
    ])
    expect(changesOf({ before: [before], after: [after] })[0]).toMatchObject({
      kind: 'falls',
      because: 'opted_out',
    })
  })

  it('says when nothing changes, and when nothing is planned', () => {
    expect(say({ before: [before], after: [before] })).toEqual(['Le plan ne change pas.'])
    expect(say({ before: [planOf([])], after: [planOf([])] })).toEqual(['Rien n’est prévu.'])
  })

  it('names a few, and counts the rest', () => {
    const many = planOf(
      Array.from({ length: 9 }, (_, day) => action('extra_message', `2026-11-0${day + 1}T09:00:00Z`)),
    )
    expect(say({ before: [many], after: [planOf([])] })[0]).toMatch(/ ; et 5 autres\.$/)
  })

  it('reads the messages of a debtor as well, and one for two invoices as one', () => {
    const message = (at: string): PlannedMessage => ({
      at,
      channel: 'email',
      action: 'relance_email_1',
      invoiceIds: ['one', 'two'],
      shifts: [],
    })
    expect(say({ before: [message(first!)], after: [message(third!)] })).toEqual([
      'Se décale\u00a0: E-mail 1, lun. 16 nov. 08:14 → lun. 23 nov. 08:14.',
    ])
    const two: PlanChange = { before: [before, { ...before, invoiceId: 'two' }], after: [] }
    expect(say(two)[0]).toContain('E-mail 1 (2 factures)')
  })
})

it('a call that goes with the letter of another invoice is called a letter, as it is drawn', () => {
  const at = '2026-10-21T08:00:00.000Z'
  const told = (channel: PlannedAction['channel']) =>
    sentencesOf({ before: [planOf([])], after: [planOf([action('ai_call', at, { channel })])] }, 'fr', zone)
  expect(told('voice')).toEqual([expect.stringContaining('Appel')])
  expect(told('lrar')).toEqual([expect.stringContaining('Courrier')])
  expect(told('lrar').join()).not.toContain('Appel')
})
