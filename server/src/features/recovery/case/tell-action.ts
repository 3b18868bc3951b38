import { iso } from '../../../kit/clock.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { type CascadeActionName, cascadeAction } from './action-events.ts'
import { about, type Case, type World } from './case.ts'

/** Told with the action itself, where a conversation with the assistant led to it. */
export function tellAction(world: World, of: Case, action: CascadeActionName, summary: string): void {
  const { conversationId } = world.actor
  if (conversationId === undefined) return
  const data = { ...about(of), action, actionAt: iso(world.now), conversationId, summary }
  recordEvents(world.tx, [newEvent(cascadeAction, of.row.invoice_id, data)], world)
}
