import { addDays, HOUR, localTime } from '../../src/domain/time.ts'
import { iso } from '../../src/kit/clock.ts'
import { chance, forEachAtOnce, pick, weighted } from './announced-client.ts'
import { type ProvedCompany, type ProvedDebtor, pickInvoice } from './announced-portfolio.ts'
import type { Random } from './random.ts'

/** Something new that changes what is planned for a debtor; of the whole company without one. */
export interface Fact {
  at: number
  kind: string
  debtorId: string | null
  /** The message whose outcome it is. */
  messageId?: string
}

/** Before the notes of a morning: the announcements have to know them. */
export const knownBeforehand = {
  promise: 4,
  dispute: 2,
  pause: 4,
  'debtor pause': 3,
  'opt-out': 4,
  'extra message': 4,
} as const

/** During the day. */
export const duringTheDay = {
  payment: 4,
  'part payment': 4,
  promise: 4,
  dispute: 2,
  pause: 3,
  'debtor pause': 2,
  'extra message': 4,
  correction: 5,
} as const

type Kind = keyof typeof knownBeforehand | keyof typeof duringTheDay

interface Request {
  method: string
  path: string
  body: unknown
}

function requestOf(kind: Kind, debtor: ProvedDebtor, now: number, random: Random): Request {
  const invoice = pickInvoice(random, debtor)
  const inDays = (low: number, high: number) => iso(now + random.between(low * 24, high * 24) * HOUR)
  const post = (path: string, body: unknown) => ({ method: 'POST', path, body })
  switch (kind) {
    case 'promise':
      return post(`/invoices/${invoice}/promise`, {
        date: addDays(localTime(debtor.zone, now).date, random.between(1, 12)),
      })
    case 'dispute':
      return post(`/invoices/${invoice}/dispute`, { reason: 'The goods never arrived' })
    case 'pause':
      return post(`/workflow/invoice/${invoice}/trigger`, { action: 'pause', until: inDays(1, 10) })
    case 'debtor pause':
      return post(`/debtors/${debtor.id}/pause`, { until: inDays(1, 10) })
    case 'opt-out':
      return post(`/debtors/${debtor.id}/opt-out`, {
        channel: pick(random, ['email', 'sms', 'voice', 'lrar']),
      })
    case 'extra message':
      return post(`/workflow/invoice/${invoice}/communications`, {
        channel: pick(random, ['email', 'sms', 'voice', 'lrar']),
        ...(chance(random, 0.8) && { at: inDays(0, 6) }),
      })
    case 'payment':
      return post('/sandbox/simulate/payment', { invoiceId: invoice })
    case 'part payment':
      return post('/payments', {
        invoiceId: invoice,
        amountCents: random.between(5_00, 60_00),
        method: 'bank_transfer',
      })
    case 'correction':
      return {
        method: 'PUT',
        path: `/debtors/${debtor.id}`,
        body: pick<Record<string, string | null>>(random, [
          { phone: null },
          { phone: `+336${random.between(30_000_010, 99_999_990)}` },
          { address: null },
          { address: '3 quai Sud' },
          { postalCode: '68000', city: 'Colmar' },
        ]),
      }
  }
}

/** Lets facts happen to a share of the debtors; what the product refuses is no fact. */
export async function letFactsHappen(
  company: ProvedCompany,
  weights: Partial<Record<Kind, number>>,
  share: number,
  random: Random,
): Promise<Fact[]> {
  const now = await company.client.now()
  const chosen = company.debtors.filter(() => chance(random, share))
  const requests = chosen.map(debtor => {
    const kind = weighted(random, weights as Record<Kind, number>)
    return { kind, debtor, ...requestOf(kind, debtor, now, random) }
  })
  const facts: Fact[] = []
  await forEachAtOnce(requests, 4, async ({ kind, debtor, method, path, body }) => {
    // Its consequences may leave before the answer is here.
    const at = await company.client.now()
    const { status, code } = await company.client.ask(method, path, body)
    if (status < 300) facts.push({ at, kind, debtorId: debtor.id })
    else if (status !== 409 && status !== 422 && status !== 400)
      throw new Error(`${method} ${path} (${kind}): ${status} ${code}`)
    if (status < 300 && kind === 'correction' && 'postalCode' in (body as object))
      debtor.zone = 'Europe/Paris'
  })
  await company.client.untilIdle()
  return facts
}

/** The company stops everything for two days, every other week. */
export async function stopOrResume(company: ProvedCompany, dayNumber: number): Promise<Fact[]> {
  const inCycle = dayNumber % 14
  if (inCycle !== 4 && inCycle !== 6) return []
  const stops = inCycle === 4
  const at = await company.client.now()
  await company.client.done('POST', `/company/${stops ? 'stop' : 'resume'}-sending`, {
    reason: 'Prices are checked',
  })
  await company.client.untilIdle()
  return [{ at, kind: stops ? 'company stopped' : 'company resumed', debtorId: null }]
}

/** What happens to one record of a person happens to its other records too. */
export const ofOtherRecords = (company: ProvedCompany, facts: readonly Fact[]): Fact[] =>
  facts.flatMap(fact =>
    (company.byId.get(fact.debtorId ?? '')?.otherRecords ?? []).map(debtorId => ({
      at: fact.at,
      kind: `${fact.kind} of another record`,
      debtorId,
    })),
  )

/** Between two moments, of a debtor or of its company. */
export const factBetween = (
  facts: readonly Fact[],
  debtorId: string,
  after: number,
  until: number,
): Fact | undefined =>
  facts.find(
    fact => (fact.debtorId === null || fact.debtorId === debtorId) && fact.at > after && fact.at <= until,
  )
