import { proven, type Table } from '../row.ts'

const money = 'test/conformance/money-rules.test.ts'
const recovery = 'test/conformance/recovery-rules.test.ts'
const doubtful = 'test/conformance/doubtful-input.test.ts'
const filters = 'test/scenarios/integrations/filters-of-tasks.test.ts'
const invoices = 'src/features/receivables/invoices'
const escalate = 'src/features/recovery/workflow/escalate.test.ts'

const sums: Table = {
  title: 'Details of money',
  rows: [
    ...proven(
      money,
      'paidCents is principal: what exceeds it is late payment, then overpaid, and events say the same',
      { 'detail.paidCents': 'principal: what exceeds it is apart' },
    ),
    ...proven(
      money,
      'paidCents stops at the amount less its credits, and the recovery rate counts the same',
      { 'detail.recoveryRate.principal': 'the rate counts paid principal, less credits' },
    ),
    ...proven(
      money,
      'a credit above what is left is refused by name: the amount less its credits and what was paid',
      { 'detail.credit.left': 'a credit is at most what is left, and the refusal says how much that is' },
    ),
    ...proven(money, 'paying what was claimed for late payment is no overpayment', {
      'detail.payment.accessories': 'paying accessories that are owed is no overpayment',
    }),
    ...proven(
      money,
      'a %s payment above what is owed is BIZ_001 unless the caller insists, also in a dry run',
      { 'detail.payment.above': 'above principal and claimed accessories: BIZ_001 without allowOverpayment' },
    ),
    ...proven(
      money,
      'a payment that arrived is not failed by an update: the bank takes it back by an act of its own',
      {
        'endpoint.POST /api/v1/payments/:id/reverse': 'records that the bank took a payment back',
        'detail.payment.settle': 'PUT completes or fails a pending payment; else BIZ_004',
      },
    ),
  ],
}

const recoveries: Table = {
  title: 'Details of recoveries',
  rows: [
    ...proven(
      recovery,
      'currentStep is the last executed step when none remains, and null while nothing was executed',
      { 'detail.currentStep': 'the step awaiting execution, the last executed one when none remains' },
    ),
    ...proven(recovery, 'a dispute from before the start is on the lists: somebody has to decide about it', {
      'detail.dispute.pending': 'a dispute on a pending recovery is on the lists',
    }),
    ...proven(
      escalate,
      'a step that waits for its earliest moment already is not escalated again: refused, and nothing is written',
      { 'detail.escalate.again': 'never a success that changes nothing: BIZ_004' },
    ),
    ...proven(
      'test/scenarios/kit/shared-reads.test.ts',
      'reads that are asked for together see one snapshot, whatever is committed in between',
      { 'detail.plan.snapshot': 'a plan is read in one snapshot' },
    ),
    ...proven(
      recovery,
      'a plan that is read while the first message is claimed never counts that message against itself',
      { 'detail.plan.sending': 'the message that leaves is planned or a contact, never both' },
    ),
    ...proven(escalate, 'while the time of the formal notice runs there is no court yet', {
      'detail.currentStep.judicial': 'after the amicable stage it is the last executed step',
    }),
    ...proven(
      'test/scenarios/receivables/delete-races.test.ts',
      'a deletion and a %s at the same moment wait for each other',
      { 'detail.delete.locks': 'DELETE of an invoice takes its locks in the order of every other write' },
    ),
    ...proven('test/guards/dry-runs.test.ts', '$id', {
      'detail.dryRun': 'every dry run has the mark dryRun, and no id of something new',
    }),
    ...proven('test/guards/dry-runs.test.ts', 'these acts can be tried', {
      'detail.dryRun.acts': 'every act that stops or moves reminders takes dryRun, wrong-person too',
    }),
    ...proven('test/guards/dry-runs.test.ts', 'an act that is done has neither the mark nor a plan: $id', {
      'detail.dryRun.done': 'dryRun and plan are in the answers of dry runs only',
    }),
    ...proven(
      `${invoices}/cancel-invoice.test.ts`,
      'who was never told of the invoice gets no closing notice, and the answer says so',
      { 'detail.cancel.notice': 'closing notices only to debtors who were contacted' },
    ),
    ...proven(
      `${invoices}/preview-plan.test.ts`,
      'takes the body of a create as it is, and says that the hour is an example',
      { 'detail.preview.body': 'a create body can be previewed; days are exact, the hour is an example' },
    ),
    ...proven(
      `${invoices}/preview-plan.test.ts`,
      'for a known debtor it counts what was sent and what waits: it is the plan the invoice then has, to the minute',
      { 'detail.preview.known': 'an invoice for a known debtor can be previewed' },
    ),
  ],
}

const lists: Table = {
  title: 'Details of lists, tasks and limits',
  rows: [
    ...proven(filters, 'with the filter %s', {
      'detail.tasks.filter': 'bulk and export take every filter of the list of invoices, by one schema',
    }),
    ...proven(filters, 'a filter by the recovery needs the scope that reading it needs', {
      'detail.tasks.filter.scope': 'filters by the recovery need workflow:read, in tasks too',
    }),
    ...proven(doubtful, '%s cannot match anything: answered with a warning', {
      'detail.range.empty': 'a range that cannot match is answered with a warning',
    }),
    ...proven(doubtful, 'an invoice due far in the future is accepted with a warning, also in bulk', {
      'detail.dueDate.far': 'a due date far ahead is accepted with a warning',
    }),
    ...proven(doubtful, 'a cursor of %s goes on with its list only: with %s it is VAL_002', {
      'detail.cursor.filter': 'a cursor used with other filters is VAL_002',
    }),
    ...proven(
      `${invoices}/search.test.ts`,
      'ligatures, letters with a stroke and apostrophes: %s is found however it is typed',
      { 'detail.search.letters': 'search folds ligatures and apostrophes' },
    ),
    ...proven(
      'src/features/integrations/tasks/erase/erase.test.ts',
      'takes a person out of every table; chain and totals stay, and the address stays closed',
      { 'detail.erased.contactable': 'an erased debtor is not contactable; GET, list and PUT agree' },
    ),
    ...proven(
      'src/features/integrations/sandbox/messages.test.ts',
      'a message names its step, its debtor and when it was executed, as the history does',
      { 'detail.sandbox.messages': 'action, debtorId and executedAt of a sandbox message' },
    ),
    ...proven(
      'test/guards/docs.pure.test.ts',
      'the page of the sandbox names every event that can be simulated',
      { 'detail.sandbox.events': 'every event of the sandbox is documented' },
    ),
    ...proven(
      'test/conformance/http-contract.test.ts',
      'is 1 MB for OAuth too, but no parameter of it is longer than 16,384 characters',
      { 'detail.oauth.body': 'a body of OAuth may have 1 MB, as every other' },
    ),
    ...proven(
      'src/kit/http/limits.test.ts',
      'counts for each installation by itself, although they share the Redis and the address',
      { 'detail.limits.installation': 'counts of addresses are per installation' },
    ),
  ],
}

export const details: readonly Table[] = [sums, recoveries, lists]
