import type { Channel } from '../../src/domain/contact/channel.ts'
import type { PastContact } from '../../src/domain/contact/contact-rules.ts'
import type { Cascade, Step } from '../../src/domain/recovery/cascade.ts'
import type { DueMessage } from '../../src/domain/recovery/decide-wake.ts'
import type { FormalNotice } from '../../src/domain/recovery/formal-notice.ts'
import type { RecoveryState } from '../../src/domain/recovery/recovery-state.ts'
import type { LoggedContact } from './checker.ts'
import type { StepRecord } from './step-checker.ts'

export interface Recovery {
  id: string
  cascade: Cascade
  step: number
  attempt: number
  anchor: number
  notice: FormalNotice | null
  /** When the provider will report on the formal notice, if ever. */
  receiptDueAt: number | null
  dueAt: number | null
  state: RecoveryState
  pausedAt: number
  last: { at: number; wasContact: boolean } | null
  lastStep: string | null
  dueDate: string
  balance: number
  isEscalated: boolean
}

export interface Extra {
  dueAt: number
  step: Pick<Step, 'name' | 'channel'>
  channel: Channel
}

/** What two records of one person share: the contacts at each point, as the slots of the schema hold them. */
export type Slots = Map<string, PastContact[]>

export interface Candidate extends DueMessage {
  recovery: Recovery | null
  extra: Extra | null
}

export interface Logs {
  contacts: LoggedContact[]
  steps: StepRecord[]
  wakes: number
}
