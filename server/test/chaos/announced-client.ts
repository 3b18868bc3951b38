import { setTimeout as pause } from 'node:timers/promises'
import { iso } from '../../src/kit/clock.ts'
import type { Random } from './random.ts'

/** What the API calls a recovery, shown with its invoice. */
export interface ListedRecovery {
  status: string
  step: string | null
  holds: string[]
  nextActionAt: string | null
  nextChannel: string | null
  reasonCode: string
  afterPause: { at: string; channel: string | null } | null
}

interface Answer<Data> {
  status: number
  data: Data
  nextCursor: string | null
  code: string | null
}

/** A line of the history, as the advance of the clock answers it. */
export interface HappenedLine {
  at: string
  invoiceId: string
  action: string
  status: string
  details: string
}

/** The sandbox of one company, used through the API. */
export type SandboxClient = ReturnType<typeof sandboxClient>

export function sandboxClient(apiUrls: readonly string[], apiKey: string) {
  let asked = 0
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }

  async function ask<Data>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
    for (;;) {
      const response = await fetch(`${apiUrls[asked++ % apiUrls.length]}/api/v1${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as {
        data: Data
        pagination?: { nextCursor?: string; hasNext?: boolean }
        error?: { code: string }
      }
      // Something of the same debtor is on its way, or the sandbox is not idle yet.
      if (response.status === 423) {
        await pause(Math.min(1, Number(response.headers.get('retry-after'))) * 250)
        continue
      }
      if (response.status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      const { nextCursor, hasNext } = answer.pagination ?? {}
      return {
        status: response.status,
        data: answer.data,
        nextCursor: hasNext && nextCursor ? nextCursor : null,
        code: answer.error?.code ?? null,
      }
    }
  }

  async function done<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const { status, data, code } = await ask<Data>(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${code}`)
    return data
  }

  /** Every page of a list, by its cursor. */
  async function all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = []
    let cursor: string | null = null
    do {
      const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: Answer<Item[]> = await ask(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}limit=100${from}`,
      )
      if (page.status !== 200) throw new Error(`GET ${path}: ${page.status} ${page.code}`)
      items.push(...page.data)
      cursor = page.nextCursor
    } while (cursor !== null)
    return items
  }

  const clock = () => done<{ now: string; status: string }>('GET', '/sandbox/clock')

  async function untilIdle(): Promise<number> {
    for (;;) {
      const { now, status } = await clock()
      if (status === 'idle') return Date.parse(now)
      await pause(50)
    }
  }

  /** Lets time pass until a moment; what the history says of that time. */
  async function advanceTo(moment: number): Promise<HappenedLine[]> {
    await untilIdle()
    const { happened } = await done<{ happened: HappenedLine[] }>('POST', '/sandbox/clock', {
      to: iso(moment),
    })
    await untilIdle()
    return happened
  }

  return {
    ask,
    done,
    all,
    untilIdle,
    advanceTo,
    now: async () => Date.parse((await clock()).now),
    /** A page of a debtor; each visit comes from another address, because the visits of one address are limited. */
    async page(code: string): Promise<string> {
      const visit = asked++
      const response = await fetch(`${apiUrls[visit % apiUrls.length]}/d/${code}?lang=en`, {
        headers: { 'x-forwarded-for': `10.${(visit >> 16) & 255}.${(visit >> 8) & 255}.${visit & 255}` },
      })
      if (response.status !== 200) throw new Error(`the page of a debtor: ${response.status}`)
      return response.text()
    },
  }
}

/** Runs the work for every item, so many at once. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const runner = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner))
}

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.min(items.length - 1, Math.floor((random.between(0, 999_999) / 1_000_000) * items.length))]!

/** One of the names, each as often as its weight says. */
export function weighted<Name extends string>(random: Random, weights: Record<Name, number>): Name {
  const entries = Object.entries(weights) as [Name, number][]
  let left = (random.between(0, 999_999) / 1_000_000) * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  return entries.at(-1)![0]
}

export const chance = (random: Random, share: number): boolean =>
  random.between(0, 999_999) / 1_000_000 < share
