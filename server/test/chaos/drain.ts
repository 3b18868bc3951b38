import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from './stage.ts'

interface Left {
  overdue: number
  pending: number
  open: number
}

/** Null when nothing is under way any more; else what still was when patience ended. */
export async function drain(stage: Stage, giveUpAt: number): Promise<Left | null> {
  for (;;) {
    const rows = await stage.ask<Left>(
      `select (select count(*)::int from agendas where wake_at <= $1 and parked_because is null) as overdue,
              (select count(*)::int from pending_sends) as pending,
              (select count(*)::int from communications where state in ('reserved', 'sending')) as open`,
      [new Date().toISOString()],
    )
    const left = rows[0]!
    if (left.overdue + left.pending + left.open === 0) return null
    if (performance.now() > giveUpAt) return left
    await pause(200)
  }
}
