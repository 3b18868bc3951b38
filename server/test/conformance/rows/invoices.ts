import { proven, type Table } from '../row.ts'

const own = 'test/conformance/invoices.test.ts'
const portfolio = 'src/features/receivables/invoices/portfolio.test.ts'
const feature = 'src/features/receivables/invoices/invoices.test.ts'
const cancelling = 'src/features/receivables/invoices/cancel-invoice.test.ts'
const matrix = 'test/guards/operations.test.ts'
const facts = 'src/domain/money/invoice-state.test.ts'
const mail = 'test/scenarios/recovery/first-email.test.ts'

const created =
  'create answers 201 with the fields of the specification, status imported and the recovery started'
const record = 'the record of get and list has every field of the specification, and both show the same'
const faulty = '%s of %j is VAL_001'
const immutable = '%s is immutable, and that outranks every other fault'
const changed =
  'changes notes and metadata, emits an event without the text of the notes, and clears with null'

const fields: Table = {
  title: 'Invoice',
  rows: [
    ...proven(own, '%s is required on create: VAL_003', {
      'invoice.invoiceNumber.required': 'required',
      'invoice.amountCents.required': 'required',
      'invoice.issueDate.required': 'required',
      'invoice.dueDate.required': 'required',
      'invoice.debtor.required': 'required',
    }),
    ...proven(own, 'an invoice number is unique in its environment and free in the other', {
      'invoice.invoiceNumber': 'unique',
    }),
    ...proven(own, faulty, {
      'invoice.amountCents': 'integer, total including tax, in cents',
      'invoice.currency': 'ISO 4217',
      'invoice.issueDate': 'ISO 8601 date',
      'invoice.dueDate': 'ISO 8601 date',
      'invoice.description': 'at most 500 characters',
      'invoice.notes.create': 'not on create: update only',
    }),
    ...proven(own, created, {
      'invoice.currency.default': 'EUR',
      'invoice.id': 'UUID, output',
      'invoice.status': 'output, first `imported`',
      'invoice.workflowStarted': 'output',
      'invoice.createdAt': 'output, date-time',
    }),
    ...proven(own, record, {
      'invoice.record': 'list and get show the same record',
      'invoice.metadata': 'free key-value data',
    }),
    ...proven(own, 'a debtor that does not exist is created from the data that came with the invoice', {
      'invoice.debtor': 'created from the supplied data when it does not exist',
    }),
    ...proven(feature, 'a known id needs nothing else; an unknown one is BIZ_003', {
      'invoice.debtor.id': 'an existing debtor by its id',
    }),
    ...proven(own, 'notes take 2000 characters and not one more', {
      'invoice.notes': 'at most 2000 characters',
    }),
    ...proven(feature, changed, {
      'invoice.notes.modifiable': 'modifiable after import',
      'invoice.metadata.modifiable': 'modifiable after import',
    }),
    ...proven(feature, immutable, {
      'invoice.amountCents.immutable': 'immutable after import',
      'invoice.invoiceNumber.immutable': 'immutable after import',
      'invoice.issueDate.immutable': 'immutable after import',
      'invoice.dueDate.immutable': 'immutable after import',
      'invoice.currency.immutable': 'immutable after import',
      'invoice.debtor.immutable': 'immutable after import',
    }),
  ],
}

