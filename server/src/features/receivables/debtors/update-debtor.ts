import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import { channelsOf } from '../../../domain/contact/channel.ts'
import { defaultCountry } from '../../../domain/country.ts'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState, type Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { clearableText, note, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { type AgendaLock, lockAgenda, lookAtSharing } from '../../recovery/case/agenda-store.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorErased, debtorUnknown, siretTaken } from '../../recovery/case/errors.ts'
import type { HistoryFact } from '../../recovery/case/history-codes.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { restateTimeBarsOfDebtor } from '../../recovery/case/restate-time-bars.ts'
import type { InFlight } from '../../recovery/case/stop-messages.ts'
import { reopenRefused } from '../../recovery/holds/closed-channels.ts'
import { endInsolvencyReports } from '../../recovery/holds/decide-situation.ts'
import {
  holdAllRecoveries,
  refreshAgendas,
  releaseAllRecoveries,
  stopMessagesToDebtors,
} from '../../recovery/holds/hold-debtor.ts'
import { disownCodes } from '../../recovery/messages/compose/message-code.ts'
import { recountClaims } from '../../recovery/messages/send/recount-claims.ts'
import { readSalts } from '../../recovery/messages/settle/salt-store.ts'
import { debtorChanged, debtorInChargeChanged } from './audit-events.ts'
import {
  creditorPlace,
  debtorWarnings,
  derivedColumns,
  insolvencyColumns,
  insolvencyWarnings,
} from './debtor-row.ts'
import { notOfTeam } from './errors.ts'
import {
  debtorFields,
  debtorTypeOf,
  InsolvencyInput,
  refuseFutureInsolvency,
  storedPhone,
} from './input-schema.ts'
import { peopleDoNotFit } from './people/errors.ts'
import { refuseMisfits } from './people/misfits.ts'
import { findDebtor } from './read-debtors.ts'
import { recordDebtorChange } from './record-debtor-change.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from './rehearse-debtor.ts'
import { Debtor, debtorColumns, holdsOf, type ShownDebtor, toDebtor } from './schema.ts'
import { warnOfDeclaration } from './warn-of-declaration.ts'

const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

const DebtorUpdate = z
  .strictObject({
    name: debtorFields.name.optional(),
    email: debtorFields.email.optional(),
    phone: clearableText(debtorFields.phone),
    siret: clearableText(debtorFields.siret),
    address: clearableText(debtorFields.address),
    city: clearableText(debtorFields.city),
    postalCode: clearableText(debtorFields.postalCode),
    country: clearableText(debtorFields.country).meta({ description: `Cleared, it is ${defaultCountry}` }),
    type: clearable(debtorFields.type).meta({ description: 'Cleared, it is what a new debtor would get' }),
    language: clearable(debtorFields.language).meta({ description: 'Cleared, it is that of the company' }),
    insolvency: clearable(InsolvencyInput),
    notes: clearableText(note(2000)),
    inChargeId: clearable(uuid).meta({ description: 'A person of the company, from GET /api/v1/team' }),
    dryRun,
  })
  .refine(({ dryRun: _, ...body }) => Object.keys(body).length > 0, 'has nothing to change')
  .meta({
    id: 'DebtorUpdate',
    description: 'Only the fields sent change; null or an empty text clears an optional one',
  })

const ChangedDebtor = Debtor.extend(ofDebtorDryRun).meta({ id: 'ChangedDebtor' })

const selectDebtorForUpdate = sql(
  'debtors.lock',
  `select ${debtorColumns} from debtors d where d.id = $1 for no key update`,
).as<ShownDebtor>()
const updateDebtorRow = sql(
  'debtors.update',
  `update debtors d
      set name = x.name, name_key = x.name_key, email = x.email, email_key = x.email_key, phone = x.phone, siret = x.siret,
          address = x.address, city = x.city, postal_code = x.postal_code, country = x.country, type = x.type,
          language = x.language, notes = x.notes, in_charge_id = x.in_charge_id, search_text = x.search_text, search_grams = x.search_grams,
          insolvency_kind = x.insolvency_kind, insolvency_opened_on = x.insolvency_opened_on,
          insolvency_published_on = x.insolvency_published_on, insolvency_court = x.insolvency_court,
          insolvency_practitioner = x.insolvency_practitioner, insolvency_declare_by = x.insolvency_declare_by,
          insolvency_warned_days = case when d.insolvency_declare_by = x.insolvency_declare_by then d.insolvency_warned_days end,
          insolvency_recorded_at = case when x.insolvency_declare_by is not null then coalesce(d.insolvency_recorded_at, $2) end,
          insolvency_declared_on = x.insolvency_declared_on, insolvency_proof = x.insolvency_proof, updated_at = $2
     from jsonb_to_record($1::jsonb) as x(id uuid, name text, name_key text, email text, email_key text, phone text, siret text,
       address text, city text, postal_code text, country text, type text, language text, notes text, in_charge_id uuid, search_text text,
       search_grams integer[], insolvency_kind text, insolvency_opened_on date, insolvency_published_on date, insolvency_court text,
       insolvency_practitioner text, insolvency_declare_by date, insolvency_declared_on date, insolvency_proof text)
    where d.id = x.id returning d.id`,
)

const findOfTeam = sql('debtors.find-person-in-charge', 'select person_in_charge($1) as id')
const isOfTeam = async (tx: Tx, personId: string) => (await tx.rows(findOfTeam, [personId]))[0]!.id !== null

const findPromised = sql(
  'debtors.find-promise-hold',
  `select r.invoice_id from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
    where i.debtor_id = $1 and 'promise' = any (r.holds) limit 1`,
)

export const updateDebtor = operation({
  id: 'debtors.update',
  method: 'PUT',
  path: '/api/v1/debtors/:id',
  summary: 'Change a debtor; messages not yet sent go to the new address',
  description:
    'With `insolvency` every started recovery of the debtor pauses at once; cleared, they go on. A corrected address releases what waited because the old one belonged to somebody else, or refused a message.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid }),
  body: DebtorUpdate,
  status: 200,
  reply: ChangedDebtor,
  errors: [debtorUnknown, debtorErased, siretTaken, peopleDoNotFit, notOfTeam],
  assistant: 'confirm',
  audit: [debtorChanged, debtorInChargeChanged],
  example: { body: { phone: '+33 6 12 34 56 78' } },
  rehearse: withPlannedMessages,
  run: call => changeDebtor(call, call.params.id, call.body),
})

export async function changeDebtor(
  call: OperationContext,
  debtorId: string,
  body: z.output<typeof DebtorUpdate>,
): Promise<z.input<typeof Debtor> | WithWarnings<z.input<typeof Debtor>>> {
  const { tx, actor, now } = call
  // Lock the agenda first, so that a debtor's address never changes while a message to it is being reserved.
  const [[agenda], [current], company, [salt]] = await Promise.all([
    tx.rows(lockAgenda, [actor.tenantId, debtorId]),
    tx.rows(selectDebtorForUpdate, [debtorId]),
    findCompany(tx, actor.companyId),
    tx.rows(readSalts, [[debtorId]]),
  ])
  if (!current) throw debtorUnknown.make()
  if (current.is_erased) throw debtorErased.make()
  refuseFutureInsolvency(body.insolvency, now, company.time_zone)
  const valueOr = <Value>(value: Value | undefined, before: Value): Value =>
    value === undefined ? before : value
  const insolvency = body.insolvency
  const country = body.country === null ? defaultCountry : (body.country ?? current.country)
  const changed = {
    ...current,
    name: body.name ?? current.name,
    email: body.email ?? current.email,
    phone:
      typeof body.phone === 'string' ? storedPhone(body.phone, country) : valueOr(body.phone, current.phone),
    siret: valueOr(body.siret, current.siret),
    address: valueOr(body.address, current.address),
    city: valueOr(body.city, current.city),
    postal_code: valueOr(body.postalCode, current.postal_code),
    country,
    type:
      body.type === null
        ? debtorTypeOf(
            undefined,
            valueOr(body.siret, current.siret) ?? undefined,
            company.default_debtor_type,
          )
        : (body.type ?? current.type),
    language: body.language === null ? company.language : (body.language ?? current.language),
    notes: valueOr(body.notes, current.notes),
    in_charge_id: valueOr(body.inChargeId, current.in_charge_id),
  }
  if (body.inChargeId && !(await isOfTeam(tx, body.inChargeId))) throw notOfTeam.make()
  if (changed.type !== current.type) await refuseMisfits(tx, debtorId, changed.type as DebtorType)
  const place = { country, postalCode: changed.postal_code }
  const proceedings =
    insolvency === undefined
      ? {}
      : insolvencyColumns(insolvency, place, insolvency ? await creditorPlace(tx, actor.companyId) : place)
  const row = { ...changed, ...proceedings, ...derivedColumns(actor.tenantId, changed) }
  try {
    await tx.rows(updateDebtorRow, [JSON.stringify(row), iso(now)])
  } catch (error) {
    if (sqlState(error) === '23505') throw siretTaken.make(changed.siret ?? '')
    throw error
  }
  recordDebtorChange(call, current, row, salt)
  if (row.in_charge_id !== current.in_charge_id) {
    const about = { debtorId, before: current.in_charge_id, after: row.in_charge_id }
    recordAudit(tx, [newEvent(debtorInChargeChanged, debtorId, about)], call)
  }
  // Links sent to the old email or phone must stop working.
  const changedChannels = [
    ...(row.email.toLowerCase() === current.email.toLowerCase() ? [] : channelsOf.email),
    ...(row.phone === current.phone ? [] : channelsOf.phone),
  ]
  if (changedChannels.length > 0) disownCodes(tx, actor.tenantId, [debtorId], changedChannels)
  const hasMoved = (['address', 'city', 'postal_code', 'country'] as const).some(
    field => row[field] !== current[field],
  )
  if (hasMoved) await reopenRefused(tx, debtorId, 'lrar')
  const after = await findDebtor(tx, debtorId)
  if (!after) throw debtorUnknown.make()
  const inFlight = await syncHolds(call, agenda ?? null, current, after)
  if (hasMoved || changedChannels.length > 0) {
    await releaseAllRecoveries(call, debtorId, agenda ?? null, 'address_refused')
    // The new address may be known to refuse messages.
    tx.atCommit(lookAtSharing, [actor.tenantId, debtorId, 'lrar', iso(call.wall)])
  }
  if (row.type !== current.type || row.insolvency_declared_on !== current.insolvency_declared_on) {
    const [file] = await tx.rows(selectDebtorFile, [debtorId])
    await restateTimeBarsOfDebtor(call, { file: file!, agenda: agenda ?? null })
    if (agenda) refreshAgendas(call, [debtorId])
  }
  if (insolvency) {
    await endInsolvencyReports(call, debtorId, agenda ?? null)
    if (row.insolvency_opened_on !== current.insolvency_opened_on) {
      const [file] = await tx.rows(selectDebtorFile, [debtorId])
      await recountClaims(call, file!, company.time_zone)
    }
    if (row.insolvency_declared_on === null && row.insolvency_declare_by !== current.insolvency_declare_by) {
      const today = localTime(company.time_zone, now).date
      await warnOfDeclaration(call, { ...row, insolvency_warned_days: null }, today)
    }
  }
  const shown = insolvency ? await findDebtor(tx, debtorId) : after
  const calendar = calendarFor({ country: row.country, postalCode: row.postal_code })
  const warnings = [
    ...debtorWarnings(body.siret, calendar, row),
    ...(insolvency ? insolvencyWarnings(row, row.country) : []),
    ...inFlightWarnings(inFlight),
  ]
  return warnings.length > 0 ? new WithWarnings(toDebtor(shown!), warnings) : toDebtor(shown!)
}

const holdStarted = (
  hold: Hold,
  { insolvency_kind: kind, insolvency_opened_on: on }: ShownDebtor,
): HistoryFact =>
  hold === 'insolvency'
    ? { code: 'insolvency_opened', params: { kind: kind!, on: on! } }
    : { code: 'wrong_address_given', params: {} }

/** Holds or releases all recoveries of the debtor as its record now requires; returns the messages that could not be stopped. */
async function syncHolds(
  context: OperationContext,
  agenda: AgendaLock | null,
  before: ShownDebtor,
  after: ShownDebtor,
): Promise<InFlight[]> {
  const { tx } = context
  const [holdsBefore, holdsAfter] = [holdsOf(before), holdsOf(after)]
  const added = holdsAfter.filter(hold => !holdsBefore.includes(hold))
  const removed = holdsBefore.filter(hold => !holdsAfter.includes(hold))
  let inFlight: InFlight[] = []
  for (const hold of added) {
    inFlight = await stopMessagesToDebtors(context, [after.id], { channels: [], everything: true }, hold)
    await holdAllRecoveries(context, [after.id], hold, holdStarted(hold, after))
    // What was promised may not be paid any more.
    if (hold === 'insolvency' && (await tx.rows(findPromised, [after.id])).length > 0)
      await releaseAllRecoveries(context, after.id, agenda, 'promise')
  }
  for (const hold of removed) await releaseAllRecoveries(context, after.id, agenda, hold)
  if (agenda) refreshAgendas(context, [after.id])
  return inFlight
}

const inFlightWarnings = (inFlight: readonly InFlight[]) =>
  inFlight.map(({ communicationId, channel, action }) => ({
    code: 'in_flight',
    message: `${action} was already handed to a provider and cannot be stopped (${channel}, communication ${communicationId}).`,
  }))
