import { setTimeout as pause } from 'node:timers/promises'
import { type Customer, insist } from './insist.ts'
import { randomFrom } from './random.ts'
import { type Deed, liveThrough, storyOf, type Wish } from './stories.ts'

/** One invoice a customer wants to be rid of, what it was told, and what it wished later. */
export interface Create {
  number: string
  email: string
  amountCents: number
  /** False: imported to be started later. */
  isAutoStarted: boolean
  answeredId: string | null
  attempts: number
  refusal: string | null
  story: readonly (readonly Wish[])[]
  deeds: Deed[]
}

interface TrafficOptions extends Customer {
  creates: number
  everyMs: number
  seed: number
  /** Where the kills are slower than planned, the creates wait for them: one without the other proves nothing. */
  isTimeFor(i: number): boolean
}

const longestWaitMs = 60_000
const imported = 3

const bodyOf = (create: Create, name: string) => ({
  invoiceNumber: create.number,
  amountCents: create.amountCents,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: { name, email: create.email, postalCode: '69002', city: 'Lyon' },
})

const wanted = (number: string, email: string, i: number, changes: Partial<Create>): Create => ({
  number,
  email,
  amountCents: 120_000 + i,
  isAutoStarted: true,
  answeredId: null,
  attempts: 0,
  refusal: null,
  story: [],
  deeds: [],
  ...changes,
})

/** Of every twenty, three are one person: two invoices of one debtor, and a second record with the same address. */
async function createOne(options: TrafficOptions, i: number): Promise<Create[]> {
  const place = i % 20
  const of = place === 9 || place === 14 ? i - place + 4 : i
  const create = wanted(`F-2026-${String(i).padStart(5, '0')}`, `compta${of}@durand.example`, i, {
    story: storyOf(i),
  })
  const name = place === 14 ? `Durand ${of} Services` : `Durand ${of} SARL`
  const told = await insist<{ id: string }>(options, {
    key: `create-${create.number}`,
    path: '/api/v1/invoices',
    body: bodyOf(create, name),
  })
  create.attempts = told.attempts
  create.refusal = told.refusal
  await follow(options, create, told.data?.id ?? null, i)
  return [create]
}

async function follow(options: TrafficOptions, create: Create, id: string | null, i: number): Promise<void> {
  if (id === null) return
  create.answeredId = id
  const { number, amountCents } = create
  const random = randomFrom(options.seed + i)
  create.deeds = await liveThrough(options, { id, number, amountCents }, create.story, random)
}

/** Three that are imported together and started later, two of them of one debtor; the last is paused again. */
async function importSome(options: TrafficOptions, i: number): Promise<Create[]> {
  const emails = [`import${i}@moreau.example`, `import${i}@moreau.example`, `second${i}@moreau.example`]
  const creates = emails.map((email, n) =>
    wanted(`B-2026-${String(i).padStart(5, '0')}-${n}`, email, i, {
      isAutoStarted: false,
      story: n < imported - 1 ? [['start']] : [['start'], ['pause']],
    }),
  )
  const told = await insist<{ results: { id?: string }[] }>(options, {
    key: `import-${i}`,
    path: '/api/v1/invoices/bulk',
    body: {
      invoices: creates.map(create => bodyOf(create, `Moreau ${create.email}`)),
      autoStartWorkflow: false,
    },
  })
  await Promise.all(
    creates.map((create, n) => {
      create.attempts = n === 0 ? told.attempts : 1
      create.refusal = told.refusal
      return follow(options, create, told.data?.results[n]?.id ?? null, i * imported + n)
    }),
  )
  return creates
}

/** Starts a create every so often, and now and then an import, whatever became of the ones before. */
export async function runTraffic(options: TrafficOptions): Promise<Create[]> {
  const start = performance.now()
  const all: Promise<Create[]>[] = []
  for (let i = 0; i < options.creates; i++) {
    const left = start + i * options.everyMs - performance.now()
    if (left > 0) await pause(left)
    const giveUpAt = performance.now() + longestWaitMs
    while (!options.isTimeFor(i) && performance.now() < giveUpAt) await pause(50)
    all.push(createOne(options, i))
    if (i % 20 === 15) all.push(importSome(options, i))
  }
  return (await Promise.all(all)).flat()
}
