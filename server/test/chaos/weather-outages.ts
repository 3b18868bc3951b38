import { setTimeout as pause } from 'node:timers/promises'
import { brevo, maileva, ovhcloud, type ProviderStandIn, twilioVoice } from '../harness/provider-stand-ins.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { reachableInvoice } from './reachable-invoice.ts'
import { until } from './until.ts'
import { startWeatherProxy, type Weather, type WeatherProxy } from './weather-proxy.ts'

const minute = 60_000
const hour = 60 * minute

interface Outage {
  name: string
  weather: Weather
  lastsMs: number
  /** How far the clock moves at a time. */
  stepMs: number
  /** On which days of the week it may begin. */
  beginsOn: readonly number[]
}
const midweek = [2, 3] as const
const friday = [5] as const
const outages: readonly Outage[] = [
  { name: 'away for a day', weather: 'away', lastsMs: 24 * hour, stepMs: 30 * minute, beginsOn: midweek },
  {
    name: 'throttling for a morning',
    weather: 'throttled',
    lastsMs: 4 * hour,
    stepMs: 15 * minute,
    beginsOn: midweek,
  },
  {
    name: 'out of credit for a weekend',
    weather: 'unpaid',
    lastsMs: 64 * hour,
    stepMs: hour,
    beginsOn: friday,
  },
  { name: 'hanging for an hour', weather: 'hanging', lastsMs: hour, stepMs: 30 * minute, beginsOn: midweek },
]
/** In the hours of calls, in which every channel may be used. */
const dueWithinMs = hour

type Provider = ProviderStandIn & { proxy: WeatherProxy }

/**
 * A provider is in trouble, on each channel in turn. Every channel has messages due all the while. Afterwards everybody has had
 * the message of that step once, and the other channels were as quick as in calm weather.
 */
