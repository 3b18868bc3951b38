import type { PaymentOfInvoice, PlannedAction, TimelineEntry } from '@relance/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LadderInput, ladderTable, layoutLadder } from './ladder-layout.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-12-16T10:00:00.000Z')
const iso = (at: number) => new Date(at).toISOString()

const line = (at: number, more: Partial<TimelineEntry>): TimelineEntry => ({
  id: `${at} ${more.code}`,
  at: iso(at),
  kind: 'action',
  code: null,
  params: {},
  sentence: '',
  actor: null,
  action: null,
  channel: null,
  status: null,
  invoiceId: null,
  communicationId: null,
  ...more,
})

const steps = [
  'email_prise_en_charge',
  'relance_email_1',
  'sms_reminder',
  'lrar_mise_en_demeure',
  'ai_call_2',
] as const
const statuses = ['sent', 'delivered', 'bounced', 'failed', 'unknown', 'refused', 'unclaimed'] as const
const channels = ['email', 'sms', 'lrar', 'voice'] as const
/** Minutes before or after now. */
const before = fc.integer({ min: 1, max: 90 * 1440 }).map(minutes => now - minutes * 60_000)
const after = fc.integer({ min: 1, max: 90 * 1440 }).map(minutes => now + minutes * 60_000)

const inputs: fc.Arbitrary<LadderInput> = fc
  .record({
    messages: fc.uniqueArray(
      fc.record({
        at: before,
        action: fc.constantFrom(...steps),
        channel: fc.constantFrom(...channels),
        status: fc.constantFrom(...statuses),
      }),
      { maxLength: 7, selector: ({ at }) => at },
    ),
    skips: fc.uniqueArray(
      fc.record({
        at: before,
        action: fc.constantFrom(...steps),
        because: fc.constantFrom('no_mobile', 'opted_out'),
      }),
      { maxLength: 3, selector: ({ at }) => at },
    ),
    planned: fc.uniqueArray(
      fc.record({
        at: after,
        action: fc.constantFrom(...steps),
        channel: fc.constantFrom(...channels, null),
        skipped: fc.boolean(),
        movedDays: fc.integer({ min: 0, max: 9 }),
      }),
      { maxLength: 7, selector: ({ at }) => at },
    ),
    payments: fc.uniqueArray(
      fc.record({ at: before, amountCents: fc.integer({ min: 1, max: 9_999_999 }), isPending: fc.boolean() }),
      { maxLength: 3, selector: ({ at }) => at },
    ),
    limitation: fc.option(after),
    timeZone: fc.constantFrom('Europe/Paris', 'Indian/Reunion', 'America/Martinique'),
  })
  .map(({ messages, skips, planned, payments, limitation, timeZone }) => {
    const sorted = planned.toSorted((left, right) => left.at - right.at)
    const next = sorted.findIndex(({ channel, skipped }) => channel !== null && !skipped)
    return {
      now,
      timeZone,
      history: [
        ...messages.map(({ at, ...message }) =>
          line(at, { ...message, kind: 'message', code: 'message_accepted', communicationId: `c${at}` }),
        ),
        ...skips.map(({ at, action, because }) =>
          line(at, { action, code: 'step_skipped', status: 'skipped', params: { because } }),
        ),
      ],
      pauses: [],
      planned: sorted.map(
        ({ at, action, channel, skipped, movedDays }, i): PlannedAction => ({
          action,
          channel,
          scheduledAt: iso(at),
          day: i,
          skipped,
          reason: '',
          reasonCode: skipped ? 'no_mobile' : 'planned',
          isNext: i === next,
          communicationId: null,
          ownAt: iso(at - movedDays * dayMs),
          shifts:
            movedDays === 0
              ? []
              : [{ because: 'weekly_cap', detail: '', from: iso(at - movedDays * dayMs), until: iso(at) }],
        }),
      ),
      payments: payments.map(
        ({ at, amountCents, isPending }): PaymentOfInvoice => ({
          id: `p${at}`,
          amountCents,
          currency: 'EUR',
          status: isPending ? 'pending' : 'completed',
          method: 'card',
          paidAt: isPending ? null : iso(at),
          externalReference: null,
          instrument: null,
          receiptId: null,
          failureReason: null,
          createdAt: iso(at),
        }),
      ),
      limitationEndsOn: limitation === null ? null : iso(limitation).slice(0, 10),
    }
  })

const widths = fc.constantFrom(390, 700, 1100, 1500)

