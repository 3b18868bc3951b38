import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import { defaultCountry } from '../../../domain/country.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState } from '../../../kit/db/transaction.ts'
import { clearableText, note, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { type AgendaLock, lockAgenda } from '../../recovery/case/agenda-store.ts'
import { debtorUnknown, siretTaken } from '../../recovery/case/errors.ts'
import type { HistoryFact } from '../../recovery/case/history-codes.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import type { InFlight } from '../../recovery/case/stop-messages.ts'
import { channelsOf } from '../../recovery/holds/closed-channels.ts'
import {
  holdAllRecoveries,
  refreshAgendas,
  releaseAllRecoveries,
  stopMessagesToDebtors,
} from '../../recovery/holds/hold-debtor.ts'
import { disownCodes } from '../../recovery/messages/compose/message-code.ts'
import { readSalts } from '../../recovery/messages/settle/salt-store.ts'
import { debtorChanged } from './audit-events.ts'
import { debtorWarnings, derivedColumns, insolvencyWarnings } from './debtor-row.ts'
import { debtorFields, debtorTypeOf, InsolvencyInput, refuseFutureInsolvency } from './input-schema.ts'
import { findDebtor } from './read-debtors.ts'
import { recordDebtorChange } from './record-debtor-change.ts'
import { Debtor, debtorColumns, holdsOf, type ShownDebtor, toDebtor } from './schema.ts'

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
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({
    id: 'DebtorUpdate',
    description: 'Only the fields sent change; null or an empty text clears an optional one',
  })

const selectDebtorForUpdate = sql(
  'debtors.lock',
  `select ${debtorColumns} from debtors d where d.id = $1 and d.erased_at is null for no key update`,
).as<ShownDebtor>()
const updateDebtorRow = sql(
  'debtors.update',
  `update debtors d
      set name = x.name, name_key = x.name_key, email = x.email, email_key = x.email_key, phone = x.phone, siret = x.siret,
          address = x.address, city = x.city, postal_code = x.postal_code, country = x.country, type = x.type,
          language = x.language, notes = x.notes, search_text = x.search_text, search_grams = x.search_grams,
          insolvency_kind = x.insolvency_kind, insolvency_opened_on = x.insolvency_opened_on, updated_at = $2
     from jsonb_to_record($1::jsonb) as x(id uuid, name text, name_key text, email text, email_key text, phone text, siret text,
       address text, city text, postal_code text, country text, type text, language text, notes text, search_text text,
       search_grams integer[], insolvency_kind text, insolvency_opened_on date)
    where d.id = x.id returning d.id`,
)

export const updateDebtor = operation({
  id: 'debtors.update',
  method: 'PUT',
  path: '/api/v1/debtors/:id',
  summary: 'Change a debtor; messages not yet sent go to the new address',
  description:
    'With `insolvency` every started recovery of the debtor pauses at once; cleared, they go on. A corrected email or phone releases what waited because the old one belonged to somebody else.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid }),
  body: DebtorUpdate,
  status: 200,
  reply: Debtor,
  errors: [debtorUnknown, siretTaken],
  assistant: 'confirm',
  audit: [debtorChanged],
  example: { body: { phone: '+33 6 12 34 56 78' } },
  async run(call) {
    const { tx, actor, params, body, now } = call
    // Lock the agenda first, so that a debtor's address never changes while a message to it is being reserved.
    const [[agenda], [current], company, [salt]] = await Promise.all([
      tx.rows(lockAgenda, [actor.tenantId, params.id]),
      tx.rows(selectDebtorForUpdate, [params.id]),
      findCompany(tx, actor.companyId),
      tx.rows(readSalts, [[params.id]]),
    ])
    if (!current) throw debtorUnknown.make()
    refuseFutureInsolvency(body.insolvency, now, company.time_zone)
    const valueOr = <Value>(value: Value | undefined, before: Value): Value =>
      value === undefined ? before : value
    const insolvency = body.insolvency
    const changed = {
      ...current,
      name: body.name ?? current.name,
      email: body.email ?? current.email,
      phone: valueOr(body.phone, current.phone),
      siret: valueOr(body.siret, current.siret),
      address: valueOr(body.address, current.address),
      city: valueOr(body.city, current.city),
      postal_code: valueOr(body.postalCode, current.postal_code),
      country: body.country === null ? defaultCountry : (body.country ?? current.country),
      type:
        body.type === null
          ? debtorTypeOf(
              undefined,
              valueOr(body.siret, current.siret) ?? undefined,
              company.default_debtor_type,
            )
          : (body.type ?? current.type),
      language: body.language === null ? company.language : (body.language ?? current.language),
      insolvency_kind: insolvency === undefined ? current.insolvency_kind : (insolvency?.kind ?? null),
      insolvency_opened_on:
        insolvency === undefined ? current.insolvency_opened_on : (insolvency?.openedOn ?? null),
      notes: valueOr(body.notes, current.notes),
    }
    const row = { ...changed, ...derivedColumns(actor.tenantId, changed) }
    try {
      await tx.rows(updateDebtorRow, [JSON.stringify(row), iso(now)])
    } catch (error) {
      if (sqlState(error) === '23505') throw siretTaken.make(changed.siret ?? '')
      throw error
    }
    recordDebtorChange(call, current, row, salt)
    // Links sent to the old email or phone must stop working.
    const changedChannels = [
      ...(row.email.toLowerCase() === current.email.toLowerCase() ? [] : channelsOf.email),
      ...(row.phone === current.phone ? [] : channelsOf.phone),
    ]
    if (changedChannels.length > 0) disownCodes(tx, actor.tenantId, [params.id], changedChannels)
    const after = await findDebtor(tx, params.id)
    if (!after) throw debtorUnknown.make()
    const inFlight = await syncHolds(call, agenda ?? null, current, after)
    const calendar = calendarFor({ country: row.country, postalCode: row.postal_code })
    const warnings = [
      ...debtorWarnings(body.siret, calendar, row),
      ...insolvencyWarnings(insolvency, row.country),
      ...inFlightWarnings(inFlight),
    ]
    return warnings.length > 0 ? new WithWarnings(toDebtor(after), warnings) : toDebtor(after)
  },
})

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
  const [holdsBefore, holdsAfter] = [holdsOf(before), holdsOf(after)]
  const added = holdsAfter.filter(hold => !holdsBefore.includes(hold))
  const removed = holdsBefore.filter(hold => !holdsAfter.includes(hold))
  let inFlight: InFlight[] = []
  for (const hold of added) {
    inFlight = await stopMessagesToDebtors(context, [after.id], { channels: [], everything: true }, hold)
    await holdAllRecoveries(context, [after.id], hold, holdStarted(hold, after))
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
