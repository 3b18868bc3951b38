import type { Hold } from './recovery-state.ts'

/** A period in which a recovery was held. */
export interface Pause {
  readonly from: number
  /** When it ended or will end by itself; null while that is not known. */
  readonly until: number | null
  readonly because: Hold
}

/** The fields of an invoice's history line that determine pauses. */
export interface PauseLine {
  readonly at: number
  readonly code: string
  readonly params: {
    readonly isStillHeld?: boolean
    readonly stillHeldBy?: readonly Hold[]
    readonly outcome?: string
  }
}

const begins: Readonly<Record<string, Hold>> = {
  paused: 'asked',
  promised: 'promise',
  disputed: 'dispute',
  debtor_paused: 'debtor',
  insolvency_opened: 'insolvency',
  wrong_person: 'wrong_person',
  wrong_address_given: 'wrong_person',
  address_refused: 'address_refused',
  situation_reported: 'situation',
  reply_received: 'reply',
  data_requested: 'debtor',
}
const ends = [
  'resumed',
  'pause_over',
  'promise_broken',
  'dispute_resolved',
  'hold_ended',
  'cancelled',
  'written_off',
  'judicial',
]
/** The codes of a history that begin or end a pause. */
export const pauseCodes = [...Object.keys(begins), ...ends]

interface RecoveryNow {
  readonly isPaused: boolean
  /** For a current pause: its holds, its start, and when it ends by itself. */
  readonly holds: readonly Hold[]
  readonly pausedAt: number | null
  readonly dueAt: number | null
  readonly endedAt: number | null
}

/** The hold that remains after a line that ends one; null if none remains. */
function heldAfter({ code, params }: PauseLine, because: Hold): Hold | null {
  if (code === 'dispute_resolved') return params.outcome === 'upheld' ? 'upheld' : null
  if (params.stillHeldBy !== undefined) return params.stillHeldBy[0] ?? null
  return params.isStillHeld ? because : null
}

/**
 * The pauses of a recovery in the order of time, from its history; the current state comes from the recovery itself. A pause that
 * another cause takes over is listed as two pauses.
 */
export function pausesOf(lines: readonly PauseLine[], recovery: RecoveryNow, now: number): Pause[] {
  const pauses: Pause[] = []
  let open: { from: number; because: Hold } | null = null
  for (const line of lines) {
    const next: Hold | null = begins[line.code] ?? (open && heldAfter(line, open.because))
    if (open && next === open.because) continue
    if (open) pauses.push({ ...open, until: line.at })
    open = next === null ? null : { from: line.at, because: next }
  }
  if (recovery.isPaused && recovery.holds.length > 0) {
    const because = open && recovery.holds.includes(open.because) ? open.because : recovery.holds[0]!
    const from = open?.from ?? recovery.pausedAt ?? now
    pauses.push({ from, until: recovery.dueAt, because })
  } else if (open) pauses.push({ ...open, until: recovery.endedAt ?? now })
  return pauses
}
