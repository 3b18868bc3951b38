import { calendarFor } from '../../domain/calendar.ts'
import { type DebtorType, planFirst, selectCascade } from '../../domain/cascade.ts'
import { cents } from '../../domain/money.ts'
import { hasValidCheckDigit } from '../../domain/siret.ts'
import { iso } from '../../kit/clock.ts'
import type { Tx } from '../../kit/db/transaction.ts'
import type { ApiError } from '../../kit/errors.ts'
import { newEvent } from '../../kit/events.ts'
import type { Call } from '../../kit/operation.ts'
import { scheduleWakes } from '../agenda/schedule-wakes.ts'
import { type CompanyFacts, findCompany } from '../companies/company.ts'
import { emailKey, type InvoiceDebtor, isKnown, nameKey, typeOf } from '../debtors/debtor.ts'
import { type MatchedDebtor, matchDebtors } from '../debtors/match.ts'
import { eventRows } from '../events/record-events.ts'
import { debtorNotFound, invoiceNumberTaken } from './errors.ts'
import { invoiceCreated, workflowStarted } from './events.ts'
import type { InvoiceInput } from './invoice.ts'
import { findStatuses, insertInvoices, type NewDebtorRow, type NewInvoiceRow } from './store.ts'

export interface CreatedVerdict {
  id: string
  input: InvoiceInput
  currency: string
  debtor: { id: string; matched: boolean; ignoredFields: string[] }
  warnings: { code: string; message: string }[]
}

export type Verdict = { created: CreatedVerdict } | { refused: ApiError }

type World = Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'>

/**
 * One to a hundred invoices, judged one by one and written by one statement: matched or new debtors, the recoveries already
 * started, what happened, and last the agendas that will wake.
 */
export async function createInvoices(
  world: World,
  inputs: readonly InvoiceInput[],
  autoStart: boolean,
): Promise<Verdict[]> {
  const { tx, actor, now, wall, newId } = world
  const [company, matches] = await Promise.all([
    findCompany(tx, actor.companyId),
    matchDebtors(
      tx,
      actor.tenantId,
      inputs.map(input => input.debtor),
    ),
  ])
  const newDebtors = new Map<string, NewDebtorRow>()
  const numbers = new Set<string>()
  const drafts = inputs.map((input, i) => {
    const debtor = matches[i] ?? newDebtor(input.debtor, company, newDebtors, newId)
    if (!debtor) return { refused: debtorNotFound.make((input.debtor as { id: string }).id) }
    if (numbers.has(input.invoiceNumber))
      return { refused: invoiceNumberTaken.make(input.invoiceNumber, false) }
    numbers.add(input.invoiceNumber)
    return draft(input, debtor, matches[i] ?? null, company, autoStart, now, newId)
  })
  const valid = drafts.filter(item => 'row' in item)
  const events = eventRows(
    valid.flatMap(({ row }) => announce(row)),
    world,
  )
  const inserted = await insertInvoices(
    tx,
    valid.map(item => item.row),
    [...newDebtors.values()],
    events,
    iso(now),
  )
  const isIn = (item: Draft) => inserted.has(item.row.id)
  scheduleWakes(
    tx,
    actor.tenantId,
    valid.filter(isIn).map(({ row, dueAt }) => ({
      debtorId: row.debtor_id,
      at: dueAt === null ? null : dueAt - now + wall,
      because: row.due_because,
    })),
  )
  const taken = await takenNumbers(
    tx,
    valid.filter(item => !isIn(item)).map(item => item.row.number),
  )
  return drafts.map(item => {
    if ('refused' in item) return item
    const status = taken.get(item.row.number)
    if (!isIn(item)) return { refused: invoiceNumberTaken.make(item.row.number, status === 'cancelled') }
    return { created: item.verdict }
  })
}

interface Draft {
  row: NewInvoiceRow
  dueAt: number | null
  verdict: CreatedVerdict
}

type Identified = Pick<MatchedDebtor, 'id' | 'country' | 'postal_code' | 'type'>

