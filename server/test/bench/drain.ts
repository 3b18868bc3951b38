import { setTimeout as pause } from 'node:timers/promises'
import { insertInvoices, numbered } from './data.ts'
import type { BenchEnvironment } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import type { Size } from './http.ts'
import { startServer } from './http.ts'
import { runWave, type Sender, startSender } from './sends.ts'

const requestsPerSecond = 20

interface CustomerLatency {
  p99: number
  failures: number
}

/** Requests of customers meanwhile: reads, a list, a create, at a steady rate, however slow the answers are. */
async function sendCustomerRequests(
  url: string,
  apiKey: string,
  invoiceId: string,
  isOver: () => boolean,
): Promise<{ took: number[]; failures: number }> {
  const took: number[] = []
  let failures = 0
  const pending: Promise<void>[] = []
  const request = async (i: number) => {
    const startedAt = performance.now()
    const isCreate = i % 4 === 3
    const path = [
      `/api/v1/invoices/${invoiceId}`,
      '/api/v1/invoices?limit=20',
      `/api/v1/invoices/${invoiceId}`,
    ]
    const response = await fetch(url + (isCreate ? '/api/v1/invoices' : path[i % 4]), {
      method: isCreate ? 'POST' : 'GET',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(isCreate && {
        body: JSON.stringify({
          invoiceNumber: `BESIDE-${Math.random().toString(36).slice(2)}-${i}`,
          amountCents: 120_000,
          issueDate: '2026-09-15',
          dueDate: '2027-10-15',
          debtor: { name: `Beside ${i} SARL`, email: `beside${i}@durand.example`, postalCode: '69002' },
        }),
      }),
    })
    await response.arrayBuffer()
    if (response.status >= 500) failures++
    took.push(performance.now() - startedAt)
  }
  const startedAt = performance.now()
  for (let i = 0; !isOver(); i++) {
    pending.push(request(i))
    const left = startedAt + ((i + 1) * 1000) / requestsPerSecond - performance.now()
    if (left > 0) await pause(left)
  }
  await Promise.all(pending)
  return { took, failures }
}

const p99 = (took: readonly number[]) =>
  [...took].sort((a, b) => a - b)[Math.min(took.length - 1, Math.floor(took.length * 0.99))] ?? Number.NaN

/** An API on the database of a sender, as busy as customers make it. */
async function startCustomers(environment: BenchEnvironment, sender: Sender) {
  const { installation, template } = sender
  const loaded = await insertInvoices(installation, template, {
    first: 950_000_000,
    count: 1,
    wakeAt: Date.now() + 86_400_000,
  })
  const server = await startServer(environment, 'full', { installation, loaded })
  const url = `http://127.0.0.1:${server.port}`
  const invoiceId = numbered(loaded.invoiceIdPrefix, loaded.first)
  return async (isOver: () => boolean): Promise<CustomerLatency> => {
    const { took, failures } = await sendCustomerRequests(
      url,
      installation.company.productionKey,
      invoiceId,
      isOver,
    )
    return { p99: p99(took), failures }
  }
}

/** Very many debtors are due at once: drained by one worker, by two, and while the API is in use. */
export async function benchDrain(environment: BenchEnvironment, { rounds, small }: Size): Promise<Figure[]> {
  const count = small ? 200 : 20_000
  console.log(`drain: ${count} agendas due at once, by SMTP, ${environment.postgres}`)
  const others = small ? 2_000 : 20_000
  const bare = await startSender(environment, 'bare', others)
  const one = await startSender(environment, 'product', others)
  const two = await startSender(environment, 'product', others, 2)
  const customers = await startCustomers(environment, one)
  const senders = [bare, one, two]
  for (const sender of senders) await runWave(sender, small ? 100 : 2_000)
  const warmUntil = performance.now() + (small ? 500 : 5_000)
  await customers(() => performance.now() > warmUntil)
  const soloRates: number[][] = [[], [], []]
  const idle: CustomerLatency[] = []
  const busy: CustomerLatency[] = []
  const ratesBesideApi: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [i, sender] of senders.entries()) soloRates[i]!.push((await runWave(sender, count)).perSecond)
    const quietUntil = performance.now() + (small ? 1_000 : 15_000)
    idle.push(await customers(() => performance.now() > quietUntil))
    const wave = await runWave(one, count, async isOver => void busy.push(await customers(isOver)))
    ratesBesideApi.push(wave.perSecond)
  }
  const [bareRates, oneRates, twoRates] = soloRates as [number[], number[], number[]]
  return [
    { name: 'bare loop', unit: 'sends/s', values: bareRates },
    { name: 'one worker', unit: 'sends/s', values: oneRates },
    { name: 'two workers', unit: 'sends/s', values: twoRates },
    { name: 'one worker / bare', unit: '', values: ratios(oneRates, bareRates), target: { least: 0.7 } },
    { name: 'two workers / one', unit: '', values: ratios(twoRates, oneRates), target: { least: 1 } },
    {
      name: 'beside the API / bare',
      unit: '',
      values: ratios(ratesBesideApi, bareRates),
      target: { least: 0.4 },
    },
    { name: 'API p99, idle', unit: 'ms', values: idle.map(seen => seen.p99) },
    {
      name: 'API p99, while draining',
      unit: 'ms',
      values: busy.map(seen => seen.p99),
      target: { most: 100 },
    },
    {
      name: 'API p99, draining / idle',
      unit: '',
      values: ratios(
        busy.map(seen => seen.p99),
        idle.map(seen => seen.p99),
      ),
      target: { most: 5 },
    },
    { name: 'answers of 500 and above', unit: '', values: [...idle, ...busy].map(seen => seen.failures) },
  ]
}
