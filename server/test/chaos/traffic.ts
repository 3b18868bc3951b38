import { setTimeout as pause } from 'node:timers/promises'

/** One invoice a customer wants to be rid of, and what it was told. */
export interface Create {
  number: string
  email: string
  /** Another invoice of this run concerns the same person. */
  isShared: boolean
  answeredId: string | null
  attempts: number
  /** Answers that no patience would change. */
  refusal: string | null
}

const requestMs = 10_000

function inputOf(i: number): { email: string; name: string; isShared: boolean } {
  // Of every twenty, three are one person: two invoices of one debtor, and a second record with the same address.
  const place = i % 20
  const isShared = place === 4 || place === 9 || place === 14
  const of = isShared ? i - place + 4 : i
  return {
    email: `compta${of}@durand.example`,
    name: place === 14 ? `Durand ${of} Services` : `Durand ${of} SARL`,
    isShared,
  }
}

/** What a careful customer does: the same Idempotency-Key until there is an answer, at whichever API is alive. */
async function createOne(options: TrafficOptions, i: number): Promise<Create> {
  const { email, name, isShared } = inputOf(i)
  const made: Create = {
    number: `F-2026-${String(i).padStart(5, '0')}`,
    email,
    isShared,
    answeredId: null,
    attempts: 0,
    refusal: null,
  }
  const body = JSON.stringify({
    invoiceNumber: made.number,
    amountCents: 120_000 + i,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: { name, email, postalCode: '69002', city: 'Lyon' },
  })
  const giveUpAt = performance.now() + options.patienceMs
  while (performance.now() < giveUpAt) {
    const url = options.apiUrls[(i + made.attempts) % options.apiUrls.length]!
    made.attempts++
    try {
      const response = await fetch(`${url}/api/v1/invoices`, {
        method: 'POST',
        headers: {
          'x-api-key': options.apiKey,
          'content-type': 'application/json',
          'idempotency-key': `create-${made.number}`,
        },
        body,
        signal: AbortSignal.timeout(requestMs),
      })
      const text = await response.text()
      if (response.status === 201) {
        made.answeredId = (JSON.parse(text) as { data: { id: string } }).data.id
        return made
      }
      if (response.status < 500 && response.status !== 429 && response.status !== 423) {
        made.refusal = `${response.status} ${text.slice(0, 200)}`
        return made
      }
    } catch (error) {
      // fetch failed, was cut, or took too long: whether the invoice is in is what the key is for.
      if (!(error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')))
        throw error
    }
    await pause(150 + 50 * Math.min(made.attempts, 10))
  }
  return made
}

interface TrafficOptions {
  apiUrls: readonly string[]
  apiKey: string
  creates: number
  everyMs: number
  patienceMs: number
  /** Where the kills are slower than planned, the creates wait for them: one without the other proves nothing. */
  isTimeFor(i: number): boolean
}

const longestWaitMs = 60_000

/** Starts a create every so often, whatever became of the ones before. */
export async function runTraffic(options: TrafficOptions): Promise<Create[]> {
  const start = performance.now()
  const all: Promise<Create>[] = []
  for (let i = 0; i < options.creates; i++) {
    const left = start + i * options.everyMs - performance.now()
    if (left > 0) await pause(left)
    const giveUpAt = performance.now() + longestWaitMs
    while (!options.isTimeFor(i) && performance.now() < giveUpAt) await pause(50)
    all.push(createOne(options, i))
  }
  return Promise.all(all)
}
