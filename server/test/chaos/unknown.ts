import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { shiftClock } from '../../dev/installation.ts'
import { defectMessages } from '../../src/kit/log.ts'
import { type ProviderStandIn, providerGroups } from '../harness/provider-stand-ins.ts'
import { type ChaosInstallation, mondayMorning, startChaosInstallation } from './chaos-installation.ts'
import { linesIn } from './crash.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import { postUntilAnswered } from './post-until-answered.ts'
import { type Random, randomFrom } from './random.ts'
import { reachableInvoice } from './reachable-invoice.ts'
import { startSlowHttpProxy } from './slow-http-proxy.ts'

interface Size {
  sends: number
  kills: number
  seed: number
  leaseMs: number
}

const drainSeconds = 120
/** Sunday: debtors created now are not contacted yet. */
const sunday = Date.parse('2026-11-15T10:00:00+01:00')

/**
 * Messages through every HTTP provider, and the worker is killed while several of each are being sent. In the end each was
 * sent once or never, and it is known which: by asking the provider, never by sending again.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sends: { type: 'string', default: '100' },
      kills: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      'lease-ms': { type: 'string', default: '4000' },
    },
  })
  const size = {
    sends: Number(values.sends),
    kills: Number(values.kills),
    seed: Number(values.seed),
    leaseMs: Number(values['lease-ms']),
  }
  // One provider of text messages at a time: an installation has one.
  for (const group of providerGroups) await killDuringSends(findings, group, size)
}

type SlowProvider = ProviderStandIn & { proxy: Awaited<ReturnType<typeof startSlowHttpProxy>> }

async function killDuringSends(
  findings: Findings,
  group: (typeof providerGroups)[number],
  size: Size,
): Promise<void> {
  const { sends, kills, seed, leaseMs } = size
  const random = randomFrom(seed)
  const before = findings.counts().failed
  const providers: SlowProvider[] = []
  let installation: ChaosInstallation | null = null
  try {
    for (const start of group) {
      const standIn = await start()
      providers.push({
        ...standIn,
        proxy: await startSlowHttpProxy(standIn.url, () => random.between(...standIn.delayRangeMs)),
      })
    }
    const names = providers.map(({ name }) => name).join(', ')
    console.log(`unknown: ${names}; ${sends} sends each, ${kills} kills, seed ${seed}`)
    const env = Object.assign({}, ...providers.map(({ env: envFor, proxy }) => envFor(proxy.url)))
    installation = await startChaosInstallation({
      apis: 1,
      workers: 1,
      leaseMs,
      env,
    })
    const debtors = await importAll(installation, providers, sends)
    const met = await killAtWaves(installation, providers, debtors, size, random)
    const restartedAt = performance.now()
    const left = await drain(installation, restartedAt + drainSeconds * 1_000)
    findings.check(`everything settled within ${drainSeconds} s`, left === null, left ?? undefined)
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
    for (const message of [defectMessages.task, defectMessages.request]) {
      const logged = await linesIn(installation, message)
      findings.check(`nobody logged "${message}"`, logged.length === 0, logged)
    }
    for (const provider of providers) {
      findings.figure(`${provider.name}: in flight at each kill`, met[provider.name])
      await judgeProvider(findings, installation, provider, sends)
    }
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed && installation) console.log(`logs are kept in ${installation.logDir}`)
    await installation?.close(isRed)
    for (const { proxy, stop } of providers) {
      await proxy.stop()
      await stop()
    }
  }
}

/** Imports the debtors of each provider, in the order of the waves; none is due yet. */
async function importAll(
  installation: ChaosInstallation,
  providers: readonly SlowProvider[],
  sends: number,
): Promise<Map<string, string[]>> {
  await shiftClock(installation.database, sunday)
  // Nobody prints a letter without a sender.
  await installation.query(
    `update company_settings set address = '4 rue du Port', postal_code = '44000', city = 'Nantes', siren = '732829320' where tenant_id = $1`,
    [installation.company.tenants.production],
  )
  const customer = {
    apiUrls: installation.apiUrls,
    apiKey: installation.company.productionKey,
    lockRetryMs: 30_000,
  }
  const debtors = new Map<string, string[]>()
  for (const [row, { name, step }] of providers.entries()) {
    const outcomes = []
    for (let from = 0; from < sends; from += 100)
      outcomes.push(
        await postUntilAnswered<{ results: { id: string }[] }>(customer, {
          key: `${name}-${from}`,
          path: '/api/v1/invoices/bulk',
          body: {
            invoices: Array.from({ length: Math.min(100, sends - from) }, (_, n) => invoiceOf(row, from + n)),
          },
        }),
      )
    const ids = outcomes.flatMap(({ data, refusal }) => {
      if (!data) throw new Error(`nothing was imported: ${refusal}`)
      return data.results.map(({ id }) => id)
    })
    const found = await installation.query<{ debtor_id: string }>(
      `update recoveries set step = $2, wish_at = '2026-11-20T10:00:00+01:00', due_at = '2026-11-20T10:00:00+01:00' where invoice_id = any ($1::uuid[]) returning debtor_id`,
      [ids, step],
    )
    debtors.set(
      name,
      found.map(({ debtor_id }) => debtor_id),
    )
  }
  await installation.query(`update agendas set wake_at = '2027-01-01', wake_generation = wake_generation + 1`)
  await shiftClock(installation.database, mondayMorning)
  return debtors
}

