import { pathToFileURL } from 'node:url'

type Calendar = typeof import('../../src/domain/contact/calendar.ts')
type Cascades = typeof import('../../src/domain/recovery/cascade.ts')
type Rules = typeof import('../../src/domain/contact/contact-rules.ts')
type Motions = typeof import('../../src/domain/recovery/motion.ts')
type Plans = typeof import('../../src/domain/recovery/plan.ts')
type Promises = typeof import('../../src/domain/recovery/promise.ts')
type States = typeof import('../../src/domain/recovery/recovery-state.ts')
type Time = typeof import('../../src/domain/time.ts')
type Wakes = typeof import('../../src/domain/recovery/wake.ts')

/** Everything a wake asks of the domain, so that a sabotaged copy can be asked instead. */
export type Judge = Pick<Calendar, 'calendarFor'> &
  Pick<Cascades, 'builtIn' | 'cascadeOf' | 'knownSteps' | 'wayOf'> &
  Pick<Rules, 'judgeContact' | 'nextLegalSlot'> &
  Pick<Motions, 'afterSend' | 'afterSkip' | 'countsAsContact' | 'escalation' | 'replan'> &
  Pick<Plans, 'anchorOf' | 'planAt' | 'planFirst'> &
  Pick<Promises, 'patienceEnds' | 'quietAfterSignOfLife'> &
  Pick<States, 'anchorAfterPause' | 'held' | 'released'> &
  Pick<Time, 'instantOf' | 'localTime'> &
  Pick<Wakes, 'decideWake'>

const rooms = [
  'contact/calendar',
  'recovery/cascade',
  'contact/contact-rules',
  'recovery/motion',
  'recovery/plan',
  'recovery/promise',
  'recovery/recovery-state',
  'time',
  'recovery/wake',
]

/** The judgement as it is written in that folder. */
export async function judgeFrom(folder: string): Promise<Judge> {
  const parts = await Promise.all(
    rooms.map(room => import(/* @vite-ignore */ pathToFileURL(`${folder}/${room}.ts`).href)),
  )
  return Object.assign({}, ...parts) as Judge
}