function draft(
  input: InvoiceInput,
  debtor: Identified,
  match: MatchedDebtor | null,
  company: CompanyFacts,
  autoStart: boolean,
  now: number,
  newId: () => string,
): Draft {
  const calendar = calendarFor({ country: debtor.country, postalCode: debtor.postal_code })
  const cascade = selectCascade(debtor.type as DebtorType, cents(input.amountCents))
  const planned = planFirst({ calendar, contacts: [] }, cascade, input.dueDate, now, debtor.id)
  const id = newId()
  const currency = input.currency ?? company.currency
  const warnings: CreatedVerdict['warnings'] = []
  if (input.debtor.siret !== undefined && !hasValidCheckDigit(input.debtor.siret))
    warnings.push({
      code: 'siret_checksum',
      message: 'The check digit of debtor.siret is wrong; the number is kept but not used.',
    })
  if (!calendar)
    warnings.push({
      code: 'calendar_missing',
      message: `No calendar of public holidays for ${debtor.country}: nothing will be sent to this debtor.`,
    })
  return {
    dueAt: autoStart ? planned.at : null,
    verdict: {
      id,
      input,
      currency,
      debtor: {
        id: debtor.id,
        matched: match !== null,
        ignoredFields: match ? ignoredFields(input.debtor, match) : [],
      },
      warnings,
    },
    row: {
      id,
      debtor_id: debtor.id,
      number: input.invoiceNumber,
      amount_cents: input.amountCents,
      currency,
      issue_date: input.issueDate,
      due_date: input.dueDate,
      description: input.description ?? null,
      metadata: input.metadata ?? {},
      events: autoStart ? 2 : 1,
      cascade: cascade.name,
      cascade_version: cascade.version,
      workflow_status: autoStart ? 'in_recovery' : 'pending',
      started_at: autoStart ? iso(now) : null,
      due_at: autoStart && planned.at !== null ? iso(planned.at) : null,
      due_because: autoStart ? planned.because : null,
    },
  }
}

function announce(row: NewInvoiceRow) {
  const about = { invoiceId: row.id, invoiceNumber: row.number, debtorId: row.debtor_id }
  const created = newEvent(invoiceCreated, row.id, {
    ...about,
    amountCents: row.amount_cents,
    currency: row.currency,
    dueDate: row.due_date,
    status: 'imported',
    workflowStarted: row.started_at !== null,
  })
  if (row.started_at === null) return [created]
  const started = newEvent(workflowStarted, row.id, {
    ...about,
    cascade: row.cascade,
    cascadeVersion: row.cascade_version,
    startedAt: row.started_at,
    nextAction: firstStepOf(row),
    nextActionAt: row.due_at,
  })
  return [created, started]
}

const firstStepOf = (row: NewInvoiceRow) => (row.due_at === null ? null : 'email_prise_en_charge')

/** A debtor nobody knew yet; two invoices of one request with one debtor share it. Null: an id that leads nowhere. */
function newDebtor(
  input: InvoiceDebtor,
  company: CompanyFacts,
  made: Map<string, NewDebtorRow>,
  newId: () => string,
): NewDebtorRow | null {
  if (isKnown(input)) return null
  const row: NewDebtorRow = {
    id: newId(),
    name: input.name,
    name_key: nameKey(input.name),
    email: input.email,
    email_key: emailKey(input.email),
    phone: input.phone ?? null,
    siret: input.siret ?? null,
    address: input.address ?? null,
    city: input.city ?? null,
    postal_code: input.postalCode ?? null,
    country: input.country ?? 'FR',
    type: typeOf(input.type, input.siret, company.default_debtor_type),
    language: input.language ?? company.language,
  }
  const twin = [...made.values()].find(
    other =>
      (row.siret !== null && other.siret === row.siret) ||
      (other.email_key === row.email_key &&
        other.name_key === row.name_key &&
        (row.siret === null || other.siret === null)),
  )
  if (twin) return twin
  made.set(row.id, row)
  return row
}

const compared = [
  ['name', 'name'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['siret', 'siret'],
  ['address', 'address'],
  ['city', 'city'],
  ['postalCode', 'postal_code'],
  ['country', 'country'],
  ['type', 'type'],
  ['language', 'language'],
] as const

/** A match overwrites nothing, and says so. */
const ignoredFields = (input: InvoiceDebtor, match: MatchedDebtor): string[] =>
  compared.flatMap(([field, column]) =>
    input[field] !== undefined && input[field] !== match[column] ? [field] : [],
  )

async function takenNumbers(tx: Tx, numbers: readonly string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  return new Map((await findStatuses(tx, numbers)).map(row => [row.number, row.status]))
}
