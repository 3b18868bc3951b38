import { parseArgs } from 'node:util'
import { startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { routes } from './fuzz-document.ts'
import { checkInvariants } from './fuzz-invariants.ts'
import { fuzz } from './fuzz-run.ts'

/** Here are no model, no people and no letters; the guard `fuzz.test.ts` has the first two, and asks these rightly. */
const isUnreachable = (operation: string) =>
  /^(agent\.|members\.(update|remove)$|sandbox\.simulate(Delivered|Bounced|NoAnswer|Lrar)|communications\.(get|acknowledge)$|invoices\.acknowledgePromise$|workflow\.takeBack$|tasks\.(start|map|undo|erase)$)/.test(
    operation,
  )

/** Sends generated requests to a real api process: `npm run prove -- fuzz --requests 100000 --seed 7`. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const requests = Number(values.requests)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 1,
    leaseMs: 10_000,
    env: { EGRESS_TEST_ALLOW: '127.0.0.1:*' },
  })
  try {
    findings.figure('seed', values.seed)
    const { sent, byStatus, succeeded, failures, seconds } = await fuzz({
      baseUrl: installation.apiUrls[0]!,
      callers: [
        { tenant: 'production', key: installation.company.productionKey },
        { tenant: 'sandbox', key: installation.company.sandboxKey },
      ],
      requests,
      isUnreachable,
      seed: Number(values.seed),
      concurrency: 8,
    })
    findings.figure('requests', `${sent} in ${seconds.toFixed(1)} s`)
    findings.figure('answers by status', byStatus)
    for (const failure of failures) console.log(failure)
    findings.check(
      'every answer is one the document promises, and none is a server error',
      failures.length === 0,
    )
    findings.check('all of them were asked', sent >= requests, sent)
    const never = routes.filter(({ id }) => !succeeded.has(id) && !isUnreachable(id)).map(route => route.id)
    findings.check('every operation was also asked rightly', never.length === 0, never)
    for (const { promise, broken } of await checkInvariants(text => installation.query(text)))
      findings.check(promise, broken.length === 0, broken)
    findings.check(
      'no process of ours ended',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}
