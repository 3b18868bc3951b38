import { type Case, changeFacts, type World } from './case.ts'
import { endRecovery, type InFlight } from './change.ts'
import { stepOf } from './debtor-file.ts'

export interface Cancelled {
  inFlight: InFlight[]
  actionsCancelled: number
  voiceCallsCancelled: number
}

/** The end on request: final, with everything stopped that had not left yet. Counts what was planned and now is not. */
export async function cancelRecovery(world: World, of: Case): Promise<Cancelled> {
  changeFacts(world, of, { cancelled_at: world.now }, 'cancel')
  const { inFlight, extras } = await endRecovery(world, of, 'cancelled', 'cancelled')
  const { cascade } = stepOf(of.row)
  const isLeaving = inFlight.some(({ action }) => action !== 'extra_message')
  const left = cascade.steps.slice(of.row.step + (isLeaving ? 1 : 0))
  const planned = [...left, ...extras].flatMap(({ channel }) => channel ?? [])
  return {
    inFlight,
    actionsCancelled: planned.length,
    voiceCallsCancelled: planned.filter(channel => channel === 'voice').length,
  }
}