const statuses: Table = {
  title: 'Invoice statuses and transitions',
  rows: [
    ...proven(portfolio, 'invoices are found by where they stand, their due date and their age', {
      'invoices.list.query.standing': 'one or more standings',
      'invoices.list.query.dueFrom': 'due date from',
      'invoices.list.query.dueTo': 'due date to',
      'invoices.list.query.overdueMin': 'days past the due date, at least',
      'invoices.list.query.overdueMax': 'days past the due date, at most',
    }),
    ...proven(portfolio, 'and by their recovery and their debtor', {
      'invoices.list.query.workflowStatus': 'status of the recovery',
      'invoices.list.query.step': 'step of an open recovery',
      'invoices.list.query.reasonCode': 'reason of the next moment',
      'invoices.list.query.debtorType': 'business, consumer, public_body',
    }),
    ...proven(portfolio, 'by the next contact of their debtor, and in its order', {
      'invoices.list.query.nextFrom': 'date-time',
      'invoices.list.query.nextTo': 'date-time',
    }),
    ...proven(own, 'takes the status %s', { 'invoice.status.draft': 'a status one may filter by' }),
    ...proven(facts, 'nothing happened yet: imported', { 'invoice.status.imported': 'as it is created' }),
    ...proven(facts, 'a first accepted message: in recovery', {
      'invoice.status.in_recovery': 'once a message was accepted',
    }),
    ...proven(
      'src/features/receivables/payments/payments.test.ts',
      'a payment in full ends the recovery in the same transaction and emits the events',
      { 'invoice.status.paid': 'paid in full' },
    ),
    ...proven(
      'src/features/receivables/payments/payments.test.ts',
      'a partial payment leaves a balance and the reminders running',
      {
        'invoice.status.partial': 'paid in part',
      },
    ),
    ...proven(own, created, { 'transition.new.imported': 'created, then `imported`' }),
    ...proven(mail, 'one POST becomes one real email, and everything that happened can be read back', {
      'transition.new.started': 'the workflow starts and invoice.created is told',
    }),
    ...proven(
      feature,
      'without autostart the recovery is pending: it can be deleted, once, and only without payments',
      {
        'transition.any.removed': 'deleted while the workflow was not launched: 204',
      },
    ),
    ...proven(
      'src/features/recovery/receipts/record-receipt.test.ts',
      'has an event when it is deposited and when it is signed, and the time to pay runs from there',
      { 'invoice.status.lrar_sent': 'after a registered letter' },
    ),
    ...proven(
      'src/features/receivables/invoices/open-dispute.test.ts',
      'a dispute takes effect with its response: the invoice is disputed, the recovery is paused, the history records it',
      { 'invoice.status.disputed': 'while a dispute is open' },
    ),
    ...proven(
      'src/features/recovery/workflow/escalate.test.ts',
      'the amicable stage of a debt of %i cents ends, with the possible route %s: everything stops, and it is told',
      { 'invoice.status.judicial': 'amicable stage ended; nothing is filed' },
    ),
    ...proven(
      'src/features/recovery/workflow/write-off.test.ts',
      'an invoice that was reminded of is given up: status, recovery, history, events and document in one answer',
      { 'invoice.status.written_off': 'written off' },
    ),
    ...proven(
      cancelling,
      'an invoice in recovery becomes cancelled: its planned reminders and its reserved message are cancelled',
      {
        'invoice.status.cancelled': 'after its recovery was cancelled',
        'transition.in_recovery.cancelled':
          'cancelled while running: planned reminders and pending messages stop',
      },
    ),
  ],
}

