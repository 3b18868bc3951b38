import { wallClock } from './local-clock.ts'

/** What was done with one step of one recovery, without any data of the plan. */
export interface StepRecord {
  recoveryId: string
  step: string
  rank: number
  /** The rank of the message that carried it. */
  byRank: number
  at: number
  zone: string
  /** Its day in the cascade, and where days were counted from at that moment. */
  day: number
  anchor: number
  kind: 'contacted' | 'refused' | 'skipped'
  isEscalated: boolean
  isPaused: boolean
  /** The formal notice as it stood before this. */
  notice: { at: number; receiptAt: number | null } | null
}

export const stepFaultKinds = [
  'before its day',
  'on the heels of the last',
  'while the time to pay runs',
  'although paused',
  'by a message of lower rank',
] as const
export type StepFaultKind = (typeof stepFaultKinds)[number]

export interface StepFault {
  kind: StepFaultKind
  description: string
}

/** Checks the steps of recoveries against the rules for their order and distance, in local calendar days. */
export function stepFaultsIn(records: readonly StepRecord[]): StepFault[] {
  const faults: StepFault[] = []
  const last = new Map<string, StepRecord>()
  for (const record of records) {
    const report = (kind: StepFaultKind) =>
      faults.push({
        kind,
        description: `${record.recoveryId} ${record.step} ${new Date(record.at).toISOString()}`,
      })
    const dayOf = (instant: number) => wallClock(record.zone, instant).day
    const today = dayOf(record.at)
    const before = last.get(record.recoveryId)
    if (record.isPaused) report('although paused')
    if (record.byRank < record.rank) report('by a message of lower rank')
    if (!record.isEscalated) {
      if (today < dayOf(record.anchor) + record.day) report('before its day')
      const gap = before?.kind === 'contacted' ? 3 : before?.kind === 'skipped' ? 1 : 0
      if (before && today < dayOf(before.at) + gap) report('on the heels of the last')
      if (record.notice && today < openAgain(record.notice, dayOf) && record.step !== 'lrar_mise_en_demeure')
        report('while the time to pay runs')
    }
    last.set(record.recoveryId, record)
  }
  return faults
}

/** Receipt + 8 days, at the latest posting + 23. */
const openAgain = (notice: { at: number; receiptAt: number | null }, dayOf: (instant: number) => number) =>
  Math.min(
    dayOf(notice.at) + 23,
    notice.receiptAt === null ? Number.POSITIVE_INFINITY : dayOf(notice.receiptAt) + 8,
  )
