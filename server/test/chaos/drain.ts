import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosInstallation } from './chaos-installation.ts'

interface Remaining {
  overdue: number
  pending: number
  open: number
}

/** Null when no work is left; otherwise what was left at the deadline. */
export async function drain(installation: ChaosInstallation, giveUpAt: number): Promise<Remaining | null> {
  for (;;) {
    const rows = await installation.query<Remaining>(
      `select (select count(*)::int from agendas
                where (wake_at <= $1 or wake_because = 'message_on_its_way') and parked_because is null) as overdue,
              (select count(*)::int from pending_sends) as pending,
              (select count(*)::int from communications where state in ('reserved', 'sending')) as open`,
      [new Date().toISOString()],
    )
    const remaining = rows[0]!
    if (remaining.overdue + remaining.pending + remaining.open === 0) return null
    if (performance.now() > giveUpAt) return remaining
    await pause(200)
  }
}
