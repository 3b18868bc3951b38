import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { cents } from '../money/money.ts'
import { DAY } from '../time.ts'
import { cascadeOf, fullReach } from './cascade.ts'
import { endHolds, nothingDue, startHold } from './hold.ts'
import { decideLook } from './look.ts'
import { debtorHolds, type Hold, isRunning, mayTrigger } from './recovery-state.ts'
import type { WaitingRecovery } from './waiting.ts'

const monday = paris('2026-11-16 09:30')
const cascade = cascadeOf('fr_b2b_standard', 1)
const rules = fileOf('69002')
const reach = fullReach(cents(120_000))

const acts = [
  'report',
  'report',
  'decide',
  'insolvency',
  'clear',
  'reply',
  'read',
  'resume',
  'start',
  'import',
  'promise',
  'dispute',
  'resolve',
  'pause',
  'pause_debtor',
  'resume_debtor',
  'wait',
  'wait',
  'wait',
] as const
type Act = (typeof acts)[number]

/** The debtor and their recoveries, moved by the same functions as the API and the wake-ups. */
function liveThrough(life: readonly { act: Act; days: number }[]) {
  let now = monday
  const facts = {
    isInsolvent: false,
    isWrongPerson: false,
    hasSituation: false,
    hasUnreadReply: false,
    isPaused: false,
  }
  const newRecovery = (status: WaitingRecovery['status']): WaitingRecovery => ({
    invoiceId: '',
    status,
    holds: [],
    pausedAt: null,
    lastAt: null,
    progress: { cascade, step: 0, attempt: 0, anchor: now, notice: null },
    due: status === 'in_recovery' ? { at: now, because: null } : nothingDue,
    reach,
    dueDate: '2026-10-15',
    limitationEndsOn: '2031-09-15',
  })
  let recoveries = [newRecovery('in_recovery'), newRecovery('pending')]
  let sent = 0
  const hold = (by: Hold, only = (_: number) => true) => {
    recoveries = recoveries.map((one, i) =>
      only(i) && isRunning(one.status) ? { ...one, ...startHold(one, by, null, now) } : one,
    )
  }
  const release = (gone: readonly Hold[], only = (_: WaitingRecovery, __: number) => true) => {
    recoveries = recoveries.map((one, i) => {
      if (!only(one, i) || !one.holds.some(held => gone.includes(held))) return one
      const released = endHolds(one, gone, { rules, reach, now, seed: 'debtor' })
      if (released === null) return one
      const { anchor, ...change } = released
      return { ...one, ...change, progress: { ...one.progress, anchor } }
    })
  }
  const look = () => {
    for (let looks = 0; looks < 10; looks++) {
      const due = recoveries.filter(({ due: { at } }) => at !== null && at <= now)
      if (due.length === 0) return
      const context = { rules, now, seed: 'debtor', hold: debtorHolds(facts)[0] ?? null, unusable: [] }
      const { advanced, postponed, next } = decideLook(due, [], context)
      if (next?.kind === 'contact') {
        sent++
        if (facts.hasSituation || facts.isInsolvent)
          throw new Error(`a reminder left: ${JSON.stringify(facts)}`)
      }
      recoveries = recoveries.map(one => {
        if (next?.kind === 'contact' && due.includes(one))
          return { ...one, due: { at: now + 5 * DAY, because: null }, lastAt: now }
        const moved = advanced.find(({ recovery }) => recovery === one)?.advance
        if (moved && 'change' in moved) {
          const { anchor = one.progress.anchor, ...change } = moved.change as typeof moved.change & {
            anchor?: number
          }
          return { ...one, ...change, progress: { ...one.progress, anchor } }
        }
        if (moved) return { ...one, due: nothingDue }
        const put = postponed.find(({ recovery }) => recovery === one)
        return put ? { ...one, due: { at: put.at, because: put.because } } : one
      })
      if (next?.kind === 'contact') return
    }
  }
  const perform: Record<Act, () => void> = {
    report() {
      facts.hasSituation = true
      hold('situation')
    },
    decide() {
      facts.hasSituation = false
      release(['situation'])
    },
    insolvency() {
      facts.isInsolvent = true
      hold('insolvency')
      release(['promise'])
      // Recording it decides what was reported.
      facts.hasSituation = false
      release(['situation'])
    },
    clear() {
      facts.isInsolvent = false
      release(['insolvency'])
    },
    reply() {
      facts.hasUnreadReply = true
      hold('reply')
    },
    read() {
      facts.hasUnreadReply = false
      release(['reply'])
    },
    resume() {
      release(
        ['asked', 'promise', 'reopened', 'upheld'],
        ({ status, holds }) => mayTrigger('resume', { status, holds }, 'in_recovery').allowed,
      )
    },
    start() {
      recoveries = recoveries.map(one =>
        mayTrigger('start', one, 'imported').allowed ? newRecovery('in_recovery') : one,
      )
    },
    import() {
      if (recoveries.length < 5) recoveries = [...recoveries, newRecovery('in_recovery')]
    },
    promise: () => hold('promise', i => i === 0),
    dispute: () => hold('dispute', i => i === 0),
    resolve: () => release(['dispute']),
    pause: () => hold('asked'),
    pause_debtor() {
      facts.isPaused = true
      hold('debtor')
    },
    resume_debtor() {
      facts.isPaused = false
      release(['debtor'])
    },
    wait: () => {},
  }
  for (const { act, days } of life) {
    perform[act]()
    look()
    for (let day = 0; day < days; day++) {
      now += DAY
      look()
    }
  }
  return sent
}

const lives = Number(process.env.SITUATION_LIVES ?? 500)

it('no reminder leaves between a reported situation, or recorded proceedings, and the decision that ends it', () => {
  let sent = 0
  fc.assert(
    fc.property(
      fc.array(fc.record({ act: fc.constantFrom(...acts), days: fc.integer({ min: 0, max: 12 }) }), {
        minLength: 1,
        maxLength: 25,
      }),
      life => {
        sent += liveThrough(life)
      },
    ),
    { numRuns: lives },
  )
  // The lives are not empty: without a hold reminders do leave.
  expect(sent).toBeGreaterThan(lives)
})
