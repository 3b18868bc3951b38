import type { Channel } from '../../../domain/contact/channel.ts'
import {
  type ReceiptOutcome,
  receiptOutcomes,
  stateAfter,
  weighReceipt,
} from '../../../domain/contact/receipt.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { World } from '../case/case.ts'
import { contactFile, type DebtorFile, lockAgenda, readFile, refreshAgenda } from '../case/debtor-file.ts'
import { freeSlots } from '../messages/communication.ts'
import { appendToLedger, type LedgerRow } from '../messages/ledger.ts'
import { followReceipt, type SentMessage } from './after-receipt.ts'

/** What was heard of a message after it left: by a provider's callback, or in the sandbox from whoever plays the provider. */
interface Receipt {
  communicationId: string
  outcome: ReceiptOutcome
  /** When it happened, as the provider says. */
  at: number
}

export type Recorded =
  | { recorded: true; debtorId: string }
  | {
      recorded: false
      /** `not_yet`: its sending is not written down yet, tell it again in a moment. `not_sent`: it never left. */
      because: 'unknown_message' | 'not_yet' | 'not_sent' | 'not_for_channel' | 'known' | 'weaker'
    }

const findDebtor = sql('receipts.find-debtor', 'select debtor_id from communications where id = $1')
const readMessage = sql(
  'receipts.get-message',
  `select c.id, c.debtor_id, c.channel, c.step, c.state, c.provider_id, c.reserved_at,
          (select count(*) from communication_invoices l where l.communication_id = c.id) as invoices,
          exists (select from recoveries r where r.communication_id = c.id) as has_passengers
     from communications c where c.id = $1`,
).as<SentMessage>()
const readLedger = sql(
  'receipts.list-ledger',
  'select position, entry, hash from contact_ledger where debtor_id = $1 order by position',
).as<LedgerRow>()
const writeMessage = sql(
  'receipts.update-message',
  'update communications set state = $2, delivered_at = $3 where id = $1',
)
const writeLines = sql(
  'receipts.update-actions',
  `update actions set status = $2, details = details || ' ' || $3::text where communication_id = $1`,
)

/**
 * Later news of a message, under its debtor's lock. In any order and any number of times the end is the same: what was heard
 * already is in the ledger, and nothing weaker than that changes anything.
 */
export async function recordReceipt(
  world: World,
  { communicationId, outcome, at: said }: Receipt,
): Promise<Recorded> {
  const { tx, actor, now, wall } = world
  const [found] = await tx.rows(findDebtor, [communicationId])
  if (!found) return { recorded: false, because: 'unknown_message' }
  const debtorId = found.debtor_id
  const [[agenda], [file], [message], ledger] = await Promise.all([
    tx.rows(lockAgenda, [actor.tenantId, debtorId]),
    tx.rows(readFile, [debtorId]),
    tx.rows(readMessage, [communicationId]),
    tx.rows(readLedger, [debtorId]),
  ])
  if (!agenda || !file || !message) return { recorded: false, because: 'unknown_message' }
  const because = refusalOf(message, heardOf(communicationId, ledger), outcome)
  if (because) return { recorded: false, because }
  // Clocks of providers differ from ours: nothing has happened tomorrow.
  const at = Math.min(said, now)
  const { message: state, line } = stateAfter[outcome]
  tx.atCommit(writeMessage, [communicationId, state, state === 'delivered' ? iso(at) : null])
  tx.atCommit(writeLines, [communicationId, line, inWords(message.channel, outcome, at, file)])
  if (outcome === 'bounced') tx.atCommit(freeSlots, [communicationId])
  appendToLedger(tx, { tenantId: actor.tenantId, debtorId }, agenda, {
    kind: 'outcome',
    communicationId,
    channel: message.channel,
    step: message.step,
    at: iso(at),
    fate: outcome,
    verdict: null,
    invoices: message.invoices,
    recipient: null,
  })
  await followReceipt(world, { message, file, agenda, outcome, at })
  tx.atCommit(refreshAgenda, [actor.tenantId, debtorId, now - wall])
  return { recorded: true, debtorId }
}

const settled = ['sent', 'delivered', 'bounced', 'unknown']

function refusalOf(
  { channel, state, has_passengers }: SentMessage,
  known: readonly ReceiptOutcome[],
  outcome: ReceiptOutcome,
): Exclude<Recorded, { recorded: true }>['because'] | null {
  const weight = weighReceipt(channel, known, outcome)
  if (weight === 'not_for_channel') return weight
  // Settled for some of what it serves and not for all: the rest still takes its fate from how it was sent.
  if (state === 'reserved' || state === 'sending' || has_passengers) return 'not_yet'
  if (!settled.includes(state)) return 'not_sent'
  return weight === 'news' ? null : weight
}

function heardOf(communicationId: string, ledger: readonly LedgerRow[]): ReceiptOutcome[] {
  return ledger.flatMap(({ entry }) => {
    if (!entry.includes(communicationId)) return []
    const { kind, fate } = JSON.parse(entry) as { kind: string; fate: string }
    const heard = receiptOutcomes.find(outcome => outcome === fate)
    return kind === 'outcome' && heard ? [heard] : []
  })
}

function inWords(channel: Channel, outcome: ReceiptOutcome, at: number, file: DebtorFile): string {
  const zone = contactFile(file, null).calendar?.zones[0] ?? 'UTC'
  const on = `on ${localTime(zone, at).date}`
  switch (outcome) {
    case 'delivered':
      return channel === 'voice' ? `Answered ${on}.` : `Delivered ${on}.`
    case 'bounced':
      return `Came back undelivered ${on}; it does not count as a contact.`
    case 'no_answer':
      return 'Nobody answered.'
    case 'presented':
      return `Presented ${on}.`
    case 'signed':
      return `Signed for ${on}.`
    case 'refused':
      return `Refused by the recipient ${on}.`
    case 'unclaimed':
      return `Not collected, returned ${on}.`
  }
}
