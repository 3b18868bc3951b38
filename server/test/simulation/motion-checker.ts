import { wallClock } from './local-clock.ts'

/** What was done with one step of one recovery, told without any word of the plan. */
export interface Move {
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
  notice: { at: number; newsAt: number | null } | null
}

export const motionKinds = [
  'before its day',
  'on the heels of the last',
  'while the time to pay runs',
  'although paused',
  'by a message of lower rank',
] as const
export type MotionKind = (typeof motionKinds)[number]

export interface MotionFault {
  kind: MotionKind
  told: string
}

/** Reads what became of recoveries against the rules of motion, in days of the wall calendar. */
export function faultsIn(moves: readonly Move[]): MotionFault[] {
  const faults: MotionFault[] = []
  const last = new Map<string, Move>()
  for (const move of moves) {
    const report = (kind: MotionKind) =>
      faults.push({ kind, told: `${move.recoveryId} ${move.step} ${new Date(move.at).toISOString()}` })
    const dayOf = (instant: number) => wallClock(move.zone, instant).day
    const today = dayOf(move.at)
    const before = last.get(move.recoveryId)
    if (move.isPaused) report('although paused')
    if (move.byRank < move.rank) report('by a message of lower rank')
    if (!move.isEscalated) {
      if (today < dayOf(move.anchor) + move.day) report('before its day')
      const gap = before?.kind === 'contacted' ? 3 : before?.kind === 'skipped' ? 1 : 0
      if (before && today < dayOf(before.at) + gap) report('on the heels of the last')
      if (move.notice && today < openAgain(move.notice, dayOf) && move.step !== 'lrar_mise_en_demeure')
        report('while the time to pay runs')
    }
    last.set(move.recoveryId, move)
  }
  return faults
}

/** Receipt + 8 days, at the latest posting + 23. */
const openAgain = (notice: { at: number; newsAt: number | null }, dayOf: (instant: number) => number) =>
  Math.min(
    dayOf(notice.at) + 23,
    notice.newsAt === null ? Number.POSITIVE_INFINITY : dayOf(notice.newsAt) + 8,
  )