function invoiceOf(row: number, n: number) {
  const serial = `${row}${String(n).padStart(5, '0')}`
  const phone = `+3361${row}${String(n + 1_111_11).padStart(6, '0')}`
  return reachableInvoice(`U-${serial}`, serial, phone, n + 1)
}

/** Lets a wave of each provider begin, waits until several of each are on their way, kills, and starts again. */
async function killAtWaves(
  installation: ChaosInstallation,
  providers: readonly SlowProvider[],
  debtors: ReadonlyMap<string, readonly string[]>,
  { sends, kills }: Size,
  random: Random,
): Promise<Record<string, number[]>> {
  const met: Record<string, number[]> = Object.fromEntries(providers.map(({ name }) => [name, []]))
  const worker = installation.workers[0]!
  const perWave = Math.ceil(sends / kills)
  for (let wave = 0; wave < kills; wave++) {
    const due = providers.flatMap(({ name }) =>
      debtors.get(name)!.slice(wave * perWave, (wave + 1) * perWave),
    )
    await installation.query(
      `with n as (select clock_timestamp() as wall, clock_timestamp() + clock_offset_ms * interval '1 millisecond' as at from installation),
       r as (update recoveries set wish_at = n.at, due_at = n.at from n where debtor_id = any ($1::uuid[]))
       update agendas set wake_at = n.wall, wake_generation = wake_generation + 1 from n where debtor_id = any ($1::uuid[])`,
      [due],
    )
    // Of a single wave most must be on their way: what had not left is sent another day, and proves nothing.
    const several = Math.min(kills === 1 ? perWave - 2 : 2, perWave)
    const giveUpAt = performance.now() + 5_000
    while (providers.some(({ proxy }) => proxy.inFlight() < several) && performance.now() < giveUpAt)
      await pause(10)
    await pause(random.between(0, Math.min(...providers.map(({ durationMs }) => durationMs))))
    for (const { name, proxy } of providers) met[name]!.push(proxy.inFlight())
    await worker.kill()
    await pause(random.between(100, 400))
    await worker.start()
  }
  return met
}

async function judgeProvider(
  findings: Findings,
  installation: ChaosInstallation,
  provider: SlowProvider,
  sends: number,
): Promise<void> {
  const { name, channel } = provider
  const rows = await installation.query<{ code: string; state: string; debtor_id: string }>(
    `select m.code, c.state, c.debtor_id from communications c
       left join message_codes m on m.tenant_id = c.tenant_id and m.communication_id = c.id
      where c.channel = $1 and c.step = $2`,
    [channel, provider.stepName],
  )
  const effects = provider.sentCodes()
  const timesOf = new Map<string, number>()
  for (const code of effects) timesOf.set(code, (timesOf.get(code) ?? 0) + 1)
  const twice = [...timesOf].filter(([, times]) => times > 1)
  findings.check(`${name}: no message left twice`, twice.length === 0, twice)
  const known = new Set(rows.map(({ code }) => code))
  const strange = effects.filter(code => !known.has(code))
  findings.check(`${name}: whatever left is one of our messages`, strange.length === 0, strange)
  const left = (code: string) => (timesOf.get(code) ?? 0) > 0
  const wrong = rows.filter(({ code, state }) => left(code) !== ['sent', 'delivered'].includes(state))
  findings.check(`${name}: what is said to be sent was sent, and nothing else was`, wrong.length === 0, wrong)
  const open = rows.filter(({ state }) => ['unknown', 'sending', 'reserved'].includes(state))
  findings.check(`${name}: no message has an unknown outcome`, open.length === 0, open)
  const written = new Set(rows.filter(({ code }) => left(code)).map(({ debtor_id }) => debtor_id))
  const unsent = new Set(rows.map(({ debtor_id }) => debtor_id).filter(id => !written.has(id)))
  findings.check(
    `${name}: all ${sends} were reached once, or are known not to have been`,
    written.size === effects.length && written.size + unsent.size === sends && unsent.size < sends / 4,
    `${effects.length} messages to ${written.size} people, ${unsent.size} to be tried again`,
  )
  const [lookedUp] = await installation.query<{ n: number }>(
    `select count(*)::int as n from communications where channel = $1 and looked_up_at is not null`,
    [channel],
  )
  findings.figure(`${name}: settled by asking`, lookedUp!.n)
  const why = await installation.query<{ reason: string; n: number }>(
    `select reason, count(*)::int as n from communications where channel = $1 and step = $2 and reason is not null group by 1`,
    [channel, provider.stepName],
  )
  if (why.length > 0)
    findings.figure(`${name}: reasons`, Object.fromEntries(why.map(({ reason, n }) => [reason, n])))
}
