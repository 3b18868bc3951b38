import type { Channel } from '../contact/channel.ts'
import type { Instant } from '../time.ts'
import { type FutureAction, forecastActions, type OngoingRecovery } from './forecast.ts'
import type { LookContext, WaitingExtra, WaitingRecovery } from './waiting.ts'

/** The next message to a debtor, with the invoices whose step it executes; the lead comes first. */
export interface NextMessage {
  readonly at: Instant
  readonly channel: Channel
  /** The step of the lead, or the message outside the cascade. */
  readonly step: string
  readonly because: string | null
  readonly invoiceIds: readonly string[]
}

/** What happens next to the recovery of one invoice, after the steps that will be skipped. */
export interface NextThing {
  /** A message leaves, a person decides, or nothing follows until a person acts. */
  readonly kind: 'send' | 'decide' | 'stand'
  readonly step: string
  readonly at: Instant | null
  readonly channel: Channel | null
  readonly because: string | null
  /** The invoice that leads the message; null if nothing is sent. */
  readonly leadInvoiceId: string | null
  /** The steps before it that cannot be sent, for reasons known today. */
  readonly skipped: readonly { readonly step: string; readonly because: string }[]
}

export interface DebtorPlan {
  readonly message: NextMessage | null
  /** By invoice. An invoice that is not here has nothing planned. */
  readonly next: ReadonlyMap<string, NextThing>
  /** The messages outside the cascade, by their id. */
  readonly extras: ReadonlyMap<string, FutureAction>
}

/**
 * What is planned for a debtor: the next message, and the next thing that happens to each recovery. It is the beginning of the
 * forecast, so it cannot differ from it, and each look is decided as on the day itself.
 */
export function planDebtor(
  recoveries: readonly WaitingRecovery[],
  extras: readonly WaitingExtra[],
  context: LookContext,
): DebtorPlan {
  const ongoing = recoveries.map(
    (recovery): OngoingRecovery => ({ ...recovery, due: { ...recovery.due, shifts: [] } }),
  )
  const open = new Set([
    ...ongoing.filter(({ due }) => due.at !== null).map(({ invoiceId }) => invoiceId),
    ...extras.map(({ id }) => id),
  ])
  let seen = 0
  let hasMessage = false
  const actions = forecastActions(ongoing, extras, context, known => {
    for (; seen < known.length; seen++) {
      const { kind, invoiceId, communicationId } = known[seen]!
      if (kind === 'send') hasMessage = true
      if (kind !== 'skip') open.delete(communicationId ?? invoiceId)
    }
    return hasMessage && open.size === 0
  })
  const requested = actions.flatMap(action =>
    action.communicationId === null ? [] : [[action.communicationId, action] as const],
  )
  return { message: firstMessage(actions), next: nextThings(actions), extras: new Map(requested) }
}

function firstMessage(actions: readonly FutureAction[]): NextMessage | null {
  const first = actions.find(({ kind }) => kind === 'send')
  if (!first) return null
  const { at, channel, step, because, leadInvoiceId } = first
  const together = actions.filter(
    action => action.kind === 'send' && action.at === at && action.leadInvoiceId === leadInvoiceId,
  )
  const invoiceIds = [...new Set(together.map(({ invoiceId }) => invoiceId))]
  return { at: at!, channel: channel!, step, because, invoiceIds }
}

function nextThings(actions: readonly FutureAction[]): Map<string, NextThing> {
  const next = new Map<string, NextThing>()
  const skipped = new Map<string, { step: string; because: string }[]>()
  for (const { kind, invoiceId, communicationId, step, at, channel, because, leadInvoiceId } of actions) {
    if (communicationId !== null || next.has(invoiceId)) continue
    const before = skipped.get(invoiceId) ?? []
    if (kind === 'skip') skipped.set(invoiceId, [...before, { step, because: because! }])
    else next.set(invoiceId, { kind, step, at, channel, because, leadInvoiceId, skipped: before })
  }
  return next
}
