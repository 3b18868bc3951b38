import { expect } from 'vitest'

/**
 * The records of the specification, written by hand from its tables: each field with what it must look like. Fields beyond
 * the specification are allowed, missing or differently typed ones are not.
 */
type Check = (value: unknown) => boolean
type Fields = Readonly<Record<string, Check>>

const text: Check = value => typeof value === 'string'
const number: Check = value => typeof value === 'number'
const count: Check = value => Number.isSafeInteger(value) && (value as number) >= 0
const boolean: Check = value => typeof value === 'boolean'
const object: Check = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const texts: Check = value => Array.isArray(value) && value.every(text)
const matching =
  (pattern: RegExp): Check =>
  value =>
    typeof value === 'string' && pattern.test(value)
const uuid = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const day = matching(/^\d{4}-\d\d-\d\d$/)
const moment = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const oneOf =
  (...values: string[]): Check =>
  value =>
    values.includes(value as string)
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)

const invoiceStatus = oneOf(
  ...['draft', 'imported', 'lrar_sent', 'in_recovery', 'paid', 'partial', 'disputed', 'written_off'],
  ...['judicial', 'cancelled'],
)
const workflowStatus = oneOf('pending', 'in_recovery', 'paused', 'completed', 'cancelled', 'judicial')

const createdInvoice: Fields = {
  id: uuid,
  invoiceNumber: text,
  amountCents: count,
  currency: text,
  status: invoiceStatus,
  workflowStarted: boolean,
  createdAt: moment,
}
const debtor: Fields = {
  id: uuid,
  name: text,
  email: text,
  phone: orNull(text),
  siret: orNull(text),
  address: orNull(text),
  city: orNull(text),
  postalCode: orNull(text),
  country: matching(/^[A-Z]{2}$/),
  notes: orNull(text),
  createdAt: moment,
}
const paymentOfInvoice: Fields = {
  id: uuid,
  amountCents: count,
  currency: text,
  status: oneOf('pending', 'completed', 'failed', 'refunded'),
  method: oneOf('card', 'bank_transfer', 'sepa_debit', 'payment_link'),
  paidAt: moment,
}
const workflow: Fields = {
  invoiceId: uuid,
  status: workflowStatus,
  currentStep: text,
  startedAt: moment,
  actionsCompleted: count,
  nextActionAt: orNull(moment),
}
const webhookListed: Fields = {
  id: uuid,
  url: text,
  events: texts,
  description: orNull(text),
  enabled: boolean,
  created_at: moment,
  last_triggered_at: orNull(moment),
}

export const records = {
  createdInvoice,
  invoice: {
    ...createdInvoice,
    issueDate: day,
    dueDate: day,
    description: orNull(text),
    debtor: object,
    metadata: object,
    notes: orNull(text),
  },
  cancelled: {
    invoiceId: uuid,
    reference: text,
    previousStatus: invoiceStatus,
    newStatus: invoiceStatus,
    cancelledAt: moment,
    summary: object,
  },
  cancelSummary: { actionsCancelled: count, voiceCallsCancelled: count, debtorNotified: boolean },
  invoiceSummary: { totalInvoices: count, totalAmountCents: count, byStatus: object, recoveryRate: number },
  debtor,
  invoiceOfDebtor: { id: uuid, invoiceNumber: text, amountCents: count, status: invoiceStatus, dueDate: day },
  score: {
    debtorId: uuid,
    score: number,
    riskLevel: oneOf('low', 'medium', 'high', 'critical'),
    factors: texts,
    lastUpdated: moment,
  },
  payment: { ...paymentOfInvoice, invoiceId: uuid },
  paymentOfInvoice,
  paymentSummary: {
    totalCollected: count,
    totalPending: count,
    currency: text,
    period: oneOf('day', 'week', 'month', 'year'),
    byMethod: object,
    conversionRate: number,
  },
  workflow,
  historyEntry: { action: text, channel: orNull(text), executedAt: moment, status: text, details: text },
  nextAction: {
    invoiceId: uuid,
    nextAction: orNull(text),
    scheduledAt: orNull(moment),
    channel: orNull(text),
    reason: text,
  },
  workflowStats: {
    active: count,
    paused: count,
    completed: count,
    cancelled: count,
    averageDaysToPayment: orNull(number),
    recoveryRate: number,
  },
  createdWebhook: {
    id: uuid,
    url: text,
    events: texts,
    enabled: boolean,
    secret: matching(/^whsec_/),
    createdAt: moment,
  },
  webhookListed,
  rotatedSecret: { secret: matching(/^whsec_/) },
  newKey: { id: uuid, apiKey: matching(/^fk_(live|test)_/), prefix: text },
  page: { page: count, limit: count, total: count, totalPages: count, hasNext: boolean, hasPrev: boolean },
  offsetPage: { limit: count, offset: count, total: count },
  envelope: { success: boolean, requestId: text, timestamp: moment },
} satisfies Record<string, Fields>

/** Every field of the specification is there and looks as it says. */
export function expectRecord(name: keyof typeof records, value: unknown): void {
  const given = value as Record<string, unknown>
  const wrong = Object.entries(records[name] as Fields)
    .filter(([field, check]) => !check(given?.[field]))
    .map(([field]) => `${field}: ${JSON.stringify(given?.[field])}`)
  expect(wrong, name).toEqual([])
}
