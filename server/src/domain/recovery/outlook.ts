import type { Channel } from '../contact/channel.ts'
import type { Instant } from '../time.ts'
import type { FutureAction } from './forecast.ts'
import type { Hold, RecoveryStatus } from './recovery-state.ts'

/** How an open recovery stands; several that stand alike are one. */
export interface OpenRecovery {
  readonly status: RecoveryStatus
  readonly holds: readonly Hold[]
  /** Something follows by itself. */
  readonly isWaiting: boolean
  /** Why nothing follows; null where something does, and after the last step. */
  readonly because: string | null
  readonly isOnItsWay: boolean
}

/** What comes next for a debtor, and why nothing is sent before, or at all. */
interface Outlook {
  readonly next: 'message' | 'decision' | 'nothing'
  /** Null: a decision that can be taken now, or nothing. */
  readonly at: Instant | null
  /** Of a message. */
  readonly channel: Channel | null
  readonly because: readonly string[]
}

/**
 * The same facts as the plan, in one sentence. `waitsFor` says what an action waits for that the plan does not explain: the holds of a
 * pause that ends by itself, the rule that moved a message asked for.
 */
export function outlookOf(
  actions: readonly FutureAction[],
  open: readonly OpenRecovery[],
  {
    now,
    stopped,
    waitsFor,
  }: { now: Instant; stopped: string | null; waitsFor(action: FutureAction): readonly string[] },
): Outlook {
  if (stopped !== null) return nothing([stopped])
  const message = actions.find(({ kind }) => kind === 'send')
  if (message) {
    const stored = waitsFor(message)
    const because = stored.length > 0 ? stored : reasonsOf(message, now)
    return { next: 'message', at: message.at, channel: message.channel, because }
  }
  if (open.some(({ isOnItsWay }) => isOnItsWay)) return nothing(['on_its_way'])
  const stands = actions.flatMap(({ kind, because }) => (kind === 'stand' ? [because ?? awaiting] : []))
  const reasons = [...new Set([...open.flatMap(whyNothing), ...stands])]
  const decision = actions.find(({ kind }) => kind === 'decide')
  if (decision || reasons.includes(awaiting))
    return {
      next: 'decision',
      at: decision && !reasons.includes(awaiting) ? decision.at : null,
      channel: null,
      because: [...new Set([awaiting, ...reasons])],
    }
  return nothing(reasons.length > 0 ? reasons : ['completed'])
}

const awaiting = 'awaiting_decision'
const nothing = (because: readonly string[]): Outlook => ({
  next: 'nothing',
  at: null,
  channel: null,
  because,
})

/** What still keeps it from leaving; where nothing does, why it is planned for its moment. */
function reasonsOf({ shifts, because }: FutureAction, now: Instant): string[] {
  const coming = shifts.filter(({ until }) => until > now).map(shift => shift.because)
  return coming.length > 0 ? [...new Set(coming)] : [because ?? 'cascade']
}

function whyNothing({ status, holds, isWaiting, because }: OpenRecovery): readonly string[] {
  if (holds.length > 0) return holds
  if (isWaiting) return []
  return [status === 'in_recovery' ? (because ?? awaiting) : status]
}
