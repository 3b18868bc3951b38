import { setTimeout as pause } from 'node:timers/promises'
import {
  resumeSends,
  stopSends,
  waitForSendsToEnd,
} from '../../src/features/access/companies/operate-sends.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import type { Random } from './random.ts'
import { until } from './until.ts'
import { addressOf, createDebtors } from './weather-debtors.ts'

const perRace = 4
/** How long a message that left after the answer has to show itself. */
const stillnessMs = 250

/** A stop races messages on their way: whatever arrives has arrived when the command answers. */
export async function proveStops(
  installation: ChaosInstallation,
  findings: Findings,
  races: number,
  random: Random,
): Promise<void> {
  const pool = createPool({
    url: installation.database.env.OPERATOR_DATABASE_URL,
    role: 'relance-operator',
    max: 2,
    statementTimeoutMs: 30_000,
  })
  const contextNow = () => ({
    pool,
    wall: systemClock.wall(),
    newId: () => uuidv7(systemClock.wall()),
    by: 'proof',
  })
  const received = () => installation.mailbox.messages().length
  const numbers: string[] = []
  const late: string[] = []
  let held = 0
  let longestMs = 0
  const waiting = { pool, clock: systemClock, leaseMs: 60_000 }
  try {
    for (let i = 0; i < races; i++) {
      const own = Array.from({ length: perRace }, (_, j) => `RACE-${i}-${j}`)
      numbers.push(...own)
      await createDebtors(installation, own)
      // Messages are on their way: the stop meets them anywhere between the reservation and the answer of the mail server.
      await until(
        async () => (await installation.query('select 1 from pending_sends limit 1')).length > 0,
        5_000,
      )
      await pause(random.between(0, 300))
      const target = i % 2 === 0 ? {} : { company: installation.company.companyId }
      const asked = performance.now()
      const stopped = await stopSends(contextNow(), target, 'proof')
      await waitForSendsToEnd(waiting, stopped.target)
      longestMs = Math.max(longestMs, performance.now() - asked)
      const atAnswer = received()
      await pause(stillnessMs)
      if (received() > atAnswer) late.push(`race ${i}: ${received() - atAnswer}`)
      const addresses = new Set(own.map(addressOf))
      held += perRace - installation.mailbox.messages().filter(({ to }) => addresses.has(to)).length
      await resumeSends(contextNow(), target)
    }
  } finally {
    await pool.end()
  }
  findings.check(`stop: no message leaves after the answer, in ${races} races`, late.length === 0, late)
  findings.figure('stop: messages held back of all, and the longest wait for the answer', {
    held,
    all: numbers.length,
    longestMs: Math.round(longestMs),
  })
  const wanted = new Set(numbers.map(addressOf))
  const arrived = () => installation.mailbox.messages().filter(({ to }) => wanted.has(to)).length
  const done = await until(() => arrived() >= wanted.size, 60_000)
  const missing = await installation.query(
    `select d.email, a.wake_at, a.wake_because from debtors d join agendas a on a.debtor_id = d.id where d.email = any ($1)`,
    [[...wanted].filter(address => !installation.mailbox.messages().some(({ to }) => to === address))],
  )
  const isOnce = done !== null && arrived() === wanted.size && missing.length === 0
  findings.check('stop: afterwards everybody is written to once', isOnce, isOnce ? wanted.size : missing)
}
