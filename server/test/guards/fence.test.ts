import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmailMessage, providerNames, type Reentry } from '../../src/adapters/channel.ts'
import { simulator } from '../../src/adapters/simulator.ts'
import { sendClaimed } from '../../src/features/recovery/messages/send/send-message.ts'
import { wakeDebtor } from '../../src/features/recovery/wake/wake-debtor.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'
import { workerWithoutLoop } from '../harness/worker-without-loop.ts'

/*
 * Everything that reaches a real provider passes the fence first: it is where a stop ends, and what tells after a crash whether a
 * message may have left.
 */

const installation = useInstallation({ hasWorker: false })
let worker: ReturnType<typeof workerWithoutLoop>
beforeAll(() => {
  worker = workerWithoutLoop(installation.database, { connections: 2, reclaimAfterMs: 75_000 })
})
afterAll(() => worker?.stop())

/** Sends the first message of a new invoice. Returns what the fence had written when the provider got the message. */
async function fenceOf(environment: 'production' | 'sandbox', reentry: Reentry): Promise<Date | null> {
  const { company } = installation
  const made = await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
    key: environment === 'production' ? company.productionKey : company.sandboxKey,
    body: invoiceInput({ dueDate: '2027-02-01' }),
  })
  const debtorId = made.body.data.debtor.id
  const [agenda] = await installation.sql<{ wake_generation: string }>(
    `with due as (
       update recoveries r set due_at = clock_timestamp() + (n.clock_offset_ms - 1000) * interval '1 millisecond'
         from installation n where r.debtor_id = $1)
     update agendas set wake_at = clock_timestamp() where debtor_id = $1 returning wake_generation`,
    [debtorId],
  )
  const written: (Date | null)[] = []
  const email = {
    ...simulator<EmailMessage>('email', async ({ communicationId }) => {
      const [row] = await installation.sql<{ committing_at: Date | null }>(
        'select committing_at from communications where id = $1',
        [communicationId],
      )
      written.push(row!.committing_at)
    }),
    reentry,
  }
  const sender = { ...worker, channelsFor: () => ({ email, sms: null, lrar: null, voice: null }) }
  const wakeUp = {
    tenantId: company.tenants[environment],
    debtorId,
    generation: Number(agenda!.wake_generation),
  }
  const woken = await wakeDebtor(sender, wakeUp)
  if (woken?.kind !== 'send' || !woken.claim) throw new Error('nothing was claimed')
  await sendClaimed(sender, woken.claim)
  expect(written).toHaveLength(1)
  return written[0]!
}

describe('the fence is written before a message leaves', () => {
  const reentries: Record<Reentry, true> = { idempotent: true, lookup: true, none: true }
  it.each(Object.keys(reentries) as Reentry[])('also with a provider whose re-entry is %s', async reentry => {
    expect(await fenceOf('production', reentry)).toBeInstanceOf(Date)
  })

  it('except in a sandbox, which reaches nobody', async () => {
    expect(await fenceOf('sandbox', 'idempotent')).toBeNull()
  })
})

it('every adapter that reaches people runs the conformance suite, which awaits the fence', async () => {
  const adapters = join(import.meta.dirname, '../../src/adapters')
  const found: string[] = []
  for await (const file of glob('{email,sms,letter,voice}/*.ts', { cwd: adapters })) {
    const text = readFileSync(join(adapters, file), 'utf8')
    if (file.endsWith('.test.ts') || !/\breentry: '/.test(text)) continue
    const name = /\n\s+name: '([\w-]+)',\n\s+reentry: '/.exec(text)?.[1]
    expect(name, `${file}: the name comes before the re-entry`).toBeDefined()
    found.push(name!)
    const tests = readFileSync(join(adapters, file.replace(/\.ts$/, '.test.ts')), 'utf8')
    expect(tests, basename(file)).toMatch(/\n\s*channelConformance\(/)
  }
  expect(found.sort()).toEqual([...providerNames].sort())
})
