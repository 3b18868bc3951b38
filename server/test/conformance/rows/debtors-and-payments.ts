import { proven, type Table } from '../row.ts'

const own = 'test/conformance/debtors.test.ts'
const portfolio = 'src/features/receivables/debtors/list-debtors.test.ts'
const feature = 'src/features/receivables/debtors/debtors.test.ts'
const read = 'a debtor is created and read with every field of the specification'
const required = 'only name and email are required, and the country is France unless another is given'
const faulty = '%s of %j is VAL_001'
const matrix = 'test/guards/operations.test.ts'
const list = 'the list takes search, page and limit: 20 unless asked, at most 100'
const underDebtor =
  'an invoice listed under its debtor has id, invoiceNumber, amountCents, status and dueDate'

const scored = 'test/conformance/score.test.ts'
const fieldsOfScore = 'a score is read with every field of the specification'
const moments = 'test/scenarios/receivables/score-moments.test.ts'

const debtor: Table = {
  title: 'Debtor',
  rows: [
    ...proven(own, read, {
      'debtor.id': 'UUID, output',
      'debtor.address': 'postal address',
      'debtor.city': 'optional',
      'debtor.postalCode': 'optional',
      'debtor.createdAt': 'output, date-time',
    }),
    ...proven(own, required, {
      'debtor.name.required': 'required',
      'debtor.email.required': 'required',
      'debtor.country.default': 'FR',
    }),
    ...proven(own, faulty, {
      'debtor.name': 'at most 200 characters',
      'debtor.email': 'an email address',
      'debtor.phone': 'international format',
      'debtor.siret': '14 digits',
      'debtor.country': 'ISO 3166-1 alpha-2',
    }),
    ...proven(
      'test/conformance/invoices.test.ts',
      'the record of get and list has every field of the specification, and both show the same',
      {
        'debtor.notes': 'internal: on the debtor endpoints only',
      },
    ),
    ...proven(own, underDebtor, {
      'debtor.invoice.id': 'UUID',
      'debtor.invoice.invoiceNumber': 'string',
      'debtor.invoice.amountCents': 'cents',
      'debtor.invoice.status': 'string',
      'debtor.invoice.dueDate': 'date',
    }),
  ],
}

const debtors: Table = {
  title: 'Debtors: endpoints',
  rows: [
    ...proven(portfolio, 'debtors are listed by name, by what they owe and by their next contact', {
      'debtors.list.query.sortBy': 'created_at, name, balance, next_contact, score',
      'debtors.list.query.sortOrder': 'asc or desc',
    }),
    ...proven(portfolio, 'filters by standing, balance and risk, alone and together', {
      'debtors.list.query.standing': 'one or more standings',
      'debtors.list.query.minBalance': 'cents',
      'debtors.list.query.risk': 'low, medium, high, critical',
    }),
    ...proven(portfolio, 'the debtors to be contacted on a day are found, in any order, with their number', {
      'debtors.list.query.nextFrom': 'the next contact in this quarter hour or later',
      'debtors.list.query.nextTo': 'the same, or earlier',
    }),
    ...proven(portfolio, 'finds debtors whose wake-up failed again and again', {
      'debtors.list.query.parked': 'true',
    }),
    ...proven(portfolio, 'an account tells what is open, what comes next and what holds', {
      'debtors.list.query.include': 'account',
    }),
    ...proven(own, list, {
      'endpoint.GET /api/v1/debtors': 'an array and its pagination',
      'debtors.list.query.search': 'part of the name',
      'debtors.list.query.page': '1 unless given',
      'debtors.list.query.limit': '20 unless given, at most 100',
    }),
    ...proven(feature, 'finds debtors by part of their name, email or SIRET, without case or accents', {
      'debtors.list.query.search.all': 'name, email or SIRET',
    }),
    ...proven(own, read, {
      'endpoint.GET /api/v1/debtors/:id': 'one debtor',
      'endpoint.POST /api/v1/debtors': 'creates one',
    }),
    ...proven(own, 'an update may change %s alone, to %j', {
      'endpoint.PUT /api/v1/debtors/:id': 'all fields modifiable, partial body accepted',
    }),
    ...proven(own, underDebtor, { 'endpoint.GET /api/v1/debtors/:id/invoices': 'an array of summaries' }),
    ...proven(
      'test/scenarios/recovery/written-messages.test.ts',
      'as a PDF lists what is open, and sums what is due',
      { 'endpoint.GET /api/v1/debtors/:id/statement': 'all open invoices, as a PDF' },
    ),
    ...proven(own, faulty, {
      'debtors.create.error.VAL_001.email': '400 for an invalid email',
      'debtors.create.error.VAL_001.siret': '400 for an invalid SIRET',
    }),
    ...proven(matrix, 'needs each of its scopes, names them all, and needs no other', {
      'debtors.create.error.AUTH_004': '403',
    }),
    ...proven(scored, fieldsOfScore, { 'endpoint.GET /api/v1/debtors/:id/score': 'the risk score' }),
    ...proven(moments, 'speaks the language of the company, and the other one when asked', {
      'debtors.score.query.language': 'fr or en',
    }),
  ],
}

