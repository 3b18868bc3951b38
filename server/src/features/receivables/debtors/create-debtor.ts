import { calendarFor } from '../../../domain/contact/calendar.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { siretTaken } from '../../recovery/case/errors.ts'
import { debtorCreated } from './audit-events.ts'
import {
  creditorPlace,
  debtorWarnings,
  insolvencyColumns,
  insolvencyWarnings,
  newDebtorRow,
} from './debtor-row.ts'
import { DebtorInput, refuseFutureInsolvency } from './input-schema.ts'
import { findDebtor } from './read-debtors.ts'
import { Debtor, toDebtor } from './schema.ts'

const insertDebtor = sql(
  'debtors.insert',
  `insert into debtors (tenant_id, id, name, name_key, email, email_key, phone, siret, address, city, postal_code, country, type,
     language, notes, search_text, search_grams, insolvency_kind, insolvency_opened_on, insolvency_published_on, insolvency_court,
     insolvency_practitioner, insolvency_declare_by, insolvency_declared_on, insolvency_proof, created_at, updated_at)
   select current_setting('relance.tenant')::uuid, id, name, name_key, email, email_key, phone, siret, address, city, postal_code,
          country, type, language, notes, search_text, search_grams, insolvency_kind, insolvency_opened_on,
          insolvency_published_on, insolvency_court, insolvency_practitioner, insolvency_declare_by, insolvency_declared_on,
          insolvency_proof, $2, $2
     from jsonb_to_record($1::jsonb) as x(id uuid, name text, name_key text, email text, email_key text, phone text, siret text,
       address text, city text, postal_code text, country text, type text, language text, notes text, search_text text,
       search_grams integer[], insolvency_kind text, insolvency_opened_on date, insolvency_published_on date, insolvency_court text,
       insolvency_practitioner text, insolvency_declare_by date, insolvency_declared_on date, insolvency_proof text)
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
  audit: [debtorCreated],
  example: {
    body: {
      name: 'Durand SARL',
      email: 'compta@durand.example',
      phone: '+33 4 72 00 00 00',
      postalCode: '69002',
    },
  },
  async run(call) {
    const { tx, actor, body, now, newId } = call
    const company = await findCompany(tx, actor.companyId)
    const { insolvency } = body
    refuseFutureInsolvency(insolvency, now, company.time_zone)
    const row = newDebtorRow(actor.tenantId, newId(), body, company)
    const debtorPlace = { country: row.country, postalCode: row.postal_code }
    const creditor = insolvency ? await creditorPlace(tx, actor.companyId) : debtorPlace
    const proceedings = insolvencyColumns(insolvency ?? null, debtorPlace, creditor)
    const [[inserted], created] = await Promise.all([
      tx.rows(insertDebtor, [JSON.stringify({ ...row, ...proceedings }), iso(now)]),
      findDebtor(tx, row.id),
    ])
    if (!inserted || !created) throw siretTaken.make(row.siret ?? '')
    const calendar = calendarFor({ country: row.country, postalCode: row.postal_code })
    const warnings = [
      ...debtorWarnings(row.siret, calendar, row),
      ...insolvencyWarnings(proceedings, row.country),
    ]
    recordAudit(tx, [newEvent(debtorCreated, row.id, { debtorId: row.id })], call)
    const debtor = toDebtor(created)
    return warnings.length > 0 ? new WithWarnings(debtor, warnings) : debtor
  },
})
