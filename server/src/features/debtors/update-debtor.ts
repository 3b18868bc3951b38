import { z } from 'zod'
import { calendarFor } from '../../domain/calendar.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { sqlState } from '../../kit/db/transaction.ts'
import { note, uuid } from '../../kit/fields.ts'
import { operation, WithWarnings } from '../../kit/operation.ts'
import { lockAgenda } from '../agenda/debtor-file.ts'
import { Debtor, type DebtorRow, debtorColumns, debtorFields, toDebtor } from './debtor.ts'
import { debtorWarnings, derivedColumns } from './debtor-row.ts'
import { debtorUnknown, siretTaken } from './errors.ts'

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
    notes: cleared(note(2000)),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'DebtorUpdate', description: 'Only the fields sent change; null clears an optional one' })

const read = sql<DebtorRow>(`select ${debtorColumns} from debtors d where d.id = $1 for no key update`)
const update = sql<{ id: string }>(
  `update debtors d
      set name = x.name, name_key = x.name_key, email = x.email, email_key = x.email_key, phone = x.phone, siret = x.siret,
          address = x.address, city = x.city, postal_code = x.postal_code, country = x.country, type = x.type,
          language = x.language, notes = x.notes, search_text = x.search_text, search_grams = x.search_grams, updated_at = $2
     from jsonb_to_record($1::jsonb) as x(id uuid, name text, name_key text, email text, email_key text, phone text, siret text,
       address text, city text, postal_code text, country text, type text, language text, notes text, search_text text,
       search_grams integer[])
    where d.id = x.id returning d.id`,
)

export const updateDebtor = operation({
  id: 'debtors.update',
  method: 'PUT',
  path: '/api/v1/debtors/:id',
  summary: 'Change a debtor; messages not yet sent go to the new address',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid }),
  body: DebtorUpdate,
  status: 200,
  reply: Debtor,
  errors: [debtorUnknown, siretTaken],
  assistant: 'confirm',
  example: { body: { phone: '+33 6 12 34 56 78' } },
  async run({ tx, actor, params, body, now }) {
    // The agenda first: what a debtor is sent, and where, never changes under a message being reserved.
    const [, [current]] = await Promise.all([
      tx.rows(lockAgenda, [actor.tenantId, params.id]),
      tx.rows(read, [params.id]),
    ])
    if (!current) throw debtorUnknown.make()
    const given = <Value>(value: Value | undefined, before: Value): Value =>
      value === undefined ? before : value
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
      notes: given(body.notes, current.notes),
    }
    const row = { ...changed, ...derivedColumns(actor.tenantId, changed) }
    try {
      await tx.rows(update, [JSON.stringify(row), iso(now)])
    } catch (error) {
      if (sqlState(error) === '23505') throw siretTaken.make(changed.siret ?? '')
      throw error
    }
    const hasCalendar = calendarFor({ country: row.country, postalCode: row.postal_code }) !== null
    const warnings = debtorWarnings(body.siret, hasCalendar, row.country)
    return warnings.length > 0 ? new WithWarnings(toDebtor(row), warnings) : toDebtor(row)
  },
})
