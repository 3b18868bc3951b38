import { firstNotice, formalNotice, knownSteps, review, type Step, type StepName } from './cascade.ts'
import { daysToPay } from './formal-notice.ts'
import { gapDaysAfterContact } from './plan-step.ts'

export interface DraftStep {
  readonly name: StepName
  readonly day: number
}

export interface DraftFault {
  /** The index of the step; null: the fault concerns all steps together. */
  readonly step: number | null
  readonly field: 'name' | 'day' | null
  readonly message: string
}

const stepsMin = 2
const stepsMax = 20
const dayMax = 365

/**
 * The faults of a cascade that a company defined. The contact rules would delay a step that comes too early, so days that the
 * rules never allow are refused. The cascade then runs as written.
 */
export function faultsIn(steps: readonly DraftStep[]): DraftFault[] {
  if (steps.length < stepsMin || steps.length > stepsMax)
    return [{ step: null, field: null, message: `must be ${stepsMin} to ${stepsMax} steps` }]
  const notice = steps.findIndex(({ name }) => name === formalNotice)
  const faults: DraftFault[] = []
  steps.forEach(({ name, day }, i) => {
    const fault = (field: 'name' | 'day', message: string) => faults.push({ step: i, field, message })
    const first = steps.findIndex(other => other.name === name)
    if (i === 0 && name !== firstNotice)
      fault('name', `must be ${firstNotice}: the first message says who writes and why`)
    else if (i === steps.length - 1 && name !== review)
      fault('name', `must be ${review}: at the end a person decides`)
    else if (first < i) fault('name', `is already step ${first + 1}; each step is taken once`)
    else if (name === review && i < steps.length - 1) fault('name', 'can only be the last step')

    if (i === 0 && day !== 0) fault('day', 'must be 0: the first message goes on the first day')
    else if (i > 0) {
      const tooEarly = tooEarlyFor(steps, i, notice)
      if (tooEarly !== null) fault('day', tooEarly)
      else if (day > dayMax) fault('day', `must be ${dayMax} at most`)
    }
  })
  return faults
}

function tooEarlyFor(steps: readonly DraftStep[], at: number, notice: number): string | null {
  const { day } = steps[at]!
  const before = steps[at - 1]!
  if (notice !== -1 && at > notice && day < steps[notice]!.day + daysToPay)
    return `must be ${steps[notice]!.day + daysToPay} at least: ${formalNotice} on day ${steps[notice]!.day} gives ${daysToPay} days to pay`
  if (day < before.day + gapDaysAfterContact)
    return `must be ${before.day + gapDaysAfterContact} at least: ${gapDaysAfterContact} days after ${before.name} on day ${before.day}`
  return null
}

/** The channel follows from the name of the step: each step has texts for one channel. */
export const toSteps = (drafts: readonly DraftStep[]): Step[] =>
  drafts.map(({ name, day }) => ({ name, channel: knownSteps[name], day }))