const score: Table = {
  title: 'Debtor risk score',
  rows: [
    ...proven(scored, fieldsOfScore, {
      'score.debtorId': 'UUID',
      'score.factors': 'explanatory factors',
      'score.lastUpdated': 'date-time',
    }),
    ...proven('test/scenarios/receivables/score-histories.test.ts', 'everything at its maximum: 195', {
      'score.score': '0 to 195, from 13 criteria',
    }),
    ...proven('src/domain/score/score.test.ts', '%i points are %s', {
      'score.riskLevel.low': '0 to 50',
      'score.riskLevel.medium': '51 to 100',
      'score.riskLevel.high': '101 to 150',
      'score.riskLevel.critical': '151 to 195',
    }),
    ...proven(scored, 'it is another one at once after a payment, a dispute and an answer', {
      'score.recalculated': 'after each payment, reply and dispute',
    }),
  ],
}

const money = 'test/conformance/payments.test.ts'
const fields =
  'a payment is read with every field of the specification; under its invoice the invoiceId is absent'
const status = 'the status may be %s, and filters the list'
const figures = 'the statistics of the %s have every figure of the specification: %i collected'
const pages = 'invoiceId filters, page and limit page: 20 unless asked, at most 100'
const requests = 'src/features/receivables/debtors/data-requests.test.ts'
const payments = 'src/features/receivables/payments/payments.test.ts'
const receipts = 'test/scenarios/receivables/receipts.test.ts'

const payment: Table = {
  title: 'Payment',
  rows: [
    ...proven(money, fields, {
      'payment.id': 'UUID',
      'payment.invoiceId': 'UUID, absent under its invoice',
      'payment.currency': 'string',
      'payment.paidAt': 'date-time',
    }),
    ...proven(money, 'a payment may be lower than the invoice, and the invoice is then partial', {
      'payment.amountCents': 'may be lower than the invoice',
    }),
    ...proven(money, status, {
      'payment.status.pending': 'on its way',
      'payment.status.completed': 'arrived',
      'payment.status.failed': 'failed',
      'payment.status.refunded': 'given back',
    }),
    ...proven(money, 'the method may be %s', {
      'payment.method.card': 'card',
      'payment.method.bank_transfer': 'bank transfer',
      'payment.method.sepa_debit': 'SEPA debit',
      'payment.method.payment_link': 'payment link',
    }),
  ],
}

const paymentEndpoints: Table = {
  title: 'Payments: endpoints',
  rows: [
    ...proven(money, pages, {
      'endpoint.GET /api/v1/payments': 'an array and its pagination',
      'payments.list.query.invoiceId': 'UUID',
      'payments.list.query.page': '1 unless given',
      'payments.list.query.limit': '20 unless given, at most 100',
    }),
    ...proven(money, status, { 'payments.list.query.status': 'one of the four' }),
    ...proven(money, 'fromDate and toDate are days of payment, both included', {
      'payments.list.query.fromDate': 'date',
      'payments.list.query.toDate': 'date',
    }),
    ...proven(money, fields, {
      'endpoint.GET /api/v1/payments/:id': 'one payment',
      'endpoint.GET /api/v1/payments/invoice/:invoiceId': 'the payments of an invoice',
    }),
    ...proven(money, figures, {
      'endpoint.GET /api/v1/payments/stats/summary': 'the figures of a period',
      'payments.summary.query.period': 'day, week, month, year',
      'payments.summary.totalCollected': 'number',
      'payments.summary.totalPending': 'number',
      'payments.summary.currency': 'string',
      'payments.summary.period': 'string',
      'payments.summary.byMethod': 'method to amount',
      'payments.summary.conversionRate': 'percent',
    }),
  ],
}

