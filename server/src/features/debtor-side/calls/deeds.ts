import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { Site } from '../../../kit/http/site.ts'
import { optOut } from '../../receivables/debtors/close-channel.ts'
import { wrongPerson } from '../../receivables/debtors/report-wrong-person.ts'
import { dispute } from '../../receivables/invoices/open-dispute.ts'
import { promise } from '../../receivables/invoices/record-promise.ts'
import { openCase, type World } from '../../recovery/case/case.ts'
import { noteSignOfLife } from '../../recovery/case/change.ts'
import { closeCall, keepOutcome } from './call-record.ts'
import type { CallWish } from './call-tools.ts'
import { type LiveCall, onCall, type ServedInvoice } from './read-call.ts'

export type DoneWish = Exclude<CallWish, { name: 'identity_confirmed' }>

export type Deed = { done: string; outcome: CallOutcome; endsCall: boolean } | { refused: string }

/** Does what was asked for on the telephone, by the same functions as the API, in one transaction with what is kept of it. */
export async function carryOut(site: Site, call: LiveCall, wish: DoneWish): Promise<Deed> {
  try {
    return await onCall(site, call, world => inTransaction(world, call, wish))
  } catch (error) {
    if (error instanceof ApiError) return { refused: error.message }
    throw error
  }
}

const said = 'Said on the telephone'

async function inTransaction(world: World, call: LiveCall, wish: DoneWish): Promise<Deed> {
  const kept = async (outcome: CallOutcome, done: string, note = '', endsCall = false): Promise<Deed> => {
    await keepOutcome(world, call, outcome, note)
    return { done, outcome, endsCall }
  }
  switch (wish.name) {
    case 'record_promise': {
      const { date, amountCents, invoiceNumbers } = wish.input
      const parts = partsOf(chosen(call, invoiceNumbers), amountCents)
      const count = await forEach(parts, ({ invoice, amount }) =>
        promise(world, invoice.id, {
          date,
          note: said,
          ...(amount !== undefined && { amountCents: amount }),
        }),
      )
      return kept(
        'promise',
        `Recorded for ${count} invoice(s); the reminders wait for ${date}.`,
        `for ${date}`,
      )
    }
    case 'record_dispute': {
      const { reason, invoiceNumbers } = wish.input
      const count = await forEach(chosen(call, invoiceNumbers), ({ id }) => dispute(world, id, { reason }))
      return kept('dispute', `Recorded for ${count} invoice(s); their reminders have stopped.`, reason)
    }
    case 'payment_sent':
    case 'invoice_not_received':
    case 'waiting_approval':
      await noteAnswer(world, call)
      return kept(wish.name, 'Noted; the creditor reads it.', wish.input.note)
    case 'wrong_person':
      await wrongPerson(world, call.debtorId, { point: 'phone', reason: said })
      return kept('wrong_person', 'Recorded; the call ends.', '', true)
    case 'opt_out':
      await optOut(world, call.debtorId, { channel: 'voice', reason: said })
      return kept('opt_out', 'Done; the call ends.', '', true)
    case 'hand_over':
      await noteAnswer(world, call)
      return kept('hand_over', 'Passed on; the call ends.', wish.input.to, true)
    case 'voicemail':
      await closeCall(world, call.communicationId, 'voicemail')
      return { done: 'The call ends.', outcome: 'voicemail', endsCall: true }
    case 'end_call':
      return kept('nothing_agreed', 'The call ends.', wish.input.note, true)
  }
}

/** Only what the call is about: whatever else is named does not exist for it. */
function chosen({ served }: LiveCall, numbers: readonly string[] | undefined): ServedInvoice[] {
  const among = numbers ? served.filter(({ number }) => numbers.includes(number)) : served
  if (among.length === 0) throw new ApiError('RES_001', 'No invoice of this call has such a number.')
  return [...among]
}

/** A sum that does not cover all goes to the oldest first. */
function partsOf(
  invoices: readonly ServedInvoice[],
  amountCents: number | undefined,
): { invoice: ServedInvoice; id: string; amount: number | undefined }[] {
  const whole = invoices.map(invoice => ({ invoice, id: invoice.id, amount: undefined }))
  // Euros and francs do not add up: of several currencies all is promised or nothing.
  if (amountCents === undefined || new Set(invoices.map(({ currency }) => currency)).size > 1) return whole
  let left = amountCents
  return whole.flatMap(part => {
    const amount = Math.min(left, Math.max(0, part.invoice.balance_cents))
    left -= amount
    return amount > 0 ? [{ ...part, amount }] : []
  })
}

/**
 * In the order of their ids, as everything that locks several. One that was paid or ended meanwhile is passed over; only when
 * none is left it is a refusal.
 */
async function forEach<T extends { id: string }>(
  invoices: readonly T[],
  act: (invoice: T) => Promise<unknown>,
): Promise<number> {
  let count = 0
  let refusal: ApiError | null = null
  for (const invoice of invoices.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    try {
      await act(invoice)
      count++
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusal ??= error
    }
  }
  if (count === 0 && refusal) throw refusal
  return count
}

/** Somebody who answers is left in peace for some days. */
async function noteAnswer(world: World, { served }: LiveCall): Promise<void> {
  for (const { id } of served.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const of = await openCase(world.tx, world.actor.tenantId, id)
    if (of) noteSignOfLife(world, of)
  }
}
