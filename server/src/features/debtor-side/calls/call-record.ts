import { type CallOutcome, callOutcomes } from '../../../domain/contact/call-outcome.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { World } from '../../recovery/case/case.ts'
import { addActions } from '../../recovery/case/history.ts'

export const noteMost = 300

const weighs = (more: string, than: string, ranks: string) =>
  `array_position(${ranks}::text[], ${more}) >= array_position(${ranks}::text[], ${than})`

const keep = sql(
  'calls.save',
  `insert into calls (tenant_id, communication_id, outcome, note, began_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4)
   on conflict (tenant_id, communication_id) do update set outcome = excluded.outcome, note = excluded.note
    where ${weighs('excluded.outcome', 'calls.outcome', '$5')}
   returning ended_at is not null as is_over`,
).as<{ is_over: boolean }>()
const close = sql(
  'calls.close',
  `insert into calls (tenant_id, communication_id, outcome, note, began_at, ended_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $4)
   on conflict (tenant_id, communication_id) do update
     set ended_at = excluded.ended_at,
         outcome = case when ${weighs('calls.outcome', 'excluded.outcome', '$5')} then calls.outcome else excluded.outcome end,
         note = case when ${weighs('calls.outcome', 'excluded.outcome', '$5')} then calls.note else excluded.note end
    where calls.ended_at is null
   returning outcome, note`,
).as<{ outcome: CallOutcome; note: string }>()
const readServed = sql(
  'calls.list-served',
  'select invoice_id from communication_invoices where communication_id = $1 order by invoice_id',
)

const inWords: Record<CallOutcome, string> = {
  unreachable: 'Nobody was reached.',
  nothing_agreed: 'The call ended without a result.',
  voicemail: 'A machine answered; nothing was left on it.',
  hand_over: 'The person wants to speak to somebody',
  waiting_approval: 'The invoice waits for approval',
  invoice_not_received: 'The person says that the invoice never arrived',
  payment_sent: 'The person says that the payment is on its way',
  promise: 'A payment was promised',
  dispute: 'The invoice is disputed',
  wrong_person: 'It was somebody else.',
  opt_out: 'The person does not want to be called any more.',
}

async function tell(world: World, communicationId: string, outcome: CallOutcome, note: string) {
  const { tx, now, newId } = world
  const words = inWords[outcome].replace(/\.$/, '')
  const details = note === '' ? `${words}.` : `${words}: ${note}`
  addActions(
    tx,
    (await tx.rows(readServed, [communicationId])).map(({ invoice_id: invoiceId }) => ({
      id: newId(),
      invoiceId,
      action: 'call_outcome',
      channel: 'voice' as const,
      status: 'done' as const,
      details,
      // The line of the call itself is the one that bears its id.
      communicationId: null,
      at: now,
    })),
  )
}

/** What came of a call so far; what weighs less than what is known changes nothing. */
export async function keepOutcome(
  world: World,
  call: { communicationId: string; beganAt: number },
  outcome: CallOutcome,
  note: string,
): Promise<void> {
  const kept = note.slice(0, noteMost)
  const [row] = await world.tx.rows(keep, [
    call.communicationId,
    outcome,
    kept,
    iso(call.beganAt),
    callOutcomes,
  ])
  // The provider was quicker to say that it is over: what the history was told then is not the end of it.
  if (row?.is_over) await tell(world, call.communicationId, outcome, kept)
}

const outcomeOf = { over: 'nothing_agreed', voicemail: 'voicemail', unreachable: 'unreachable' } as const

/**
 * A call is over: said by the conversation and by the provider, in any order, and by the provider alone where the process that
 * spoke has died. Whoever comes first closes it and tells the history; the other changes nothing.
 */
export async function closeCall(
  world: World,
  communicationId: string,
  how: keyof typeof outcomeOf,
  note = '',
): Promise<void> {
  const at = iso(world.now)
  const [closed] = await world.tx.rows(close, [communicationId, outcomeOf[how], note, at, callOutcomes])
  if (closed) await tell(world, communicationId, closed.outcome, closed.note)
}