/** What we serve beyond the specification; it may add, never change. */
const beyond: Table = {
  title: 'Beyond the specification',
  rows: [
    ...proven(payments, 'a credit lowers what is owed, never counts as collected, and can settle the rest', {
      'endpoint.POST /api/v1/invoices/:id/credits': 'records a credit note',
    }),
    ...proven(payments, 'a credit note is not dated after today', {
      'credit.issuedOn': 'a day up to today in the time zone of the company',
    }),
    ...proven(
      'test/scenarios/receivables/late-payment-end.test.ts',
      'a waiver says who, when and why, and nothing more is claimed',
      { 'endpoint.POST /api/v1/invoices/:id/late-payment/waive': 'gives up the 40 € and the interest' },
    ),
    ...proven(
      'src/features/recovery/workflow/write-off.test.ts',
      'an invoice that was reminded of is given up: status, recovery, history, events and document in one answer',
      {
        'endpoint.POST /api/v1/invoices/:id/write-off': 'gives an open invoice up',
        'endpoint.GET /api/v1/invoices/:id/anr': 'the attestation of non-recovery, as a PDF',
      },
    ),
    ...proven(
      'src/features/receivables/invoices/open-dispute.test.ts',
      'a dispute takes effect with its response: the invoice is disputed, the recovery is paused, the history records it',
      { 'endpoint.POST /api/v1/invoices/:id/dispute': 'records a dispute, which pauses the recovery' },
    ),
    ...proven(
      'src/features/receivables/invoices/resolve-dispute.test.ts',
      '%s: the reminders go on from that day, moved by the length of the dispute, without a burst',
      { 'endpoint.POST /api/v1/invoices/:id/dispute/resolve': 'says how a dispute ended' },
    ),
    ...proven(
      'src/features/receivables/invoices/record-promise.test.ts',
      'a promise is a response of the debtor and a pause that ends two working days after it',
      { 'endpoint.POST /api/v1/invoices/:id/promise': 'records a promise to pay' },
    ),
    ...proven(
      'src/features/receivables/debtors/close-channel.test.ts',
      'closes the channel with the answer: what is reserved on it is cancelled and nothing leaves',
      { 'endpoint.POST /api/v1/debtors/:id/opt-out': 'closes a channel for a debtor' },
    ),
    ...proven(
      'src/features/receivables/debtors/report-wrong-person.test.ts',
      'the address is never used again, and every recovery of every record with it waits',
      { 'endpoint.POST /api/v1/debtors/:id/wrong-person': 'blocks an address that belongs to somebody else' },
    ),
    ...proven(
      'test/scenarios/recovery/refused-address.test.ts',
      'let it be tried again: it is, and refused again it is a task again',
      {
        'endpoint.POST /api/v1/debtors/:id/retry-address':
          'lets an address that refused a message be tried again',
      },
    ),
    ...proven(
      'test/scenarios/recovery/replies.test.ts',
      'a reply stops the formal notice until somebody has read it, and then it goes on',
      { 'endpoint.POST /api/v1/debtors/:id/replies/:replyId/read': 'says that a reply was read' },
    ),
    ...proven(
      'test/scenarios/recovery/closed-replies.test.ts',
      'says that it has paid: the reminders wait a week, and no payment is recorded',
      {
        'endpoint.POST /api/v1/debtors/:id/replies/:replyId/close':
          'records what a reply means, answers it and marks it as read',
      },
    ),
    ...proven(
      'test/scenarios/debtor-side/reported-situation.test.ts',
      'is told when what was reported is not confirmed, and only then are the reminders sent again',
      {
        'endpoint.POST /api/v1/debtors/:id/situations/:situationId/decide':
          'says what a reported situation means',
      },
    ),
    ...proven(
      'test/scenarios/debtor-side/reported-situation.test.ts',
      'a person records what they were told: nothing is sent until it is decided, and a dry run changes nothing',
      { 'endpoint.POST /api/v1/debtors/:id/situations': 'records a situation that somebody told' },
    ),
    ...proven(
      'src/features/receivables/invoices/include-recovery.test.ts',
      'records at the same address are named, with what they share',
      { 'debtors.get.query.include': 'sameAddress' },
    ),
    ...proven(
      'src/features/receivables/debtors/include-score.test.ts',
      'a debtor is read with its score, in the language asked for',
      { 'debtors.get.query.language': 'fr or en' },
    ),
    ...proven(
      'src/features/receivables/debtors/get-calendar.test.ts',
      'names public holidays in the language of the reader',
      { 'debtors.calendar.query.language': 'fr or en' },
    ),
    ...proven(
      'src/features/receivables/debtors/read-contacts.test.ts',
      'every contact is there, the oldest first, each with what the rules saw and the hash of the one before',
      { 'endpoint.GET /api/v1/debtors/:id/contacts': 'every contact, with the proof that none was changed' },
    ),
    ...proven(
      'src/features/receivables/debtors/get-calendar.test.ts',
      'shows contacts made and planned, and what they close',
      { 'endpoint.GET /api/v1/debtors/:id/calendar': 'when a debtor may be contacted, in pieces of time' },
    ),
    ...proven(
      'src/features/receivables/debtors/pause-debtor.test.ts',
      'holds every recovery of the debtor and nobody else’s, calls back what is reserved, and ends on request',
      {
        'endpoint.POST /api/v1/debtors/:id/pause': 'pauses every recovery of a debtor, also later ones',
        'endpoint.POST /api/v1/debtors/:id/resume': 'ends the pause of a debtor',
      },
    ),
    ...proven(
      requests,
      'a request is recorded with its month, holds the reminders, and stands in the timeline and the audit log',
      { 'endpoint.POST /api/v1/debtors/:id/data-requests': 'records an objection or a restriction' },
    ),
    ...proven(
      requests,
      'no pause, resume or trigger ends it: only its decision does, and the last one of several',
      {
        'endpoint.POST /api/v1/debtors/:id/data-requests/:requestId/decide': 'grants, refuses or lifts it',
        'endpoint.GET /api/v1/debtors/:id/data-requests': 'what a person asked about their data',
      },
    ),
    ...proven(
      'src/features/receivables/work/work-counts.test.ts',
      'rows and counts are the same for every group and filter, and what the facts say',
      {
        'endpoint.GET /api/v1/work': 'what waits for a person, a row per debtor',
        'endpoint.GET /api/v1/work/summary': 'how many debtors, by group',
      },
    ),
    ...proven(
      'src/features/receivables/work/work.test.ts',
      'a day to come back puts a debtor off until that day, or until something arises; a later note or a person ends it',
      {
        'endpoint.GET /api/v1/debtors/:id/notes': 'the notes about a debtor',
        'endpoint.POST /api/v1/debtors/:id/notes': 'writes a note, perhaps with a day to come back',
        'endpoint.POST /api/v1/debtors/:id/notes/:noteId/done': 'ends the day to come back',
      },
    ),
    ...proven(
      'src/features/receivables/work/work.test.ts',
      'a broken promise that was seen stays broken, seeing it again changes nothing, and a reply does not end it',
      {
        'endpoint.POST /api/v1/invoices/:id/promises/:promiseId/seen': 'a person has seen a broken promise',
      },
    ),
    ...proven(
      'src/features/receivables/work/work.test.ts',
      'a message of unknown outcome is work until a person has seen it',
      {
        'endpoint.POST /api/v1/communications/:id/seen': 'a person has seen a message of unknown outcome',
      },
    ),
    ...proven(
      'src/features/receivables/debtors/people/people.test.ts',
      'are added, listed, changed and removed',
      {
        'endpoint.GET /api/v1/debtors/:id/people': 'who can be spoken to at a debtor',
        'endpoint.POST /api/v1/debtors/:id/people': 'adds somebody',
        'endpoint.PUT /api/v1/debtors/:id/people/:personId':
          'changes somebody, or makes them the main person',
        'endpoint.DELETE /api/v1/debtors/:id/people/:personId': 'removes somebody',
      },
    ),
    ...proven(
      'test/scenarios/recovery/reply-texts.test.ts',
      'what a debtor wrote can be read, the newest first, beside what was only chosen',
      {
        'endpoint.GET /api/v1/debtors/:id/replies': 'what a debtor answered, with its text',
      },
    ),
    ...proven(
      'src/features/receivables/invoices/search.test.ts',
      'finds an invoice by its number, by the name of its debtor and by its id',
      { 'endpoint.GET /api/v1/search': 'debtors and invoices by a few characters' },
    ),
    ...proven(payments, 'a payment in full ends the recovery in the same transaction and emits the events', {
      'endpoint.POST /api/v1/payments': 'records a payment',
    }),
    ...proven(
      receipts,
      'one cheque pays two invoices and a part of the third: one payment each, the oldest first, under one receipt',
      {
        'endpoint.POST /api/v1/receipts': 'one sum for several invoices',
        'payments.list.query.receiptId': 'the payments of one sum',
      },
    ),
    ...proven(
      receipts,
      'one promise is recorded for all open invoices of a debtor, or for those that are named',
      { 'endpoint.POST /api/v1/debtors/:id/promise': 'a promise for several invoices' },
    ),
    ...proven(
      payments,
      'a pending payment counts for nothing until it arrives; a failed one never moves again',
      {
        'endpoint.PUT /api/v1/payments/:id': 'says what became of a payment',
      },
    ),
    ...proven(payments, 'a refund of a paid invoice reopens it, paused', {
      'endpoint.POST /api/v1/payments/:id/refund': 'records a refund',
    }),
  ],
}

export const debtorsAndPayments: readonly Table[] = [
  debtor,
  debtors,
  score,
  payment,
  paymentEndpoints,
  beyond,
]
