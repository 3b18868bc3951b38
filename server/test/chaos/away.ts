import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { until } from './until.ts'

interface Answer {
  status: number
  retryAfter: string | null
  code: string | null
  id: string | null
}

const recoveryMs = 5_000
const drainMs = 15_000

/** Postgres is killed in the middle of transactions: requests fail cleanly and everything recovers. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  parseArgs({ args, options: {} })
  const installation = await startChaosInstallation({
    harmsPostgres: true,
    apis: 1,
    workers: 1,
    leaseMs: 2_000,
  })
  const before = findings.counts().failed
  try {
    const pids = [...installation.apis, ...installation.workers].map(part => part.pid())
    await withoutPostgres(installation, findings)
    const now = [...installation.apis, ...installation.workers].map(part => part.isUp() && part.pid())
    findings.check(
      'no process of ours ended',
      installation.unexpectedExits.length === 0 && now.every((pid, i) => pid === pids[i]),
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

async function call(
  installation: KillableInstallation,
  method: string,
  path: string,
  number?: string,
  body: unknown = number && invoiceOf(number),
): Promise<Answer> {
  const response = await fetch(installation.apiUrls[0] + path, {
    method,
    headers: {
      'x-api-key': installation.company.productionKey,
      ...(number && { 'content-type': 'application/json', 'idempotency-key': number }),
    },
    ...(number && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = (await response.json()) as { error?: { code: string }; data?: { id: string } }
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: answer.error?.code ?? null,
    id: answer.data?.id ?? null,
  }
}

const invoiceOf = (number: string) => ({
  invoiceNumber: number,
  amountCents: 120_000,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: { name: `Durand ${number}`, email: addressOf(number), postalCode: '69002', city: 'Lyon' },
})
const addressOf = (number: string) => `${number.toLowerCase()}@durand.example`
const create = (installation: KillableInstallation, number: string) =>
  call(installation, 'POST', '/api/v1/invoices', number)
const isUnavailable = (answer: Answer) =>
  answer.status === 503 && answer.code === 'SVC_001' && Number(answer.retryAfter) > 0

const receivedCount = (installation: KillableInstallation, numbers: readonly string[]) =>
  numbers.filter(number => installation.mailbox.messages().some(mail => mail.to === addressOf(number))).length

const seconds = (ms: number | null) => (ms === null ? 'never' : `${(ms / 1_000).toFixed(2)} s`)

/** Resolves while the api and the worker both wait for a lock inside a transaction of theirs. */
async function blockBothInTransaction(
  installation: KillableInstallation,
): Promise<{ posted: Promise<Answer>; holds: boolean }> {
  const blocker = new pg.Client({ connectionString: installation.database.adminUrl })
  blocker.on('error', () => {})
  await blocker.connect()
  const isWaiting = (role: string) => async () =>
    (
      await installation.query(
        `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock' and xact_start is not null`,
        [role],
      )
    ).length > 0
  await blocker.query('begin')
  await blocker.query('lock table communications in exclusive mode')
  await create(installation, 'A-2')
  const workerWaitMs = await until(isWaiting('relance-worker'), 3_000)
  await blocker.query('lock table invoices in exclusive mode')
  const posted = create(installation, 'A-3')
  const apiWaitMs = await until(isWaiting('relance-api'), 900)
  return {
    posted,
    holds: workerWaitMs !== null && apiWaitMs !== null && (await isWaiting('relance-worker')()),
  }
}

async function withoutPostgres(installation: KillableInstallation, findings: Findings): Promise<void> {
  const first = await create(installation, 'A-1')
  findings.check('a first create is answered 201', first.status === 201, first)
  const path = `/api/v1/invoices/${first.id}`
  await until(() => receivedCount(installation, ['A-1']) === 1, drainMs)

  const { posted, holds } = await blockBothInTransaction(installation)
  await installation.postgres.kill()
  findings.check('Postgres was killed while api and worker were inside a transaction', holds)
  const interrupted = await posted
  findings.check(
    'the request that was inside is answered SVC_001 with Retry-After',
    isUnavailable(interrupted),
    interrupted,
  )
  const read = await call(installation, 'GET', path)
  findings.check('a read meanwhile is answered SVC_001 with Retry-After', isUnavailable(read), read)
  const write = await create(installation, 'A-4')
  findings.check('a write meanwhile is answered SVC_001 with Retry-After', isUnavailable(write), write)
  const health = [
    await call(installation, 'GET', '/health'),
    await call(installation, 'GET', '/health/ready'),
  ]
  findings.check('/health stays 200', health[0]!.status === 200, health[0])
  findings.check('/health/ready is 503', health[1]!.status === 503, health[1])
  await pause(1_500)

  await installation.postgres.start()
  const back = await until(async () => {
    const answers = [await call(installation, 'GET', path), await create(installation, 'A-4')]
    return answers[0]!.status === 200 && answers[1]!.status === 201
  }, recoveryMs)
  findings.check('reads and writes are answered within 5 s of its return', back !== null, seconds(back))
  const again = await create(installation, 'A-3')
  findings.check('the interrupted request is created by its repetition', again.status === 201, again)
  const numbers = ['A-2', 'A-3', 'A-4']
  const drained = await until(() => receivedCount(installation, numbers) === numbers.length, drainMs)
  findings.check('what was under way is sent after its return', drained !== null, seconds(drained))
}
