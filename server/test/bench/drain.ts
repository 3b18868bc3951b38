import { setTimeout as pause } from 'node:timers/promises'
import { castInvoices, numbered } from './data.ts'
import { type Figure, ratios } from './figures.ts'
import type { Size } from './http.ts'
import { startServer } from './http.ts'
import type { Place } from './place.ts'
import { runWave, type Sender, startSender } from './sends.ts'

const requestsPerSecond = 20

interface Beside {
  p99: number
  failures: number
}

/** What customers do meanwhile: reads, a list, a create, at a steady pace whatever the answers do. */
async function knock(
  url: string,
  apiKey: string,
  invoiceId: string,
  isOver: () => boolean,
): Promise<{ took: number[]; failures: number }> {
  const took: number[] = []
  let failures = 0
  const asking: Promise<void>[] = []
  const ask = async (i: number) => {
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
    asking.push(ask(i))
    const left = startedAt + ((i + 1) * 1000) / requestsPerSecond - performance.now()
    if (left > 0) await pause(left)
  }
  await Promise.all(asking)
  return { took, failures }
}

const p99 = (took: readonly number[]) =>
  [...took].sort((a, b) => a - b)[Math.min(took.length - 1, Math.floor(took.length * 0.99))] ?? Number.NaN

/** An API on the database of a sender, as busy as customers make it. */
async function startCustomers(place: Place, sender: Sender) {
  const { site, mould } = sender
  const loaded = await castInvoices(site, mould, {
    first: 950_000_000,
    count: 1,
    wakeAt: Date.now() + 86_400_000,
  })
  const server = await startServer(place, 'full', { site, loaded })
  const url = `http://127.0.0.1:${server.port}`
  const invoiceId = numbered(loaded.invoiceIdPrefix, loaded.first)
  return async (isOver: () => boolean): Promise<Beside> => {
    const { took, failures } = await knock(url, site.company.sandboxKey, invoiceId, isOver)
    return { p99: p99(took), failures }
  }
}

/** A minute in which very many debtors are due: drained alone, by two workers, and beside an API in use. */
export async function benchDrain(place: Place, { rounds, small }: Size): Promise<Figure[]> {
  const count = small ? 200 : 20_000
  console.log(`drain: ${count} agendas due at once, email simulator, ${place.postgres}`)
  const others = small ? 2_000 : 20_000
  const bare = await startSender(place, 'bare', others)
  const one = await startSender(place, 'engine', others)
  const two = await startSender(place, 'engine', others, 2)
  const customers = await startCustomers(place, one)
  const senders = [bare, one, two]
  for (const sender of senders) await runWave(sender, small ? 100 : 2_000)
  const warmUntil = performance.now() + (small ? 500 : 5_000)
  await customers(() => performance.now() > warmUntil)
  const alone: number[][] = [[], [], []]
  const idle: Beside[] = []
  const busy: Beside[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [i, sender] of senders.entries()) alone[i]!.push((await runWave(sender, count)).perSecond)
    const quietUntil = performance.now() + (small ? 1_000 : 15_000)
    idle.push(await customers(() => performance.now() > quietUntil))
    const wave = await runWave(one, count, async isOver => void busy.push(await customers(isOver)))
    beside.push(wave.perSecond)
  }
  const [bareRates, oneRates, twoRates] = alone as [number[], number[], number[]]
  return [
    { name: 'bare loop', unit: 'sends/s', values: bareRates },
    { name: 'one worker', unit: 'sends/s', values: oneRates },
    { name: 'two workers', unit: 'sends/s', values: twoRates },
    { name: 'one worker / bare', unit: '', values: ratios(oneRates, bareRates), target: { least: 0.7 } },
    { name: 'two workers / one', unit: '', values: ratios(twoRates, oneRates), target: { least: 1 } },
    { name: 'beside the API / bare', unit: '', values: ratios(beside, bareRates), target: { least: 0.4 } },
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
