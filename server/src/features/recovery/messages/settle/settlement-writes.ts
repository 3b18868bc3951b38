import type { Channel } from '../../../../domain/contact/channel.ts'
import type { InvoiceStatus } from '../../../../domain/money/invoice-state.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { type EventRow, eventRecord, insertEvents } from '../../../platform/events/record-events.ts'
import { type AgendaUpdate, markSamePersons, refreshAgendas } from '../../case/agenda-store.ts'
import { addActions, type NewAction } from '../../case/history.ts'
import { deletePending, freeSlots } from '../communication-store.ts'
import { type EntryRow, saveEntries, saveSalts } from './ledger.ts'
import type { SaltRow } from './salt-store.ts'
import { type SentText, saveSentTexts } from './sent-messages.ts'

// Every statement takes the rows of all messages at once. The planner estimates a hundred rows for a jsonb array and then reads
// the whole tenant; for `= any` it expects a few rows.

// Once the outcome is in the ledger, the verdict is stored only there.
const updateCommunications = sql(
  'messages.settle',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, state text, provider_id text, reason text,
     sent_at timestamptz, settled_at timestamptz, is_proven boolean, is_retryable boolean))
   update communications c
      set state = x.state, provider_id = x.provider_id, reason = x.reason, sent_at = x.sent_at, settled_at = x.settled_at,
          verdict = case when x.is_proven then '{}' else c.verdict end,
          recipient_point = case when not x.is_retryable then c.recipient_point end
     from x where c.id = x.id and c.id = any (array(select id from x))`,
)
const updateRecoveries = sql(
  'messages.advance-recoveries',
  `with moved as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, step integer, attempt integer,
     wish_at timestamptz, due_at timestamptz, due_because text, due_channel text, last_action text, last_executed_at timestamptz, completed integer,
     notice_at timestamptz, notice_channel text, letter_id uuid, letter_at timestamptz))
   update recoveries r
      set communication_id = null, step = moved.step, attempt = moved.attempt, not_before = null,
          -- A recovery that was stopped while its message was being sent plans nothing more.
          wish_at = case when r.status = 'in_recovery' then moved.wish_at else r.wish_at end,
          due_at = case when r.status = 'in_recovery' then moved.due_at else r.due_at end,
          due_because = case when r.status = 'in_recovery' then moved.due_because else r.due_because end,
          due_channel = case when r.status = 'in_recovery' then moved.due_channel else r.due_channel end,
          last_action = coalesce(moved.last_action, r.last_action),
          last_executed_at = coalesce(moved.last_executed_at, r.last_executed_at),
          notice_at = coalesce(moved.notice_at, r.notice_at),
          notice_channel = coalesce(moved.notice_channel, r.notice_channel),
          collector_letter_id = coalesce(moved.letter_id, r.collector_letter_id),
          collector_letter_at = coalesce(moved.letter_at, r.collector_letter_at),
          actions_completed = r.actions_completed + moved.completed
     from moved where r.invoice_id = moved.invoice_id and r.invoice_id = any (array(select invoice_id from moved))`,
)
// One update per invoice, for its changes and the count of its events: every update of an invoice runs the triggers that count
// it.
const updateInvoices = sql(
  'messages.record-contact',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, status text, is_letter boolean, at timestamptz)),
   given as (select * from jsonb_to_recordset($2::jsonb) as x${eventRecord}),
   n as (select subject_id, count(*)::integer as more from given group by subject_id),
   counted as (
     update invoices i
        set event_seq = i.event_seq + coalesce(c.more, 0), status = coalesce(c.status, i.status),
            updated_at = coalesce(c.at, i.updated_at), contacted_at = coalesce(i.contacted_at, c.at),
            last_action_is_letter = coalesce(c.is_letter, i.last_action_is_letter)
       from (select coalesce(x.id, n.subject_id) as id, x.status, x.is_letter, x.at, n.more
               from x full join n on n.subject_id = x.id) c
      where i.id = c.id and i.id = any (array(select id from x union select subject_id from n))
     returning i.id, i.event_seq - coalesce(c.more, 0) as before),
   happened as (
     select given.id, type, schema_version, subject_id, counted.before + given.sequence as sequence, data, actor, request_id,
            occurred_at, recorded_at
       from given join counted on counted.id = given.subject_id),
   ${insertEvents}
   select 1`,
)
interface RecoveryUpdate {
  invoice_id: string
  step: number
  attempt: number
  wish_at: string | null
  due_at: string | null
  due_because: string | null
  due_channel: string | null
  last_action: string | null
  last_executed_at: string | null
  completed: number
  notice_at: string | null
  notice_channel: Channel | null
  /** The message is the first letter of a collector about this invoice. */
  letter_id: string | null
  letter_at: string | null
}

/** What the settlement of messages of one tenant writes. Collected, so that every statement runs once for all of them. */
export class SettlementWrites {
  readonly communications: {
    id: string
    state: string
    provider_id: string | null
    reason: string | null
    sent_at: string | null
    settled_at: string
    is_proven: boolean
    /** A failure that may pass says nothing of the address. */
    is_retryable: boolean
  }[] = []
  /** The messages that were no contact. */
  readonly freed: string[] = []
  readonly salts: SaltRow[] = []
  readonly recoveries: RecoveryUpdate[] = []
  readonly actions: NewAction[] = []
  readonly invoices: { id: string; status: InvoiceStatus | null; is_letter: boolean; at: string }[] = []
  readonly events: EventRow[] = []
  /** The messages with no recoveries left to advance. */
  readonly done: string[] = []
  readonly entries: EntryRow[] = []
  readonly agendas: AgendaUpdate[] = []
  readonly texts: SentText[] = []
  /** What is written after the agendas. */
  readonly last: (() => void)[] = []

  /** Sends everything with the commit; `ends` then gets what follows from it. */
  sendAtCommit(
    tx: Tx,
    { tenantId, offsetMs }: { tenantId: string; offsetMs: number },
    ends: {
      noteAgenda(row: { debtor_id: string; wake_generation: number; wake_at: number | null }): void
      /** `leftOut`: how many records of their persons could not be marked. */
      noteContacts(debtorIds: readonly string[], leftOut: number): void
    },
  ): void {
    const inJson = (rows: readonly unknown[]) => [JSON.stringify(rows)]
    if (this.communications.length > 0) tx.atCommit(updateCommunications, inJson(this.communications))
    if (this.freed.length > 0) tx.atCommit(freeSlots, [this.freed])
    saveSalts(tx, tenantId, this.salts)
    if (this.recoveries.length > 0) tx.atCommit(updateRecoveries, inJson(this.recoveries))
    addActions(tx, this.actions)
    if (this.invoices.length > 0 || this.events.length > 0)
      tx.atCommit(updateInvoices, [JSON.stringify(this.invoices), JSON.stringify(this.events)])
    if (this.done.length > 0) tx.atCommit(deletePending, [tenantId, this.done])
    saveEntries(tx, tenantId, this.entries)
    saveSentTexts(tx, tenantId, this.texts)
    const contacted = this.agendas.filter(({ head }) => head !== null).map(({ debtor_id }) => debtor_id)
    if (contacted.length > 0)
      tx.atCommit(markSamePersons, [tenantId, contacted], ([marked]) =>
        ends.noteContacts(contacted, marked!.left_out),
      )
    if (this.agendas.length > 0)
      tx.atCommit(refreshAgendas, [tenantId, JSON.stringify(this.agendas), offsetMs], rows => {
        for (const row of rows) ends.noteAgenda(row)
      })
    for (const write of this.last) write()
  }
}