describe('the dated ladder', () => {
  it('has a mark for every message, skip, plan and payment, and no other', () => {
    fc.assert(
      fc.property(inputs, widths, (input, width) => {
        const sign = (status: string | null) =>
          status === 'delivered'
            ? 'delivered'
            : status === 'sent'
              ? 'sent'
              : status === 'unknown'
                ? 'unknown'
                : 'refused'
        const said = [
          ...input.history.map(({ at, code, channel, status }) =>
            code === 'step_skipped'
              ? { at: Date.parse(at), kind: 'skipped', channel: null, sign: null }
              : { at: Date.parse(at), kind: 'done', channel, sign: sign(status) },
          ),
          ...input.planned.map(({ scheduledAt, channel, skipped, isNext }) => ({
            at: Date.parse(scheduledAt!),
            kind: skipped ? 'skipped' : channel === null ? 'decision' : isNext ? 'next' : 'later',
            channel,
            sign: null,
          })),
          ...input.payments
            .filter(({ status }) => status === 'completed')
            .map(({ paidAt }) => ({ at: Date.parse(paidAt!), kind: 'payment', channel: null, sign: null })),
        ].sort((left, right) => left.at - right.at)
        const { marks } = layoutLadder(input, width, 'fr')
        expect(
          marks.map(({ at, kind, channel, sign: drawn }) => ({ at, kind, channel, sign: drawn })),
        ).toEqual(said)
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it('places marks by their time alone, from left to right, inside the picture', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 600, max: 1600 }), (input, width) => {
        const { marks, today, wall } = layoutLadder(input, width, 'fr')
        const points = [...marks.map(({ at, x }) => ({ at, x })), { at: now, x: today!.x }]
        if (wall) expect(wall.x).toBeLessThanOrEqual(width)
        for (const point of points) {
          expect(point.x).toBeGreaterThanOrEqual(0)
          expect(point.x).toBeLessThanOrEqual(width)
        }
        const [first] = points
        const other = points.find(({ at }) => at !== first!.at)
        if (!other) return
        const perMs = (other.x - first!.x) / (other.at - first!.at)
        for (const { at, x } of points) expect(x).toBeCloseTo(first!.x + (at - first!.at) * perMs, 3)
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it('never puts two names in one place', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 600, max: 1600 }), (input, width) => {
        const named = layoutLadder(input, width, 'fr').marks.filter(({ kind }) => kind !== 'payment')
        const boxes = named.map(({ name, detail, text }) => {
          const wide = Math.max(name.length * 7, detail.length * 6)
          const left =
            text.anchor === 'start' ? text.x : text.anchor === 'end' ? text.x - wide : text.x - wide / 2
          return { left, right: left + wide, y: text.y, isAbove: text.isAbove }
        })
        for (const [i, one] of boxes.entries())
          for (const other of boxes.slice(i + 1)) {
            if (one.isAbove !== other.isAbove) continue
            if (one.y === other.y) expect(one.right <= other.left || other.right <= one.left).toBe(true)
          }
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it('shows a moved step where it was to be, with why', () => {
    fc.assert(
      fc.property(inputs, input => {
        const { marks } = layoutLadder(input, 1100, 'fr')
        for (const { scheduledAt, ownAt, shifts } of input.planned) {
          const mark = marks.find(({ at, kind }) => at === Date.parse(scheduledAt!) && kind !== 'payment')!
          const isMoved = shifts.length > 0
          expect(mark.ownX !== null).toBe(isMoved)
          if (isMoved) {
            expect(mark.ownX! < mark.x).toBe(Date.parse(ownAt!) < Date.parse(scheduledAt!))
            expect(mark.sentence).toContain('plafond de la semaine')
          }
        }
      }),
      { numRuns: 100 },
    )
  }, 60_000)

  it('the table has the same rows, and no sentence shows a code', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom('fr' as const, 'en' as const), (input, language) => {
        const { marks } = layoutLadder(input, 1100, language)
        const { rows } = ladderTable(input, language)
        expect(rows).toHaveLength(marks.length + (input.limitationEndsOn === null ? 0 : 1))
        for (const mark of marks) expect(rows.some(row => row[1] === mark.name)).toBe(true)
        expect(JSON.stringify([marks.map(({ sentence, detail }) => [sentence, detail]), rows])).not.toMatch(
          /_|undefined|NaN|Invalid/,
        )
      }),
      { numRuns: 100 },
    )
  }, 60_000)

  it('draws the wall of limitation only where the axis reaches it', () => {
    const input: LadderInput = {
      now,
      timeZone: 'Europe/Paris',
      history: [],
      planned: [],
      pauses: [],
      payments: [],
      limitationEndsOn: '2026-12-20',
    }
    expect(layoutLadder(input, 1100, 'fr').wall).toMatchObject({ text: 'Prescription estimée 20/12/2026' })
    expect(layoutLadder({ ...input, limitationEndsOn: '2031-12-20' }, 1100, 'fr').wall).toBeNull()
  })

  it('a pause is a band from its begin to its end; one without an end lasts until now', () => {
    const input: LadderInput = {
      now,
      timeZone: 'Europe/Paris',
      history: [],
      planned: [],
      pauses: [
        { from: iso(now - 20 * dayMs), until: iso(now - 15 * dayMs), because: 'promise' },
        { from: iso(now - 2 * dayMs), until: null, because: 'asked' },
      ],
      payments: [],
      limitationEndsOn: null,
    }
    const { bands, today } = layoutLadder(input, 1100, 'fr')
    expect(bands.map(({ text }) => text)).toEqual([
      'pause\u00a0: promesse de paiement, jusqu’au mar. 1 déc.',
      'pause\u00a0: pause demandée',
    ])
    expect(bands[1]!.x + bands[1]!.width).toBeCloseTo(today!.x)
  })

  it.each([1100, 760])(
    'no words of a pause lie on others, on the word of the present, or over an edge, at %i',
    width => {
      const pause = (from: number, until: number | null) => ({
        from: iso(now + from * dayMs),
        until: until === null ? null : iso(now + until * dayMs),
        because: 'promise' as const,
      })
      const layout = layoutLadder(
        {
          now,
          timeZone: 'Europe/Paris',
          history: [],
          planned: [],
          pauses: [pause(-3, -2), pause(-2, -1), pause(-1, null), pause(0, 15)],
          payments: [],
          limitationEndsOn: null,
        },
        width,
        'fr',
      )
      const letter = 6
      const words = layout.bands.map(({ text, textX, textY }) => ({
        x: textX,
        y: textY,
        end: textX + text.length * letter,
      }))
      for (const [i, one] of words.entries()) {
        expect(one.x).toBeGreaterThanOrEqual(0)
        expect(one.end).toBeLessThanOrEqual(width)
        // The word of the present is 4 pixels above the lower edge, and about 10 high.
        expect(one.y).toBeLessThan(layout.height - 4 - 10)
        for (const other of words.slice(i + 1))
          expect(other.y !== one.y || other.x >= one.end || one.x >= other.end).toBe(true)
      }
      // The end of a promise to come is on the axis.
      const last = layout.bands.at(-1)!
      expect(last.x + last.width).toBeLessThanOrEqual(width)
    },
  )
})

it('a step that a message of another invoice carried has the mark and the name of that message', () => {
  const carried = {
    kind: 'message' as const,
    code: 'message_accepted' as const,
    status: 'sent',
    communicationId: 'a message',
  }
  const history = [
    line(now - 4 * dayMs, {
      ...carried,
      action: 'relance_email_1',
      channel: 'voice',
      params: { channel: 'voice', insteadOf: 'email', groupedWith: 'F-2026-0232' },
    }),
    line(now - 3 * dayMs, {
      ...carried,
      action: 'relance_email_2',
      channel: 'email',
      params: { channel: 'email', groupedWith: 'F-2026-0232' },
    }),
    // The name of the other invoice was erased.
    line(now - 2 * dayMs, {
      ...carried,
      action: 'sms_reminder',
      channel: 'voice',
      params: { channel: 'voice', insteadOf: 'sms' },
    }),
    line(now - dayMs, {
      ...carried,
      action: 'lrar_mise_en_demeure',
      channel: 'email',
      params: { channel: 'email', insteadOf: 'lrar' },
    }),
  ]
  const input = {
    now,
    timeZone: 'Europe/Paris',
    history,
    planned: [],
    pauses: [],
    payments: [],
    limitationEndsOn: null,
  }
  const marks = (language: 'fr' | 'en') =>
    layoutLadder(input, 1_200, language).marks.map(({ name, channel }) => [name, channel])
  expect(marks('fr')).toEqual([
    ['Appel, avec F-2026-0232', 'voice'],
    ['E-mail 2, avec F-2026-0232', 'email'],
    ['Appel', 'voice'],
    ['Mise en demeure', 'email'],
  ])
  expect(marks('en')[0]).toEqual(['Call, with F-2026-0232', 'voice'])
})
