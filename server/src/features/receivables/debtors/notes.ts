import { z } from 'zod'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { refusedField } from '../../../kit/errors.ts'
import { type ActorRef, newEvent } from '../../../kit/events.ts'
import { dateTime, day, days, lines, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import {
  cappedTotal,
  countedMax,
  idShape,
  listQuery,
  momentShape,
  newestMoment,
  pageOf,
  positionOf,
  writeCursor,
} from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { actorNames } from '../../access/people/actor-names.ts'
import { ShownActor } from '../../access/people/schema.ts'
import { actorRef, recordAudit } from '../../platform/events/record-events.ts'
import { debtorErased, debtorUnknown, invoiceNotFound } from '../../recovery/case/errors.ts'
import { debtorComeBackEnded, debtorNoteWritten } from './audit-events.ts'
import { noteNotFound } from './errors.ts'

const NoteInput = z
  .strictObject({
    text: lines(2000).meta({ description: 'Internal; the debtor can ask for a copy' }),
    comeBackOn: optional(day).meta({
      ...days(0, null),
      description:
        'The day on which the debtor is in the list of work again; until then it is put off, unless something new happens. Today or later',
    }),
    invoiceId: optional(uuid).meta({ description: 'The invoice of the debtor that it is about' }),
  })
  .meta({ id: 'NoteInput' })

const DebtorNote = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    invoiceId: outputUuid.nullable().meta({ description: 'The invoice it is about; null for all' }),
    text: z.string(),
    comeBackOn: z
      .string()
      .nullable()
      .meta({ format: 'date', description: 'The day to come back; null if none was named' }),
    comeBackEndedAt: dateTime
      .nullable()
      .meta({ description: 'When somebody came back, or a later note was written' }),
    actor: ShownActor.nullable().meta({ description: 'Who wrote it' }),
    createdAt: dateTime,
  })
  .meta({ id: 'DebtorNote' })

interface NoteRow {
  id: string
  debtor_id: string
  invoice_id: string | null
  text: string
  come_back_on: string | null
  come_back_ended_at: number | null
  actor: ActorRef
  created_at: number
}
const columns =
  'n.id, n.debtor_id, n.invoice_id, n.text, n.come_back_on, n.come_back_ended_at, n.actor, n.created_at'

const toNote = (row: NoteRow, actor: ShownActor | null): z.input<typeof DebtorNote> => ({
  id: row.id,
  debtorId: row.debtor_id,
  invoiceId: row.invoice_id,
  text: row.text,
  comeBackOn: row.come_back_on,
  comeBackEndedAt: row.come_back_ended_at === null ? null : iso(row.come_back_ended_at),
  actor,
  createdAt: iso(row.created_at),
})

async function shownNote(tx: Tx, row: NoteRow): Promise<z.input<typeof DebtorNote>> {
  const shownActor = await actorNames(tx, [row.actor])
  return toNote(row, shownActor(row.actor))
}

