import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState } from '../../../kit/db/transaction.ts'
import { note, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import type { World } from '../../recovery/case/case.ts'
import type { InFlight } from '../../recovery/case/change.ts'
import { debtorUnknown, siretTaken } from '../../recovery/case/debtor-errors.ts'
import { type AgendaLock, lockAgenda } from '../../recovery/case/debtor-file.ts'
import { channelsOf } from '../../recovery/holds/closed-channels.ts'
import { holdEvery, lookAgain, releaseEvery, stopMessagesTo } from '../../recovery/holds/hold-debtor.ts'
import { disownCodes } from '../../recovery/messages/code.ts'
import {
  Debtor,
  debtorColumns,
  debtorFields,
  holdsOf,
  InsolvencyInput,
  refuseFutureInsolvency,
  type ShownDebtor,
  toDebtor,
} from './debtor.ts'
import { debtorWarnings, derivedColumns, insolvencyWarnings } from './debtor-row.ts'
import { findDebtor } from './read-debtors.ts'

const cleared = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

const DebtorUpdate = z
  .strictObject({
    name: debtorFields.name.optional(),
    email: debtorFields.email.optional(),
    phone: cleared(debtorFields.phone),
    siret: cleared(debtorFields.siret),
    address: cleared(debtorFields.address),
    city: cleared(debtorFields.city),
    postalCode: cleared(debtorFields.postalCode),
    country: debtorFields.country.optional(),
    type: debtorFields.type.optional(),
    language: debtorFields.language.optional(),
    insolvency: cleared(InsolvencyInput),
    notes: cleared(note(2000)),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'DebtorUpdate', description: 'Only the fields sent change; null clears an optional one' })

const read = sql(
  'debtors.lock',
  `select ${debtorColumns} from debtors d where d.id = $1 for no key update`,
).as<ShownDebtor>()
const update = sql(
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
  example: { body: { phone: '+33 6 12 34 56 78' } },
  async run(call) {
    const { tx, actor, params, body, now } = call
    // The agenda first: what a debtor is sent, and where, never changes under a message being reserved.
    const [[agenda], [current], company] = await Promise.all([
      tx.rows(lockAgenda, [actor.tenantId, params.id]),
      tx.rows(read, [params.id]),
      findCompany(tx, actor.companyId),
    ])
    if (!current) throw debtorUnknown.make()
    refuseFutureInsolvency(body.insolvency, now, company.time_zone)
    const given = <Value>(value: Value | undefined, before: Value): Value =>
      value === undefined ? before : value
    const insolvency = body.insolvency
    const changed = {
      ...current,
      name: body.name ?? current.name,
      email: body.email ?? current.email,
      phone: given(body.phone, current.phone),
      siret: given(body.siret, current.siret),
      address: given(body.address, current.address),
      city: given(body.city, current.city),
      postal_code: given(body.postalCode, current.postal_code),
      country: body.country ?? current.country,
      type: body.type ?? current.type,
      language: body.language ?? current.language,
      insolvency_kind: insolvency === undefined ? current.insolvency_kind : (insolvency?.kind ?? null),
      insolvency_opened_on:
        insolvency === undefined ? current.insolvency_opened_on : (insolvency?.openedOn ?? null),
      notes: given(body.notes, current.notes),
    }
    const row = { ...changed, ...derivedColumns(actor.tenantId, changed) }
    try {
      await tx.rows(update, [JSON.stringify(row), iso(now)])
    } catch (error) {
      if (sqlState(error) === '23505') throw siretTaken.make(changed.siret ?? '')
      throw error
    }
    // Who reads the old mailbox, or has the old telephone, has no business here any more.
    const left = [
      ...(row.email.toLowerCase() === current.email.toLowerCase() ? [] : channelsOf.email),
      ...(row.phone === current.phone ? [] : channelsOf.phone),
    ]
    if (left.length > 0) disownCodes(tx, actor.tenantId, [params.id], left)
    const after = await findDebtor(tx, params.id)
    if (!after) throw debtorUnknown.make()
    const inFlight = await holdAccordingly(call, agenda ?? null, current, after)
    const hasCalendar = calendarFor({ country: row.country, postalCode: row.postal_code }) !== null
    const warnings = [
      ...debtorWarnings(body.siret, hasCalendar, row.country),
      ...insolvencyWarnings(insolvency, row.country),
      ...inFlightWarnings(inFlight),
    ]
    return warnings.length > 0 ? new WithWarnings(toDebtor(after), warnings) : toDebtor(after)
  },
})

const newInWords = (hold: Hold, { insolvency_kind, insolvency_opened_on }: ShownDebtor) =>
  hold === 'insolvency'
    ? `Insolvency proceedings were opened on ${insolvency_opened_on} (${insolvency_kind!.replace('_', ' ')}); the reminders are paused.`
    : 'The new address belongs to somebody else; correct it, and the reminders go on.'

const goneInWords: Partial<Record<Hold, string>> = {
  insolvency: 'Insolvency proceedings are over',
  wrong_person: 'The address was corrected',
}

/** Holds and releases every recovery of the debtor as its record now says; answers what could not be stopped any more. */
async function holdAccordingly(
  world: World,
  agenda: AgendaLock | null,
  before: ShownDebtor,
  after: ShownDebtor,
): Promise<InFlight[]> {
  const [was, is] = [holdsOf(before), holdsOf(after)]
  const come = is.filter(hold => !was.includes(hold))
  const gone = was.filter(hold => !is.includes(hold))
  let inFlight: InFlight[] = []
  for (const hold of come) {
    inFlight = await stopMessagesTo(world, [after.id], { channels: [], everything: true }, hold)
    await holdEvery(world, [after.id], hold, newInWords(hold, after))
  }
  for (const hold of gone) await releaseEvery(world, after.id, agenda, [hold], goneInWords[hold]!)
  if (come.length + gone.length > 0) lookAgain(world, [after.id])
  return inFlight
}

const inFlightWarnings = (inFlight: readonly InFlight[]) =>
  inFlight.map(({ communicationId, channel, action }) => ({
    code: 'in_flight',
    message: `${action} was already handed to a provider and cannot be stopped (${channel}, communication ${communicationId}).`,
  }))
