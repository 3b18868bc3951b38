import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'
import type { SaidReply } from '../../../domain/recovery/told.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { optOut } from '../../receivables/debtors/close-channel.ts'
import { markWrongPerson } from '../../receivables/debtors/report-wrong-person.ts'
import { disputeInvoice } from '../../receivables/invoices/open-dispute.ts'
import { promisePayment } from '../../receivables/invoices/record-promise.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { recordReply } from '../../recovery/holds/record-reply.ts'
import { aboutMessage } from '../../recovery/receipts/record-receipt.ts'
import { confirmAnswer } from '../page/send-confirmation.ts'
import type { ValidToolCall } from './call-tools.ts'
import { type CallInvoice, inCallTransaction, type LiveCall } from './read-call.ts'
import { closeCall, saveOutcome } from './save-call-outcome.ts'

export type ExecutableToolCall = Exclude<ValidToolCall, { name: 'identity_confirmed' | 'another_person' }>

export type ToolResult = { done: string; outcome: CallOutcome; endsCall: boolean } | { refused: string }

/** Rolls a trial back. */
class TrialOver extends Error {
  readonly result: ToolResult
  constructor(result: ToolResult) {
    super('a trial is over')
    this.result = result
  }
}

/**
 * Executes a tool call with the same functions as the API, in one transaction with the stored outcome. A trial reports what would
 * happen, and changes nothing.
 */
export async function executeToolCall(
  pageContext: PageContext,
  call: LiveCall,
  toolCall: ExecutableToolCall,
  { isTrial = false } = {},
): Promise<ToolResult> {
  try {
    return await inCallTransaction(pageContext, call, async context => {
      const result = await executeInTransaction(context, call, toolCall)
      if (isTrial) throw new TrialOver(result)
      return result
    })
  } catch (error) {
    if (error instanceof TrialOver) return error.result
    if (error instanceof ApiError) return { refused: error.message }
    throw error
  }
}

const spokenNote = 'Said on the telephone'

async function executeInTransaction(
  context: OperationContext,
  call: LiveCall,
  toolCall: ExecutableToolCall,
): Promise<ToolResult> {
  const saveAndAnswer = async (
    outcome: CallOutcome,
    done: string,
    note = '',
    endsCall = false,
  ): Promise<ToolResult> => {
    await saveOutcome(context, call, outcome, note)
    return { done, outcome, endsCall }
  }
  switch (toolCall.name) {
    case 'record_promise': {
      const { date, amountCents, invoiceNumbers } = toolCall.input
      const parts = splitAmount(chosenInvoices(call, invoiceNumbers), amountCents)
      const promised = await forEach(parts, ({ invoice, amount }) =>
        promisePayment(
          context,
          invoice.id,
          { date, note: spokenNote, ...(amount !== undefined && { amountCents: amount }) },
          'call',
        ),
      )
      // Speech may be misunderstood: the debtor gets the promise in writing, and can change it.
      await confirmAnswer(context, promised[0]!.id, 'promise_confirmed', {
        on: date,
        ...promisedSum(
          promised.map(({ invoice }) => invoice),
          amountCents,
        ),
      })
      return saveAndAnswer(
        'promise',
        `Recorded for ${promised.length} invoice(s); the reminders wait for ${date}.`,
        `for ${date}`,
      )
    }
    case 'record_dispute': {
      const { reason, invoiceNumbers } = toolCall.input
      const disputed = await forEach(chosenInvoices(call, invoiceNumbers), ({ id }) =>
        disputeInvoice(context, id, { reason }, 'call'),
      )
      for (const { id } of disputed) await confirmAnswer(context, id, 'dispute_received')
      return saveAndAnswer(
        'dispute',
        `Recorded for ${disputed.length} invoice(s); their reminders have stopped.`,
        reason,
      )
    }
    case 'payment_sent':
    case 'invoice_not_received':
    case 'waiting_approval':
      await recordAnswer(context, call, toolCall.name)
      return saveAndAnswer(
        toolCall.name,
        'Noted; nobody is reminded until the creditor has read it.',
        toolCall.input.note,
      )
    case 'wrong_person':
      await markWrongPerson(context, call.debtorId, { point: 'phone', reason: spokenNote })
      return saveAndAnswer('wrong_person', 'Recorded; the call ends.', '', true)
    case 'opt_out':
      await optOut(context, call.debtorId, { channel: 'voice', reason: spokenNote })
      return saveAndAnswer('opt_out', 'Done; the call ends.', '', true)
    case 'hand_over':
      await recordAnswer(context, call, 'hand_over')
      return saveAndAnswer('hand_over', 'Passed on; the call ends.', toolCall.input.to, true)
    case 'voicemail':
      await closeCall(context, call.communicationId, 'voicemail')
      return { done: 'The call ends.', outcome: 'voicemail', endsCall: true }
    case 'end_call':
      return saveAndAnswer('nothing_agreed', 'The call ends.', toolCall.input.note, true)
  }
}