export async function outagesOnEachChannel(
  findings: Findings,
  { debtors, isSmall, only }: { debtors: number; isSmall: boolean; only?: string | undefined },
): Promise<void> {
  const before = findings.counts().failed
  const providers: Provider[] = []
  let installation: ChaosInstallation | null = null
  try {
    for (const start of [brevo, ovhcloud, maileva, twilioVoice]) {
      const standIn = await start()
      providers.push({ ...standIn, proxy: await startWeatherProxy(standIn.url) })
    }
    installation = await startChaosInstallation({
      apis: 1,
      workers: 1,
      // Longer than a provider may take to answer.
      leaseMs: 25_000,
      env: {
        ...Object.assign({}, ...providers.map(({ env, proxy }) => env(proxy.url))),
        NEVER_SEEN_AFTER_MS: '30000',
      },
    })
    await installation.query(
      `update company_settings set address = '4 rue du Port', postal_code = '44000', city = 'Nantes', siren = '732829320' where tenant_id = $1`,
      [installation.company.tenants.production],
    )
    const scene = new Scene(installation, providers, debtors)
    const short = outages
      .filter(({ weather }) => weather === 'throttled')
      .map(outage => ({ ...outage, name: 'throttling for an hour', lastsMs: hour }))
    const chosen = (isSmall ? short : outages).filter(({ weather }) => only === undefined || weather === only)
    const affected = isSmall ? providers.filter(({ channel }) => channel === 'sms') : providers
    for (const outage of chosen)
      for (const provider of affected) {
        const title = `${provider.channel} ${outage.name}`
        const usual = await scene.play(null, { ...outage, weather: 'calm', lastsMs: dueWithinMs })
        const seen = await scene.play(provider, outage)
        findings.check(`${title}: no step is lost`, seen.unwritten.length === 0, seen.unwritten)
        findings.check(`${title}: nobody is written to twice`, seen.twice.length === 0, seen.twice)
        findings.check(`${title}: no attempt is used up`, seen.failed === 0 || outage.weather === 'hanging', {
          failed: seen.failed,
        })
        findings.check(`${title}: the outage was seen and is over`, seen.wasAway && seen.isBack)
        for (const [channel, lateness] of Object.entries(seen.lateness)) {
          const ratio = lateness / usual.lateness[channel]!
          const figures = { ratio: ratio.toFixed(2), seconds: (lateness / 1_000).toFixed(2) }
          // The small form runs beside other proofs, with few messages: its times prove nothing.
          if (isSmall) findings.figure(`${title}: ${channel}, times calm`, figures)
          else findings.check(`${title}: ${channel} is within 1.5 × of calm`, ratio <= 1.5, figures)
        }
      }
    findings.check('no process ended by itself', installation.unexpectedExits.length === 0)
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

interface Seen {
  unwritten: string[]
  twice: string[]
  failed: number
  wasAway: boolean
  isBack: boolean
  /** From due to sent, the mean of each channel but the one in trouble, in ms. */
  lateness: Record<string, number>
}

interface Invoice {
  id: string
  debtorId: string
  dueAt: number
}

class Scene {
  /** The moment of the installation's clock; it runs on from there. */
  private now = Date.parse('2026-11-16T09:30:00+01:00')
  private moves: number[] = []
  private scenes = 0

  private readonly installation: ChaosInstallation
  private readonly providers: readonly Provider[]
  private readonly debtors: number

  constructor(installation: ChaosInstallation, providers: readonly Provider[], debtors: number) {
    this.installation = installation
    this.providers = providers
    this.debtors = debtors
  }

  async play(affected: Provider | null, { weather, lastsMs, stepMs, beginsOn }: Outage): Promise<Seen> {
    const start = this.nextMorning(beginsOn)
    // Imported at night: at any other time the first message of the cascade would leave before the step is set.
    await this.moveTo(start - 5 * hour)
    const invoices = new Map<Provider, Invoice[]>()
    for (const provider of this.providers) invoices.set(provider, await this.createDue(provider, start))
    await this.moveTo(start)
    await affected?.proxy.setWeather(weather)
    let wasAway = false
    while (this.now < start + lastsMs) {
      await this.moveTo(this.now + stepMs)
      await this.untilQuiet(weather === 'hanging' ? affected : null)
      wasAway ||= (await this.outages()) > 0
    }
    // Silence is noticed when requests time out, by the wall.
    if (weather === 'hanging' && !wasAway)
      wasAway = (await until(async () => (await this.outages()) > 0, 90_000)) !== null
    await affected?.proxy.setWeather('calm')
    const everyone = [...invoices].flatMap(([provider, own]) => own.map(invoice => ({ provider, invoice })))
    const limit = this.now + 8 * 24 * hour
    while (this.now < limit && (await this.unwritten(everyone)).length > 0) {
      await this.moveTo(this.now + 30 * minute)
      await this.untilQuiet(null)
    }
    const seen = {
      ...(await this.judge(everyone)),
      wasAway,
      isBack: (await this.outages()) === 0,
      lateness: await this.latenessOf(invoices, affected),
    }
    // What follows in their cascades belongs to no scene.
    await this.installation.query(
      `update recoveries set wish_at = null, due_at = null where due_at is not null`,
    )
    await this.installation.query(`update agendas set wake_at = null, wake_generation = wake_generation + 1`)
    return seen
  }

  private nextMorning(weekdays: readonly number[]): number {
    const day = 24 * hour
    for (let at = this.now - (this.now % day) + 9.5 * hour; ; at += day)
      if (at > this.now && weekdays.includes(new Date(at).getUTCDay())) return at
  }

  /** Moves the installation's clock, and with it what is planned by the wall. */
  private async moveTo(now: number): Promise<void> {
    const [row] = await this.installation.query<{ moved: number }>(
      `with old as (select clock_offset_ms from installation)
       update installation n set clock_offset_ms = $1 - round(extract(epoch from clock_timestamp()) * 1000)
         from old returning (n.clock_offset_ms - old.clock_offset_ms)::float as moved`,
      [now],
    )
    await this.installation.query(
      `update agendas set wake_at = wake_at - $1 * interval '1 millisecond' where wake_at is not null`,
      [row!.moved],
    )
    this.now = now
    this.moves.push(now)
  }

  /** Debtors with the step of this provider, due one after the other within an hour of the start. */
  private async createDue(provider: Provider, start: number): Promise<Invoice[]> {
    const scene = ++this.scenes
    const response = await fetch(`${this.installation.apiUrls[0]}/api/v1/invoices/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': this.installation.company.productionKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        invoices: Array.from({ length: this.debtors }, (_, n) => invoiceOf(scene, n)),
      }),
    })
    if (response.status !== 201) throw new Error(`the import was answered ${response.status}`)
    const { data } = (await response.json()) as { data: { results: { id: string }[] } }
    await this.untilQuiet(null)
    const dueAt = (n: number) => start + ((n + 1) * dueWithinMs) / (this.debtors + 1)
    const rows = await this.installation.query<{ invoice_id: string; debtor_id: string }>(
      `update recoveries r set step = $2, due_because = 'cascade', wish_at = x.at, due_at = x.at
         from jsonb_to_recordset($1::jsonb) as x(id uuid, at timestamptz) where r.invoice_id = x.id
       returning r.invoice_id, r.debtor_id`,
      [
        JSON.stringify(data.results.map(({ id }, n) => ({ id, at: new Date(dueAt(n)).toISOString() }))),
        provider.step,
      ],
    )
    await this.installation.query(
      `update agendas a set wake_generation = a.wake_generation + 1, wake_at = r.due_at - n.clock_offset_ms * interval '1 millisecond'
         from recoveries r, installation n where r.debtor_id = a.debtor_id and r.invoice_id = any ($1::uuid[])`,
      [rows.map(({ invoice_id }) => invoice_id)],
    )
    const numbers = new Map(data.results.map(({ id }, n) => [id, dueAt(n)]))
    return rows.map(row => ({
      id: row.invoice_id,
      debtorId: row.debtor_id,
      dueAt: numbers.get(row.invoice_id)!,
    }))
  }

  /** Nothing is due and nothing is on its way; what hangs at a provider is left. */
  private async untilQuiet(hanging: Provider | null): Promise<void> {
    const giveUpAt = performance.now() + 60_000
    for (;;) {
      const [row] = await this.installation.query<{ n: number }>(
        `select (select count(*) from agendas where wake_at <= clock_timestamp())::int
              + (select count(*) from communications where state in ('reserved', 'sending') and channel is distinct from $1)::int as n`,
        [hanging?.channel ?? null],
      )
      if (row!.n === 0 || performance.now() > giveUpAt) return
      await pause(50)
    }
  }

  private async outages(): Promise<number> {
    const rows = await this.installation.query('select from provider_outages where until is not null')
    return rows.length
  }

  private sentTimes(everyone: readonly { provider: Provider; invoice: Invoice }[]) {
    const codes = new Map(this.providers.map(provider => [provider, provider.sentCodes()]))
    return async () => {
      const rows = await this.installation.query<{ code: string; debtor_id: string; step: string }>(
        `select m.code, c.debtor_id, c.step from communications c
           join message_codes m on m.tenant_id = c.tenant_id and m.communication_id = c.id
          where c.debtor_id = any ($1::uuid[])`,
        [everyone.map(({ invoice }) => invoice.debtorId)],
      )
      return everyone.map(({ provider, invoice }) => {
        const own = new Set(
          rows
            .filter(row => row.debtor_id === invoice.debtorId && row.step === provider.stepName)
            .map(({ code }) => code),
        )
        return { invoice, provider, times: codes.get(provider)!.filter(code => own.has(code)).length }
      })
    }
  }

  private async unwritten(everyone: readonly { provider: Provider; invoice: Invoice }[]) {
    return (await this.sentTimes(everyone)()).filter(({ times }) => times === 0)
  }

  private async judge(everyone: readonly { provider: Provider; invoice: Invoice }[]) {
    const seen = await this.sentTimes(everyone)()
    const waiting = await this.installation.query<{ invoice_id: string; why: string }>(
      `select invoice_id, concat_ws(' ', status, step, attempt, due_because, due_at) as why from recoveries where invoice_id = any ($1::uuid[])`,
      [everyone.map(({ invoice }) => invoice.id)],
    )
    const whyOf = new Map(waiting.map(({ invoice_id, why }) => [invoice_id, why]))
    const nameOf = ({ provider, invoice }: (typeof seen)[number]) =>
      `${provider.channel}: ${whyOf.get(invoice.id)}`
    const [row] = await this.installation.query<{ n: number }>(
      `select count(*)::int as n from communications where state = 'failed' and debtor_id = any ($1::uuid[])`,
      [everyone.map(({ invoice }) => invoice.debtorId)],
    )
    return {
      unwritten: seen.filter(({ times }) => times === 0).map(nameOf),
      twice: seen.filter(({ times }) => times > 1).map(nameOf),
      failed: row!.n,
    }
  }

  /** Nobody can be on time while the clock jumps: what was due in a jump is late from its end on. */
  private async latenessOf(
    invoices: ReadonlyMap<Provider, readonly Invoice[]>,
    affected: Provider | null,
  ): Promise<Record<string, number>> {
    const lateness: Record<string, number> = {}
    for (const [provider, own] of invoices) {
      if (provider === affected) continue
      const rows = await this.installation.query<{ debtor_id: string; sent_at: Date }>(
        `select debtor_id, sent_at from communications
          where sent_at is not null and step = $2 and debtor_id = any ($1::uuid[])`,
        [own.map(({ debtorId }) => debtorId), provider.stepName],
      )
      const dueOf = new Map(own.map(({ debtorId, dueAt }) => [debtorId, dueAt]))
      const times = rows.map(({ debtor_id, sent_at }) => {
        const sentAt = sent_at.getTime()
        const due = dueOf.get(debtor_id)!
        return sentAt - Math.max(due, this.moves.find(move => move >= due) ?? due)
      })
      lateness[provider.channel] = times.reduce((sum, ms) => sum + ms, 0) / times.length
    }
    return lateness
  }
}

function invoiceOf(scene: number, n: number) {
  const serial = `${scene}x${n}`
  const phone = `+3361${String(scene).padStart(3, '0')}${String(n + 1_111).padStart(4, '0')}`
  return reachableInvoice(`W-${serial}`, serial, phone, n + 1)
}
