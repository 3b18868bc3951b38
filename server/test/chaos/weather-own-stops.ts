import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import type { Random } from './random.ts'
import { until } from './until.ts'
import { addressOf, createDebtors } from './weather-debtors.ts'

const perRace = 4
/** How long a message that left after the answer has to show itself, after the last one that is on its way has an outcome. */
const stillnessMs = 250
const outcomeMs = 20_000

interface Stopped {
  inFlight: { communicationId: string }[]
}

/** A company stops its own sending while messages are on their way: after the answer only those arrive that it named. */
export async function proveOwnStops(
  installation: ChaosInstallation,
  findings: Findings,
  races: number,
  random: Random,
): Promise<void> {
  const post = async <Data>(path: string, body: unknown): Promise<Data> => {
    const response = await fetch(`${installation.apiUrls[0]}/api/v1/company/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': installation.company.productionKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 200)
      throw new Error(`${path} was answered ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: Data }).data
  }
  const mails = () => installation.mailbox.messages()
  const numbers: string[] = []
  const unnamed: string[] = []
  let [named, held, longestMs] = [0, 0, 0]
  for (let i = 0; i < races; i++) {
    const own = Array.from({ length: perRace }, (_, j) => `OWN-${i}-${j}`)
    numbers.push(...own)
    await createDebtors(installation, own)
    // Messages are on their way: the stop meets them anywhere between the reservation and the answer of the mail server.
    await until(
      async () => (await installation.query('select 1 from pending_sends limit 1')).length > 0,
      5_000,
    )
    await pause(random.between(0, 300))
    const asked = performance.now()
    const { inFlight } = await post<Stopped>('stop-sending', { reason: 'proof' })
    longestMs = Math.max(longestMs, performance.now() - asked)
    const atAnswer = mails().length
    await until(
      async () =>
        (await installation.query(`select 1 from communications where state = 'sending' limit 1`)).length ===
        0,
      outcomeMs,
    )
    await pause(stillnessMs)
    const ids = inFlight.map(({ communicationId }) => communicationId)
    named += ids.length
    for (const { communicationId, to } of mails().slice(atAnswer))
      if (!ids.includes(communicationId ?? '')) unnamed.push(`race ${i}: ${to}`)
    const addresses = new Set(own.map(addressOf))
    held += perRace - mails().filter(({ to }) => addresses.has(to)).length
    await post('resume-sending', {})
  }
  findings.check(
    `own stop: no message leaves after the answer but those it names, in ${races} races`,
    unnamed.length === 0,
    unnamed,
  )
  findings.figure('own stop: messages named, held back, of all, and the longest wait for the answer', {
    named,
    held,
    all: numbers.length,
    longestMs: Math.round(longestMs),
  })
  findings.check('own stop: messages were held back', held > 0, held)
  const wanted = new Set(numbers.map(addressOf))
  const arrived = () => mails().filter(({ to }) => wanted.has(to)).length
  const done = await until(() => arrived() >= wanted.size, 60_000)
  findings.check(
    'own stop: afterwards everybody is written to once',
    done !== null && arrived() === wanted.size,
    {
      arrived: arrived(),
      wanted: wanted.size,
    },
  )
}