const endpoints: Table = {
  title: 'Invoices: endpoints',
  rows: [
    ...proven(own, 'shows page 1 of 20 without being asked, the newest first', {
      'endpoint.GET /api/v1/invoices': 'an array and its pagination',
    }),
    ...proven(own, record, { 'endpoint.GET /api/v1/invoices/:id': 'one invoice' }),
    ...proven(own, created, {
      'endpoint.POST /api/v1/invoices': 'creates one',
      'invoices.create.reply': 'id, invoiceNumber, amountCents, currency, status, workflowStarted, createdAt',
    }),
    ...proven(feature, 'imports the valid invoices and reports where each fault is', {
      'endpoint.POST /api/v1/invoices/bulk': 'imports several',
    }),
    ...proven(feature, 'refuses %j with %s', {
      'invoices.import.body.invoices': 'required, at most 100 items',
    }),
    ...proven(own, 'bulk import starts every recovery unless autoStartWorkflow is false', {
      'invoices.import.body.autoStartWorkflow': 'true unless given',
    }),
    ...proven(feature, changed, {
      'endpoint.PUT /api/v1/invoices/:id': 'changes notes and metadata',
      'invoices.update.body.metadata': 'object',
    }),
    ...proven(own, 'notes take 2000 characters and not one more', {
      'invoices.update.body.notes': 'at most 2000 characters',
    }),
    ...proven(feature, immutable, {
      'invoices.update.rule.amount': 'FORBIDDEN_FIELD_MODIFICATION',
      'invoices.update.rule.invoiceNumber': 'FORBIDDEN_FIELD_MODIFICATION',
      'invoices.update.rule.issueDate': 'FORBIDDEN_FIELD_MODIFICATION',
      'invoices.update.rule.dueDate': 'FORBIDDEN_FIELD_MODIFICATION',
      'invoices.update.rule.currency': 'FORBIDDEN_FIELD_MODIFICATION',
      'invoices.update.rule.debtor': 'FORBIDDEN_FIELD_MODIFICATION',
    }),
    ...proven(
      feature,
      'without autostart the recovery is pending: it can be deleted, once, and only without payments',
      {
        'endpoint.DELETE /api/v1/invoices/:id': '204 without a body',
      },
    ),
    ...proven(feature, 'a running recovery cannot be deleted', {
      'invoices.delete.rule': 'only before the workflow is launched',
    }),
    ...proven(own, 'the summary has the four figures of the specification and counts every status', {
      'endpoint.GET /api/v1/invoices/stats/summary': 'the figures of all invoices',
      'invoices.summary.totalInvoices': 'number',
      'invoices.summary.totalAmountCents': 'number',
      'invoices.summary.byStatus': 'status to count',
      'invoices.summary.recoveryRate': 'percent',
    }),
    ...proven(own, faulty, { 'invoices.create.error.VAL_001': '400' }),
    ...proven(own, '%s is required on create: VAL_003', { 'invoices.create.error.VAL_003': '400' }),
    ...proven(matrix, 'needs each of its scopes, names them all, and needs no other', {
      'invoices.create.error.AUTH_004': '403',
    }),
    ...proven(
      'test/conformance/http-layer.test.ts',
      'the minute’s limit is RATE_001, the day’s quota RATE_002, both 429 with the time to wait',
      { 'invoices.create.error.RATE_001': '429' },
    ),
    ...proven(
      cancelling,
      'reason is required and has at most 500 characters; notifyDebtor is false unless given',
      {
        'invoices.cancel.body.reason': 'required, at most 500 characters',
        'invoices.cancel.body.notifyDebtor': 'false unless given',
      },
    ),
    ...proven(
      cancelling,
      'a running recovery is cancelled for good: counted, recorded in the history, emitted as events, and nothing more is planned',
      {
        'endpoint.POST /api/v1/invoices/:id/cancel': 'cancels a recovery',
        'invoices.cancel.reply.invoiceId': 'output',
        'invoices.cancel.reply.reference': 'output',
        'invoices.cancel.reply.previousStatus': 'output',
        'invoices.cancel.reply.newStatus': 'output',
        'invoices.cancel.reply.cancelledAt': 'date-time',
        'invoices.cancel.reply.summary.actionsCancelled': 'number',
        'invoices.cancel.reply.summary.voiceCallsCancelled': 'number',
        'invoices.cancel.reply.summary.debtorNotified': 'boolean',
      },
    ),
  ],
}

const query: Table = {
  title: 'Invoices: list query parameters',
  rows: [
    ...proven(own, 'takes %s: %s', {
      'invoices.list.query.status': 'one of the statuses',
      'invoices.list.query.debtorId': 'UUID',
      'invoices.list.query.fromDate': 'issue date from',
      'invoices.list.query.toDate': 'issue date to',
      'invoices.list.query.minAmount': 'cents',
      'invoices.list.query.maxAmount': 'cents',
      'invoices.list.query.search': 'invoice number or debtor name',
      'invoices.list.query.page': 'number',
      'invoices.list.query.limit': 'number',
      'invoices.list.query.sortBy': 'due_date, amount_cents',
      'invoices.list.query.sortOrder': 'asc or desc',
    }),
    ...proven(feature, 'sorted by %s, both ways, cursor pages give exactly what pages give', {
      'invoices.list.query.sortBy.all': 'created_at, due_date, amount_cents, status',
    }),
    ...proven(own, 'takes the status %s', { 'invoices.list.query.status.all': 'every status' }),
    ...proven(own, 'shows page 1 of 20 without being asked, the newest first', {
      'invoices.list.query.page.default': '1',
      'invoices.list.query.limit.default': '20',
      'invoices.list.query.sortBy.default': 'created_at',
      'invoices.list.query.sortOrder.default': 'desc',
    }),
    ...proven(own, 'takes a limit of 100 and refuses 101 rather than cutting it', {
      'invoices.list.query.limit.max': '100',
    }),
    ...proven(
      'src/features/receivables/invoices/include-recovery.test.ts',
      'an invoice shows where its recovery stands, what is claimed by which law, and until when',
      { 'invoices.list.query.include': 'recovery', 'invoices.get.query.include': 'recovery' },
    ),
  ],
}

export const invoices: readonly Table[] = [fields, statuses, endpoints, query]
