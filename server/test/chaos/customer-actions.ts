import { setTimeout as pause } from 'node:timers/promises'
import { type Customer, postUntilAnswered, type RequestOutcome } from './post-until-answered.ts'
import type { Random } from './random.ts'

type Trigger = 'start' | 'pause' | 'resume' | 'cancel' | 'escalate'
/** What a customer does with an invoice: a workflow trigger, a part payment, a payment of the rest, or a refund. */
export type ActionKind = Trigger | 'part' | 'rest' | 'refund'

interface ActionReply {
  id?: string
  status?: string
  inFlight?: { communicationId: string }[]
}

export interface CustomerAction extends RequestOutcome<ActionReply> {
  kind: ActionKind
  cents: number
  /** It was answered with a refusal, and must have left no trace. */
  isRefused?: boolean
}

const partCents = 10_000

/** The actions after a create, by its index modulo twenty; others have none. Actions in one inner list are sent at once. */
const plannedActions: Record<number, readonly (readonly ActionKind[])[]> = {
  1: [['pause'], ['resume']],
  2: [['part'], ['rest']],
  3: [['rest']],
  6: [['cancel']],
  7: [['escalate']],
  // One of two invoices of a debtor: the message goes on without it.
  9: [['pause']],
  10: [['rest'], ['refund']],
  11: [['pause']],
  12: [['pause'], ['cancel']],
  16: [['part']],
  17: [['pause'], ['rest']],
  19: [['part', 'part'], ['rest']],
}

export const plannedActionsFor = (i: number): readonly (readonly ActionKind[])[] =>
  plannedActions[i % 20] ?? []

/** Performs the rounds in order, each after the previous one was answered; stops at the first without an answer. */
export async function performActions(
  customer: Customer,
  invoice: { id: string; number: string; amountCents: number },
  planned: readonly (readonly ActionKind[])[],
  random: Random,
): Promise<CustomerAction[]> {
  const actions: CustomerAction[] = []
  let owed = invoice.amountCents
  let paymentId: string | undefined
  for (const [round, kinds] of planned.entries()) {
    await pause(random.between(0, round === 0 ? 700 : 1_500))
    const performed = await Promise.all(
      kinds.map(async (kind, i): Promise<CustomerAction> => {
        const cents = kind === 'part' ? partCents : kind === 'rest' ? owed : 0
        const key = `${invoice.number}-${round}-${i}`
        const outcome = await postUntilAnswered<ActionReply>(customer, { key, ...requestOf(kind, cents) })
        // Before the first contact an escalation is refused: an answer that leaves the recovery as it is.
        const isRefused = kind === 'escalate' && outcome.refusal?.includes('first_contact_pending') === true
        return { kind, cents, isRefused, ...outcome, ...(isRefused && { data: {}, refusal: null }) }
      }),
    )
    actions.push(...performed)
    if (performed.some(action => action.data === null)) break
    owed -= performed.reduce((sum, action) => sum + action.cents, 0)
    paymentId = performed[0]!.data!.id ?? paymentId
  }
  return actions

  function requestOf(kind: ActionKind, amountCents: number): { path: string; body: unknown } {
    if (kind === 'refund') return { path: `/api/v1/payments/${paymentId}/refund`, body: {} }
    if (kind !== 'part' && kind !== 'rest')
      return { path: `/api/v1/workflow/invoice/${invoice.id}/trigger`, body: { action: kind } }
    const body = { invoiceId: invoice.id, amountCents, method: 'bank_transfer' }
    return { path: '/api/v1/payments', body }
  }
}

type ExpectedStatus = 'pending' | 'in_recovery' | 'paused' | 'completed' | 'cancelled'

const statusAfter: Partial<Record<ActionKind, ExpectedStatus>> = {
  start: 'in_recovery',
  pause: 'paused',
  resume: 'in_recovery',
  cancel: 'cancelled',
  rest: 'completed',
  refund: 'paused',
}

/** The status a recovery must have after these actions. */
export const expectedStatusAfter = (
  wasStarted: boolean,
  actions: readonly CustomerAction[],
): ExpectedStatus =>
  actions.reduce<ExpectedStatus>(
    (status, { kind }) => statusAfter[kind] ?? status,
    wasStarted ? 'in_recovery' : 'pending',
  )
