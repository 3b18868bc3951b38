import { expect } from 'vitest'
import { type CriterionCode, criterionCodes } from '../../../src/domain/score/score.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { eventually, type TestInstallation } from '../../harness/use-installation.ts'

export interface ScoreReply {
  debtorId: string
  score: number
  riskLevel: string
  factors: string[]
  criteria: { code: CriterionCode; points: number; max: number; explanation: string }[]
  lastUpdated: string
}

export type ScoreFixture = Awaited<ReturnType<typeof newScoreFixture>>

let fixtures = 0

/** A debtor in its own sandbox, and what can happen to them, through the API only. */
export async function newScoreFixture(installation: TestInstallation) {
  const sandbox = await newSandbox(installation)
  const debtor = { ...lyonDebtor(`Durand ${'abcdefghijklmnop'[fixtures++]} SARL`), type: 'business' }
  const read = (id: string, query = '') =>
    sandbox.done<ScoreReply>('GET', `/api/v1/debtors/${id}/score${query}`)

  return {
    ...sandbox,
    debtor,
    read,
    /** Invoices that arrive together: what is due for all of them goes out in one message. */
    async invoices(
      dueDates: readonly string[],
      changes: Record<string, unknown> = {},
    ): Promise<{ ids: string[]; debtorId: string }> {
      const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
        invoices: dueDates.map((dueDate, i) => ({
          invoiceNumber: `F-${fixtures}-${Math.random().toString(36).slice(2)}-${i}`,
          amountCents: 120_000,
          issueDate: dueDate,
          dueDate,
          debtor,
          ...changes,
        })),
      })
      const ids = results.map(result => result.id)
      const invoice = await sandbox.done<{ debtor: { id: string } }>('GET', `/api/v1/invoices/${ids[0]}`)
      return { ids, debtorId: invoice.debtor.id }
    },
    /** Waits until the first message of an invoice has left. */
    firstMessage: (id: string) =>
      eventually(
        () => sandbox.workflow(id),
        workflow => workflow.actionsCompleted > 0,
      ),
    /** Paid in full on a day that may be long gone, before anybody had to be reminded. */
    async settle(dueDate: string, paidOn: string): Promise<void> {
      const invoice = {
        invoiceNumber: `P-${Math.random().toString(36).slice(2)}`,
        amountCents: 120_000,
        issueDate: dueDate,
        dueDate,
        debtor,
      }
      const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
        autoStartWorkflow: false,
        invoices: [invoice],
      })
      await sandbox.done('POST', '/api/v1/payments', {
        invoiceId: results[0]!.id,
        amountCents: 120_000,
        method: 'bank_transfer',
        paidAt: `${paidOn}T12:00:00Z`,
      })
    },
    /** Invoices of somebody else, by which the company's usual invoice is known; nobody is reminded of them. */
    usual: (amountCents: number, count: number) =>
      sandbox.done('POST', '/api/v1/invoices/bulk', {
        autoStartWorkflow: false,
        invoices: Array.from({ length: count }, (_, i) => ({
          invoiceNumber: `U-${i}`,
          amountCents,
          issueDate: '2026-11-01',
          dueDate: '2026-12-01',
          debtor: lyonDebtor('Quelqu’un d’autre'),
        })),
      }),
    /** A payment by card that was declined. */
    async declined(invoiceId: string): Promise<void> {
      const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
        invoiceId,
        amountCents: 10_000,
        method: 'card',
        status: 'pending',
      })
      await sandbox.done('PUT', `/api/v1/payments/${id}`, { status: 'failed' })
    },
    /** The last message of a channel comes back. */
    async bounceLast(channel: string): Promise<void> {
      const [last] = await sandbox.messages(`&channel=${channel}`)
      await sandbox.simulate('bounced', { communicationId: last!.communicationId })
    },
    pay: (invoiceId: string, amountCents: number) =>
      sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
        invoiceId,
        amountCents,
        method: 'sepa_debit',
      }),
    /** A debit that arrived, and that the bank took back. */
    async reversed(invoiceId: string): Promise<void> {
      const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
        invoiceId,
        amountCents: 5_000,
        method: 'sepa_debit',
      })
      await sandbox.done('POST', `/api/v1/payments/${id}/reverse`, {})
    },
    promise: (invoiceId: string, date: string) =>
      sandbox.done('POST', `/api/v1/invoices/${invoiceId}/promise`, { date }),
    dispute: (invoiceId: string) =>
      sandbox.done('POST', `/api/v1/invoices/${invoiceId}/dispute`, { reason: 'Two chairs are broken' }),
    resolve: (invoiceId: string, outcome: string) =>
      sandbox.done('POST', `/api/v1/invoices/${invoiceId}/dispute/resolve`, { outcome }),
    writeOff: (invoiceId: string) =>
      sandbox.done('POST', `/api/v1/invoices/${invoiceId}/write-off`, { basis: 'amicable_failed' }),
  }
}

/** The points of a score by criterion, without those that have none. */
export const pointsIn = (score: ScoreReply): Partial<Record<CriterionCode, number>> =>
  Object.fromEntries(
    score.criteria.filter(({ points }) => points > 0).map(({ code, points }) => [code, points]),
  )

/** What every score says, whatever it says. */
export function expectCompleteScore(score: ScoreReply): void {
  expect(score.criteria.map(({ code }) => code)).toEqual([...criterionCodes])
  expect(score.score).toBe(score.criteria.reduce((sum, { points }) => sum + points, 0))
  for (const { max, explanation } of score.criteria) {
    expect(max).toBe(15)
    expect(explanation).toMatch(/\.$/)
  }
}
