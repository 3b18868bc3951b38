import { setTimeout as pause } from 'node:timers/promises'
import {
  type ActionKind,
  type CustomerAction,
  performActions,
  plannedActionsFor,
} from './customer-actions.ts'
import { type Customer, postUntilAnswered } from './post-until-answered.ts'
import { randomFrom } from './random.ts'

/** One invoice that a customer creates, the outcome, and the actions that followed. */
export interface InvoiceRequest {
  number: string
  email: string
  amountCents: number
  /** False: imported to be started later. */
  isAutoStarted: boolean
  answeredId: string | null
  attempts: number
  refusal: string | null
  planned: readonly (readonly ActionKind[])[]
  actions: CustomerAction[]
}

interface TrafficOptions extends Customer {
  requests: number
  everyMs: number
  seed: number
  /** When the kills are slower than planned, the creates wait: both must happen at the same time. */
  isTimeFor(i: number): boolean
  /** Ends it before all requests were made. */
  isOver?(): boolean
  /** Of the addresses of the debtors. */
  domain?: string
}

const longestWaitMs = 60_000
const importSize = 3

const bodyOf = (request: InvoiceRequest, name: string) => ({
  invoiceNumber: request.number,
  amountCents: request.amountCents,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: { name, email: request.email, postalCode: '69002', city: 'Lyon' },
})

const newInvoiceRequest = (
  number: string,
  email: string,
  i: number,
  changes: Partial<InvoiceRequest>,
): InvoiceRequest => ({
  number,
  email,
  amountCents: 120_000 + i,
  isAutoStarted: true,
  answeredId: null,
  attempts: 0,
  refusal: null,
  planned: [],
  actions: [],
  ...changes,
})

/** Of every twenty, three are one person: two invoices of one debtor, and a second record with the same address. */
async function createOne(options: TrafficOptions, i: number): Promise<InvoiceRequest[]> {
  const slot = i % 20
  const debtorIndex = slot === 9 || slot === 14 ? i - slot + 4 : i
  const request = newInvoiceRequest(
    `F-2026-${String(i).padStart(5, '0')}`,
    `compta${debtorIndex}@durand.${options.domain ?? 'example'}`,
    i,
    {
      planned: plannedActionsFor(i),
    },
  )
  const name = slot === 14 ? `Durand ${debtorIndex} Services` : `Durand ${debtorIndex} SARL`
  const outcome = await postUntilAnswered<{ id: string }>(options, {
    key: `create-${request.number}`,
    path: '/api/v1/invoices',
    body: bodyOf(request, name),
  })
  request.attempts = outcome.attempts
  request.refusal = outcome.refusal
  await performPlannedActions(options, request, outcome.data?.id ?? null, i)
  return [request]
}

async function performPlannedActions(
  options: TrafficOptions,
  request: InvoiceRequest,
  id: string | null,
  i: number,
): Promise<void> {
  if (id === null) return
  request.answeredId = id
  const { number, amountCents } = request
  const random = randomFrom(options.seed + i)
  request.actions = await performActions(options, { id, number, amountCents }, request.planned, random)
}

/** Three that are imported together and started later, two of them of one debtor; the last is paused again. */
async function importSome(options: TrafficOptions, i: number): Promise<InvoiceRequest[]> {
  const domain = `moreau.${options.domain ?? 'example'}`
  const emails = [`import${i}@${domain}`, `import${i}@${domain}`, `second${i}@${domain}`]
  const requests = emails.map((email, n) =>
    newInvoiceRequest(`B-2026-${String(i).padStart(5, '0')}-${n}`, email, i, {
      isAutoStarted: false,
      planned: n < importSize - 1 ? [['start']] : [['start'], ['pause']],
    }),
  )
  const outcome = await postUntilAnswered<{ results: { id?: string }[] }>(options, {
    key: `import-${i}`,
    path: '/api/v1/invoices/bulk',
    body: {
      invoices: requests.map(request => bodyOf(request, `Moreau ${request.email}`)),
      autoStartWorkflow: false,
    },
  })
  await Promise.all(
    requests.map((request, n) => {
      request.attempts = n === 0 ? outcome.attempts : 1
      request.refusal = outcome.refusal
      return performPlannedActions(options, request, outcome.data?.results[n]?.id ?? null, i * importSize + n)
    }),
  )
  return requests
}

/** Starts creates at a steady rate, and some imports, without waiting for earlier ones. */
export async function runTraffic(options: TrafficOptions): Promise<InvoiceRequest[]> {
  const start = performance.now()
  const all: Promise<InvoiceRequest[]>[] = []
  for (let i = 0; i < options.requests && !options.isOver?.(); i++) {
    const left = start + i * options.everyMs - performance.now()
    if (left > 0) await pause(left)
    const giveUpAt = performance.now() + longestWaitMs
    while (!options.isTimeFor(i) && performance.now() < giveUpAt) await pause(50)
    all.push(createOne(options, i))
    if (i % 20 === 15) all.push(importSome(options, i))
  }
  return (await Promise.all(all)).flat()
}
