import { calendarFor, horizonWarnings, type LocalCalendar } from '../../../domain/contact/calendar.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { defaultCaps } from '../../../domain/contact/contact-rules.ts'
import { type DebtorType, isNaturalPerson } from '../../../domain/debtor-type.ts'
import { cents } from '../../../domain/money/money.ts'
import type { Cascade } from '../../../domain/recovery/cascade.ts'
import { anchorOf, planFirstStep } from '../../../domain/recovery/plan-step.ts'
import { selectCascade } from '../../../domain/recovery/select-cascade.ts'
import { addDays, type LocalDate, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import type { BatchContext } from '../../../kit/operation.ts'
import { searchKey, trigrams } from '../../../kit/search-text.ts'
import {
  type CompanyFacts,
  findCompanyWithCascades,
  incompleteWarnings,
  mediatorWarnings,
} from '../../access/companies/company.ts'
import { eventRows } from '../../platform/events/record-events.ts'
import { scheduleWakes } from '../../recovery/agenda/schedule-wakes.ts'
import { debtorNotFound, invoiceNumberTaken } from '../../recovery/case/errors.ts'
import { invoiceCreated, workflowStarted } from '../../recovery/case/invoice-events.ts'
import { dueTimestamps } from '../../recovery/case/save-recoveries.ts'
import { columnsOfTimeBar } from '../../recovery/case/time-bar-facts.ts'
import { debtorWarnings, type NewDebtorRow, newDebtorRow } from '../debtors/debtor-row.ts'
import { type InvoiceDebtor, isExistingDebtor } from '../debtors/input-schema.ts'
import { type MatchedDebtor, matchDebtors } from '../debtors/match-debtors.ts'
import { type InvoiceInput, timeBarOfNew } from './schema.ts'
import { findStatuses, insertInvoices, type NewInvoiceRow } from './store.ts'

export interface CreatedVerdict {
  id: string
  input: InvoiceInput
  currency: string
  debtor: { id: string; matched: boolean; ignoredFields: string[] }
  warnings: { code: string; message: string }[]
  /** Null: nothing would be sent in the current state, or other invoices of the debtor have a plan already. */
  firstMessage: { on: LocalDate; channel: Channel } | null
}

export type Verdict = { created: CreatedVerdict } | { refused: ApiError }

/**
 * Creates one to a hundred invoices. Each is validated by itself; one statement writes them all with their debtors, their
 * started recoveries and their events. The agendas are written last, with the commit.
 */
export async function createInvoices(
  context: BatchContext,
  items: readonly { readonly input: InvoiceInput; readonly requestId: string }[],
  autoStart: boolean,
): Promise<Verdict[]> {
  const { tx, actor, now, wall } = context
  const [company, matches] = await Promise.all([
    findCompanyWithCascades(tx, actor.companyId),
    matchDebtors(
      tx,
      actor.tenantId,
      items.map(({ input }) => input.debtor),
    ),
  ])
  const newDebtors: NewDebtorRow[] = []
  const numbers = new Set<string>()
  const drafts = items.map(({ input, requestId }, i): Draft | { refused: ApiError } => {
    const match = matches[i] ?? null
    const debtor =
      match ?? (isExistingDebtor(input.debtor) ? null : newDebtor(context, input.debtor, company, newDebtors))
    if (!debtor) return { refused: debtorNotFound.make((input.debtor as { id: string }).id) }
    if (numbers.has(input.invoiceNumber))
      return { refused: invoiceNumberTaken.make(input.invoiceNumber, false) }
    numbers.add(input.invoiceNumber)
    return { ...draftInvoice(context, input, debtor, match, company, autoStart), requestId }
  })
  const valid = drafts.filter(item => 'row' in item)
  const ofDebtor = Map.groupBy(valid, ({ row }) => row.debtor_id)
  for (const draft of valid) if (ofDebtor.get(draft.row.debtor_id)!.length > 1) draft.isOnlyOne = false
  const inserted = await insertInvoices(
    tx,
    valid.map(item => item.row),
    newDebtors,
    valid.flatMap(({ row, isOnlyOne, requestId }) =>
      eventRows(eventsOfNewInvoice(row, isOnlyOne), { ...context, requestId }),
    ),
    iso(now),
  )
  const wasInserted = (item: Draft) => inserted.has(item.row.id)
  scheduleWakes(
    tx,
    actor,
    valid.filter(wasInserted).map(({ row, dueAt }) => ({
      debtorId: row.debtor_id,
      invoiceId: row.id,
      at: dueAt === null ? null : dueAt - now + wall,
      because: row.due_because,
      dueAt: row.due_at,
      channel: row.due_channel,
    })),
  )
  const taken = await takenNumbers(
    tx,
    valid.filter(item => !wasInserted(item)).map(item => item.row.number),
  )
  return drafts.map(item => {
    if ('refused' in item) return item
    if (wasInserted(item)) return { created: item.verdict }
    return { refused: invoiceNumberTaken.make(item.row.number, taken.get(item.row.number) === 'cancelled') }
  })
}

interface Draft {
  requestId: string
  row: NewInvoiceRow
  dueAt: number | null
  /** The debtor has no other invoice with a plan, so its moment is the one that is announced. */
  isOnlyOne: boolean
  verdict: CreatedVerdict
}

function firstMessageOf(
  { steps }: Cascade,
  calendar: LocalCalendar | null,
  at: number | null,
): CreatedVerdict['firstMessage'] {
  const { channel } = steps[0]!
  return at === null || channel === null || calendar === null
    ? null
    : { on: localTime(calendar.zones[0], at).date, channel }
}

/** The day of the last step, as far as no rule moves it. */
const planEnd = ({ steps }: Cascade, dueDate: LocalDate, now: number): LocalDate => {
  const today = iso(now).slice(0, 10)
  return addDays(dueDate < today ? today : dueDate, steps.at(-1)!.day)
}

/** Terms of payment end long before. Further ahead, the year is most often mistyped. */
const dueAheadDaysMax = 180

const farDueWarnings = (dueDate: LocalDate, today: LocalDate) =>
  dueDate <= addDays(today, dueAheadDaysMax)
    ? []
    : [
        {
          code: 'due_far_ahead',
          message: `The due date is more than ${dueAheadDaysMax} days away, and nothing is sent before it; check the year.`,
        },
      ]

const unlistedWarnings = ({ is_collected }: { is_collected: boolean }) =>
  is_collected
    ? [
        {
          code: 'claim_unlisted',
          message:
            'The company is collected for, and nothing is sent before a list of claims contains the invoice: `POST /api/v1/claim-lists`.',
        },
      ]
    : []

/** A consumer abroad gets nothing, for a reason of its own. */
const abroadWarnings = (calendar: LocalCalendar | null, type: DebtorType, isCollected: boolean) =>
  type === 'consumer' || isCollected || calendar === null || calendar.country === 'FR'
    ? []
    : [
        {
          code: 'debtor_abroad',
          message:
            'The debtor is abroad, and the messages name French law; check that it governs the contract.',
        },
      ]

function draftInvoice(
  { actor, now, newId }: BatchContext,
  input: InvoiceInput,
  debtor: Pick<MatchedDebtor, 'id' | 'name' | 'country' | 'postal_code' | 'type'>,
  match: MatchedDebtor | null,
  company: Awaited<ReturnType<typeof findCompanyWithCascades>>,
  autoStart: boolean,
): Omit<Draft, 'requestId'> {
  const calendar = calendarFor({ country: debtor.country, postalCode: debtor.postal_code })
  const type = debtor.type as DebtorType
  const cascade = selectCascade(
    {
      type,
      isNaturalPerson: isNaturalPerson(type, debtor.name),
      amount: cents(input.amountCents),
      score: match?.score ?? null,
    },
    company.own_cascades,
  )
  // Recent contacts are checked later, at the moment of sending, under the debtor's lock.
  const rules = {
    calendar,
    contacts: [],
    month: [],
    caps: defaultCaps,
    isConsumer: type === 'consumer',
    quietUntil: null,
  }
  const planned = autoStart
    ? planFirstStep(rules, cascade, input.dueDate, now, debtor.id)
    : { at: null, because: null }
  const id = newId()
  const currency = input.currency ?? company.currency
  const numberSearch = searchKey(input.invoiceNumber)
  const isOnlyOne = match?.has_agenda !== true
  return {
    dueAt: planned.at,
    isOnlyOne,
    verdict: {
      id,
      input,
      currency,
      debtor: {
        id: debtor.id,
        matched: match !== null,
        ignoredFields: match ? ignoredFields(input.debtor, match) : [],
      },
      firstMessage: isOnlyOne ? firstMessageOf(cascade, calendar, planned.at) : null,
      warnings: [
        ...debtorWarnings(input.debtor.siret, calendar, debtor),
        ...farDueWarnings(input.dueDate, iso(now).slice(0, 10)),
        ...horizonWarnings(planEnd(cascade, input.dueDate, now)),
        ...incompleteWarnings(company, actor.environment),
        ...mediatorWarnings(company.settings, type),
        ...unlistedWarnings(company),
        ...abroadWarnings(calendar, type, company.is_collected),
      ],
    },
    row: {
      id,
      debtor_id: debtor.id,
      number: input.invoiceNumber,
      number_search: numberSearch,
      number_grams: trigrams(actor.tenantId, numberSearch),
      amount_cents: input.amountCents,
      currency,
      issue_date: input.issueDate,
      due_date: input.dueDate,
      supplied_on: input.suppliedOn ?? null,
      limitation_months: input.limitationMonths ?? null,
      ...columnsOfTimeBar(timeBarOfNew(input, type), localTime(calendar?.zones[0] ?? 'UTC', now).date, null),
      description: input.description ?? null,
      metadata: input.metadata ?? {},
      events: autoStart ? 2 : 1,
      cascade: cascade.name,
      cascade_version: cascade.version,
      workflow_status: autoStart ? 'in_recovery' : 'pending',
      started_at: autoStart ? iso(now) : null,
      anchor_at: autoStart ? iso(anchorOf(calendar, now, input.dueDate)) : null,
      first_step: cascade.steps[0]!.name,
      ...dueTimestamps(planned),
    },
  }
}

function eventsOfNewInvoice(row: NewInvoiceRow, isOnlyOne: boolean) {
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
    nextAction: row.due_at === null ? null : row.first_step,
    nextActionAt: isOnlyOne ? row.due_at : null,
  })
  return [created, started]
}

/** A new debtor; two invoices of one request for the same debtor share it. */
function newDebtor(
  { actor, newId }: BatchContext,
  input: Exclude<InvoiceDebtor, { id: string }>,
  company: CompanyFacts,
  newDebtors: NewDebtorRow[],
): NewDebtorRow {
  const row = newDebtorRow(actor.tenantId, newId(), input, company)
  const duplicate = newDebtors.find(
    other =>
      (row.siret !== null && other.siret === row.siret) ||
      (other.email_key === row.email_key &&
        other.name_key === row.name_key &&
        (row.siret === null || other.siret === null)),
  )
  if (duplicate) return duplicate
  newDebtors.push(row)
  return row
}

const comparedFields = [
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

/** The fields of the input that differ from the matched debtor: a match overwrites nothing. */
const ignoredFields = (input: InvoiceDebtor, match: MatchedDebtor): string[] =>
  comparedFields.flatMap(([field, column]) =>
    input[field] !== undefined && input[field] !== match[column] ? [field] : [],
  )

async function takenNumbers(tx: Tx, numbers: readonly string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  return new Map((await findStatuses(tx, numbers)).map(row => [row.number, row.status]))
}