/** Only invoices of this call can be chosen. */
function chosenInvoices({ invoices }: LiveCall, numbers: readonly string[] | undefined): CallInvoice[] {
  const found = numbers ? invoices.filter(({ number }) => numbers.includes(number)) : invoices
  if (found.length === 0) throw new ApiError('RES_001', 'No invoice of this call has such a number.')
  return [...found]
}

/** The facts in the confirmation of a promise: the sum, and the invoice numbers if there are several. */
function promisedSum(invoices: readonly CallInvoice[], amountCents: number | undefined) {
  const isOneCurrency = new Set(invoices.map(({ currency }) => currency)).size === 1
  const sum =
    amountCents ??
    invoices.reduce((total, invoice) => total + invoice.balance_cents + invoice.accessories_cents, 0)
  return {
    ...(isOneCurrency && { amountCents: sum }),
    ...(invoices.length > 1 && { numbers: invoices.map(({ number }) => number).join(', ') }),
  }
}

/** A partial sum goes to the oldest invoices first. */
function splitAmount(
  invoices: readonly CallInvoice[],
  amountCents: number | undefined,
): { invoice: CallInvoice; id: string; amount: number | undefined }[] {
  const whole = invoices.map(invoice => ({ invoice, id: invoice.id, amount: undefined }))
  // Sums of several currencies cannot be split: then each invoice is promised in full.
  if (amountCents === undefined || new Set(invoices.map(({ currency }) => currency)).size > 1) return whole
  let left = amountCents
  return whole.flatMap(part => {
    const amount = Math.min(left, Math.max(0, part.invoice.balance_cents))
    left -= amount
    return amount > 0 ? [{ ...part, amount }] : []
  })
}

/**
 * In the order of their ids, as everywhere several are locked. An invoice that is refused (for example, already paid) is skipped;
 * it is an error only if all are refused. Returns the accepted ones, at least one.
 */
async function forEach<T extends { id: string }>(
  invoices: readonly T[],
  act: (invoice: T) => Promise<unknown>,
): Promise<T[]> {
  const accepted: T[] = []
  let refusal: ApiError | null = null
  for (const invoice of invoices.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    try {
      await act(invoice)
      accepted.push(invoice)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusal ??= error
    }
  }
  if (accepted.length === 0 && refusal) throw refusal
  return accepted
}

/** It is a reply: the reminders wait until somebody has read it. All that is said in one call is one reply. */
async function recordAnswer(
  context: OperationContext,
  { communicationId, debtorId, beganAt }: LiveCall,
  said: SaidReply,
): Promise<void> {
  const about = await aboutMessage(context, communicationId)
  if (about)
    await recordReply(context, {
      debtorId,
      communicationId,
      channel: 'voice',
      receivedAt: beganAt,
      about,
      said,
    })
}
