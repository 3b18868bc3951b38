import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

const concurrentRequests = 50
const lockRetryMs = 20_000

interface HttpReply {
  status: number
  text: string
}

/** Fifty copies of one request with one idempotency key, at two APIs, one of which is killed meanwhile: one effect. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '10' } } })
  const installation = await startChaosInstallation({
    apis: 2,
    workers: 1,
    leaseMs: 4_000,
  })
  const before = findings.counts().failed
  try {
    let interrupted = 0
    const faults: unknown[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const number = `TWICE-${round}`
      const pending = Array.from({ length: concurrentRequests }, (_, i) =>
        postUntilAnswered(
          installation.apiUrls,
          installation.company.productionKey,
          number,
          i,
          () => interrupted++,
        ),
      )
      // Sometimes before the commit, sometimes after it, sometimes while the answers are on their way.
      await pause(round * 4)
      const victim = installation.apis[round % 2]!
      await victim.kill()
      const [answers] = await Promise.all([Promise.all(pending), victim.start()])
      const rows = await installation.query('select id from invoices where number = $1', [number])
      const texts = new Set(answers.map(answer => answer?.text))
      const isFine = rows.length === 1 && texts.size === 1 && answers.every(answer => answer?.status === 201)
      if (!isFine) faults.push({ round, rows: rows.length, answers: [...texts].slice(0, 3) })
    }
    findings.figure('requests cut off by a kill and repeated', interrupted)
    findings.check(
      `${concurrentRequests} requests with one key and a process killed among them: one invoice, ${concurrentRequests} equal answers`,
      faults.length === 0,
      faults,
    )
    findings.check('the kills met requests under way', interrupted > 0, interrupted)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

/** The same request with the same key until there is an answer, first at one API and then at the other. */
async function postUntilAnswered(
  urls: readonly string[],
  apiKey: string,
  number: string,
  i: number,
  onInterrupted: () => void,
): Promise<HttpReply | null> {
  const body = JSON.stringify({
    invoiceNumber: number,
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: {
      name: `Durand ${number}`,
      email: `${number.toLowerCase()}@durand.example`,
      postalCode: '69002',
    },
  })
  const giveUpAt = performance.now() + lockRetryMs
  for (let attempt = 0; performance.now() < giveUpAt; attempt++) {
    try {
      const response = await fetch(`${urls[(i + attempt) % urls.length]}/api/v1/invoices`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': number },
        body,
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      // 423: the first is still running, or was, and its lock goes with its connection.
      if (response.status !== 423 && response.status < 500) return { status: response.status, text }
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      onInterrupted()
    }
    await pause(100)
  }
  return null
}