// Two notes at once: one of them is the later one.
const lockDebtor = sql(
  'debtors.lock-for-note',
  'select erased_at is not null as is_erased from debtors where id = $1 for no key update',
)
const findInvoice = sql(
  'debtors.find-invoice-of-note',
  'select id from invoices where id = $1 and debtor_id = $2',
)
const endComeBacks = sql(
  'debtors.end-come-backs',
  `update debtor_notes set come_back_ended_at = $2
    where debtor_id = $1 and come_back_on is not null and come_back_ended_at is null`,
)
const insertNote = sql(
  'debtors.insert-note',
  `insert into debtor_notes as n (tenant_id, id, debtor_id, invoice_id, text, come_back_on, actor, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
).as<NoteRow>()
const endComeBack = sql(
  'debtors.end-come-back',
  `update debtor_notes set come_back_ended_at = $3
    where id = $1 and debtor_id = $2 and come_back_on is not null and come_back_ended_at is null returning id`,
)
const selectNote = sql(
  'debtors.get-note',
  `select ${columns} from debtor_notes n where n.id = $1 and n.debtor_id = $2`,
).as<NoteRow>()
// At least one row if the debtor exists.
const listRows = sql(
  'debtors.list-notes',
  `select (select count(*) from (select from debtor_notes c where c.debtor_id = d.id limit ${countedMax + 1}) c)::integer as total, n.*
     from debtors d
     left join lateral (
       select ${columns} from debtor_notes n
        where n.debtor_id = d.id and (n.created_at, n.id) < ($2::timestamptz, $3::uuid)
        order by n.created_at desc, n.id desc limit $4 offset $5) n on true
    where d.id = $1 order by n.created_at desc, n.id desc`,
).as<{ total: number } & (NoteRow | { [Column in keyof NoteRow]: null })>()

export const addNote = operation({
  id: 'debtors.addNote',
  method: 'POST',
  path: '/api/v1/debtors/:id/notes',
  summary: 'Write a note about a debtor, perhaps with a day to come back',
  description:
    'Notes are never changed; the timelines show them. With `comeBackOn` the debtor leaves the list of work until that day, or until something new waits for a person. A note ends the come-back of every earlier one.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid }),
  body: NoteInput,
  status: 201,
  reply: DebtorNote,
  errors: [debtorUnknown, debtorErased, invoiceNotFound],
  assistant: 'confirm',
  audit: [debtorNoteWritten],
  example: { body: { text: 'Their accountant is back on Monday', comeBackOn: '2026-11-23' } },
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const [[debtor], company] = await Promise.all([
      tx.rows(lockDebtor, [params.id]),
      findCompany(tx, actor.companyId),
    ])
    if (!debtor) throw debtorUnknown.make()
    if (debtor.is_erased) throw debtorErased.make()
    if (body.comeBackOn !== undefined && body.comeBackOn < localTime(company.time_zone, now).date)
      throw refusedField('comeBackOn', 'past', 'is before today')
    const invoiceId = body.invoiceId ?? null
    if (invoiceId !== null && (await tx.rows(findInvoice, [invoiceId, params.id])).length === 0)
      throw invoiceNotFound.make()
    await tx.rows(endComeBacks, [params.id, iso(now)])
    const [row] = await tx.rows(insertNote, [
      newId(),
      params.id,
      invoiceId,
      body.text,
      body.comeBackOn ?? null,
      JSON.stringify(actorRef(actor)),
      iso(now),
    ])
    const about = { debtorId: params.id, noteId: row!.id, invoiceId }
    recordAudit(tx, [newEvent(debtorNoteWritten, params.id, about)], call)
    return shownNote(tx, row!)
  },
})

export const endNote = operation({
  id: 'debtors.endComeBack',
  method: 'POST',
  path: '/api/v1/debtors/:id/notes/:noteId/done',
  summary: 'The day to come back of a note is done with',
  description: 'The note stays. Doing it again changes nothing.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid, noteId: uuid }),
  status: 200,
  reply: DebtorNote,
  errors: [noteNotFound],
  assistant: 'confirm',
  audit: [debtorComeBackEnded],
  async run(call) {
    const { tx, params, now } = call
    const [ended] = await tx.rows(endComeBack, [params.noteId, params.id, iso(now)])
    const [row] = await tx.rows(selectNote, [params.noteId, params.id])
    if (!row) throw noteNotFound.make()
    if (ended) {
      const about = { debtorId: params.id, noteId: row.id }
      recordAudit(tx, [newEvent(debtorComeBackEnded, params.id, about)], call)
    }
    return shownNote(tx, row)
  },
})

export const listNotes = operation({
  id: 'debtors.notes',
  method: 'GET',
  path: '/api/v1/debtors/:id/notes',
  summary: 'List the notes about a debtor, the newest first',
  scopes: ['debtors:read'],
  params: z.strictObject({ id: uuid }),
  query: z.strictObject(listQuery(20)).meta({ id: 'NoteQuery' }),
  status: 200,
  reply: DebtorNote,
  list: true,
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params, query }) {
    const position = positionOf(query, 'created_at desc', [momentShape, idShape])
    const [at, id] = position.after ?? newestMoment
    const found = await tx.rows(listRows, [
      params.id,
      iso(Number(at)),
      String(id),
      position.limit + 1,
      position.offset,
    ])
    if (found.length === 0) throw debtorUnknown.make()
    const rows = found.filter((row): row is { total: number } & NoteRow => row.id !== null)
    const shownActor = await actorNames(
      tx,
      rows.map(({ actor }) => actor),
    )
    return pageOf(
      position,
      rows,
      cappedTotal(found[0]!.total),
      row => toNote(row, shownActor(row.actor)),
      (row, nextPage) => writeCursor(position.order, nextPage, [row.created_at, row.id]),
    )
  },
})
