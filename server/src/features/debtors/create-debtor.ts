import { calendarFor } from '../../domain/calendar.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { operation, WithWarnings } from '../../kit/operation.ts'
import { findCompany } from '../companies/company.ts'
import { Debtor, DebtorInput, toDebtor } from './debtor.ts'
import { debtorWarnings, newDebtorRow } from './debtor-row.ts'
import { siretTaken } from './errors.ts'

const insert = sql<{ id: string }>(
  `insert into debtors (tenant_id, id, name, name_key, email, email_key, phone, siret, address, city, postal_code, country, type,
     language, notes, search_text, search_grams, created_at, updated_at)
   select current_setting('relance.tenant')::uuid, id, name, name_key, email, email_key, phone, siret, address, city, postal_code,
          country, type, language, notes, search_text, search_grams, $2, $2
     from jsonb_to_record($1::jsonb) as x(id uuid, name text, name_key text, email text, email_key text, phone text, siret text,
       address text, city text, postal_code text, country text, type text, language text, notes text, search_text text,
       search_grams integer[])
   on conflict (tenant_id, siret) where siret is not null do nothing
   returning id`,
)

export const createDebtor = operation({
  id: 'debtors.create',
  method: 'POST',
  path: '/api/v1/debtors',
  summary: 'Create a debtor',
  scopes: ['debtors:write'],
  body: DebtorInput,
  status: 201,
  reply: Debtor,
  errors: [siretTaken],
  assistant: 'confirm',
  example: {
    body: {
      name: 'Durand SARL',
      email: 'compta@durand.example',
      phone: '+33 4 72 00 00 00',
      postalCode: '69002',
    },
  },
  async run({ tx, actor, body, now, newId }) {
    const row = newDebtorRow(actor.tenantId, newId(), body, await findCompany(tx, actor.companyId))
    const [inserted] = await tx.rows(insert, [JSON.stringify(row), iso(now)])
    if (!inserted) throw siretTaken.make(row.siret ?? '')
    const hasCalendar = calendarFor({ country: row.country, postalCode: row.postal_code }) !== null
    const warnings = debtorWarnings(row.siret, hasCalendar, row.country)
    const debtor = toDebtor({ ...row, created_at: now })
    return warnings.length > 0 ? new WithWarnings(debtor, warnings) : debtor
  },
})
