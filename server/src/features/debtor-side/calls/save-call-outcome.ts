import { type CallOutcome, callOutcomes } from '../../../domain/contact/call-outcome.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { addActions } from '../../recovery/case/history.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'

export const noteMaxChars = 300

const outranks = (candidate: string, current: string, ranks: string) =>
  `array_position(${ranks}::text[], ${candidate}) >= array_position(${ranks}::text[], ${current})`

const upsertOutcome = sql(
  'calls.save',
  `insert into calls (tenant_id, communication_id, outcome, note, began_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4)
   on conflict (tenant_id, communication_id) do update set outcome = excluded.outcome, note = excluded.note
    where ${outranks('excluded.outcome', 'calls.outcome', '$5')}
   returning ended_at is not null as is_over`,
).as<{ is_over: boolean }>()
const upsertEnd = sql(
  'calls.close',
  `insert into calls (tenant_id, communication_id, outcome, note, began_at, ended_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $4)
   on conflict (tenant_id, communication_id) do update
     set ended_at = excluded.ended_at,
         outcome = case when ${outranks('calls.outcome', 'excluded.outcome', '$5')} then calls.outcome else excluded.outcome end,
         note = case when ${outranks('calls.outcome', 'excluded.outcome', '$5')} then calls.note else excluded.note end
    where calls.ended_at is null
   returning outcome, note`,
).as<{ outcome: CallOutcome; note: string }>()
const readCallInvoiceIds = sql(
  'calls.list-served',
  `select l.invoice_id, c.debtor_id
     from communication_invoices l join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id
    where l.communication_id = $1 order by l.invoice_id`,
)

async function addOutcomeToHistory(
  context: OperationContext,
  communicationId: string,
  outcome: CallOutcome,
  note: string,
) {
  const { tx, now, newId } = context
  addActions(
    tx,
    (await tx.rows(readCallInvoiceIds, [communicationId])).map(
      // Only the first line has the debtor's id, so that the debtor's timeline shows it once.
      ({ invoice_id: invoiceId, debtor_id }, place) => ({
        id: newId(),
        invoiceId,
        action: 'call_outcome',
        channel: 'voice' as const,
        status: 'done' as const,
        code: 'call_ended' as const,
        params: { outcome, ...(note !== '' && { note }) },
        debtorId: place === 0 ? debtor_id : null,
        actor: context.actor,
        // The history line of the call itself carries its id, not this one.
        communicationId: null,
        at: now,
      }),
    ),
  )
}

/** Saves the outcome of a call so far; an outcome of lower rank than the stored one changes nothing. */
export async function saveOutcome(
  context: OperationContext,
  call: { communicationId: string; beganAt: number },
  outcome: CallOutcome,
  note: string,
): Promise<void> {
  const shortNote = note.slice(0, noteMaxChars)
  const [row] = await context.tx.rows(upsertOutcome, [
    call.communicationId,
    outcome,
    shortNote,
    iso(call.beganAt),
    callOutcomes,
  ])
  // The provider reported the end first, so the history needs another line with this outcome.
  if (row?.is_over) await addOutcomeToHistory(context, call.communicationId, outcome, shortNote)
}

const outcomeOf = { over: 'nothing_agreed', voicemail: 'voicemail', unreachable: 'unreachable' } as const

/**
 * Closes a call. Both the conversation and the provider report the end, in any order; only the provider does if the process of
 * the conversation has died. The first report closes the call and adds to the history; the second changes nothing.
 */
export async function closeCall(
  context: OperationContext,
  communicationId: string,
  how: keyof typeof outcomeOf,
  note = '',
): Promise<void> {
  const at = iso(context.now)
  const [closed] = await context.tx.rows(upsertEnd, [communicationId, outcomeOf[how], note, at, callOutcomes])
  if (closed) await addOutcomeToHistory(context, communicationId, closed.outcome, closed.note)
}
