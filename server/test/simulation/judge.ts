import { pathToFileURL } from 'node:url'

type Calendar = typeof import('../../src/domain/contact/calendar.ts')
type Cascades = typeof import('../../src/domain/recovery/cascade.ts')
type Rules = typeof import('../../src/domain/contact/contact-rules.ts')
type Slots = typeof import('../../src/domain/contact/next-legal-slot.ts')
type Motions = typeof import('../../src/domain/recovery/next-step.ts')
type Plans = typeof import('../../src/domain/recovery/plan-step.ts')
type Promises = typeof import('../../src/domain/recovery/promise.ts')
type States = typeof import('../../src/domain/recovery/recovery-state.ts')
type Time = typeof import('../../src/domain/time.ts')
type Wakes = typeof import('../../src/domain/recovery/decide-wake.ts')

/** The domain functions that a wake uses, as one object, so that a sabotaged copy can take their place. */
export type Judge = Pick<Calendar, 'calendarFor'> &
  Pick<Cascades, 'builtInCascades' | 'cascadeOf' | 'knownSteps' | 'stepOutcomeOf'> &
  Pick<Rules, 'judgeContact'> &
  Pick<Slots, 'nextLegalSlot'> &
  Pick<Motions, 'afterSend' | 'afterSkip' | 'countsAsContact' | 'escalationTarget' | 'replan'> &
  Pick<Plans, 'anchorOf' | 'planAt' | 'planFirstStep'> &
  Pick<Promises, 'gracePeriodEnds' | 'quietPeriodAfterResponse'> &
  Pick<States, 'anchorAfterPause' | 'withHold' | 'withoutHolds'> &
  Pick<Time, 'instantOf' | 'localTime'> &
  Pick<Wakes, 'decideWake'>

const domainFiles = [
  'contact/calendar',
  'recovery/cascade',
  'contact/contact-rules',
  'contact/next-legal-slot',
  'recovery/next-step',
  'recovery/plan-step',
  'recovery/promise',
  'recovery/recovery-state',
  'time',
  'recovery/decide-wake',
]

/** Loads the domain functions from a folder. */
export async function judgeFrom(folder: string): Promise<Judge> {
  const parts = await Promise.all(
    domainFiles.map(file => import(/* @vite-ignore */ pathToFileURL(`${folder}/${file}.ts`).href)),
  )
  return Object.assign({}, ...parts) as Judge
}
