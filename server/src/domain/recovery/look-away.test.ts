import { describe, expect, it } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import type { AwayChannel } from '../contact/away-channel.ts'
import type { Channel } from '../contact/channel.ts'
import { cents } from '../money/money.ts'
import { DAY, HOUR, MINUTE } from '../time.ts'
import { cascadeOf, fullReach } from './cascade.ts'
import { forecastActions } from './forecast.ts'
import { decideLook } from './look.ts'
import type { LookContext, WaitingExtra, WaitingRecovery } from './waiting.ts'

const monday = paris('2026-11-16 09:30')
const cascade = cascadeOf('fr_b2b_standard', 1)
const recovery = (invoiceId: string, step: string, at = monday): WaitingRecovery => ({
  invoiceId,
  status: 'in_recovery',
  holds: [],
  pausedAt: null,
  lastAt: null,
  progress: {
    cascade,
    step: cascade.steps.findIndex(({ name }) => name === step),
    attempt: 0,
    anchor: monday - 20 * DAY,
    notice: null,
  },
  due: { at, because: null, wish: monday - HOUR },
  reach: fullReach(cents(120_000)),
  dueDate: '2026-10-15',
  limitationEndsOn: '2031-09-15',
})
const extra = (step: string): WaitingExtra => ({
  id: 'extra',
  invoiceId: 'one',
  step,
  channel: 'email',
  at: monday,
  dueDate: '2026-10-15',
  limitationEndsOn: '2031-09-15',
  recovery: 'in_recovery',
})
const away = (channel: Channel, until = monday + MINUTE): AwayChannel => ({
  channel,
  since: monday - HOUR,
  until,
  because: 'provider_away',
})
const context = (awayChannels: readonly AwayChannel[]): LookContext => ({
  rules: fileOf('69002'),
  now: monday,
  seed: 'debtor',
  hold: null,
  unusable: [],
  away: awayChannels,
})

describe('a channel that is away', () => {
  it('postpones what goes by it, and nothing else', () => {
    const { next, postponed } = decideLook(
      [recovery('one', 'sms_reminder'), recovery('two', 'relance_email_1')],
      [],
      context([away('sms')]),
    )
    expect(next).toMatchObject({ kind: 'contact', lead: { invoiceId: 'two' }, grouped: [] })
    expect(postponed).toMatchObject([{ recovery: { invoiceId: 'one' }, because: 'provider_away' }])
    expect(postponed[0]!.at).toBeGreaterThanOrEqual(monday + MINUTE)
  })

  it('does not bring forward what waits for it', () => {
    const waiting = recovery('one', 'sms_reminder', monday + 5 * MINUTE)
    const seen = decideLook([waiting], [], context([away('sms', monday + 10 * MINUTE)]))
    expect(seen).toMatchObject({ next: null, postponed: [] })
  })

  it('is tried again when its moment has come', () => {
    const seen = decideLook([recovery('one', 'sms_reminder')], [], context([away('sms', monday)]))
    expect(seen.next).toMatchObject({ kind: 'contact', lead: { channel: 'sms' } })
  })

  it('makes answers and messages beside the cascade wait, too', () => {
    const seen = decideLook(
      [],
      [extra('dispute_received'), extra('relance_email_1')],
      context([away('email')]),
    )
    expect(seen.next).toBeNull()
    expect(seen.postponed.map(({ because }) => because)).toEqual(['provider_away', 'provider_away'])
  })

  it('until the evening: what waits goes on the next day', () => {
    const evening = away('sms', paris('2026-11-16 19:59:30'))
    const [postponed] = decideLook([recovery('one', 'sms_reminder')], [], context([evening])).postponed
    expect(postponed!.at).toBeGreaterThanOrEqual(paris('2026-11-17 08:00'))
    expect(postponed!.because).toBe('provider_away')
  })

  it('does not end a plan', () => {
    const ongoing = recovery('one', 'sms_reminder')
    const actions = forecastActions(
      [{ ...ongoing, due: { ...ongoing.due, shifts: [] } }],
      [],
      context([away('sms')]),
    )
    expect(actions[0]).toMatchObject({ step: 'sms_reminder', kind: 'send' })
    expect(actions[0]!.at).toBeGreaterThanOrEqual(monday + MINUTE)
    expect(actions.length).toBeGreaterThan(1)
  })
})
