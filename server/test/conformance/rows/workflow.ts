import { proven, type Table } from '../row.ts'

const own = 'test/conformance/workflow.test.ts'
const reports = 'src/features/receivables/reports/reports.test.ts'
const payments = 'src/features/receivables/payments/payments.test.ts'
const state = 'the status of a recovery has every field of the specification'
const triggers = 'src/features/recovery/workflow/trigger-workflow.test.ts'
const table = 'on a recovery that is %s does what the table says, first only in words'
const escalation = 'src/features/recovery/workflow/escalate.test.ts'
const court =
  'the amicable stage of a debt of %i cents ends, with the possible route %s: everything stops, and it is told'
const next = 'the next planned action has every field of the specification'
const entry = 'an entry of the history has every field of the specification'

const workflow: Table = {
  title: 'Workflow status, history entry, next planned action',
  rows: [
    ...proven(own, state, {
      'workflow.invoiceId': 'UUID',
      'workflow.status': 'string',
      'workflow.currentStep': 'step of the cascade',
      'workflow.startedAt': 'date-time',
      'workflow.actionsCompleted': 'number',
      'workflow.nextActionAt': 'date-time, within contact hours',
      'workflow.status.in_recovery': 'running',
    }),
    ...proven(
      'src/features/receivables/invoices/invoices.test.ts',
      'without autostart the recovery is pending: it can be deleted, once, and only without payments',
      { 'workflow.status.pending': 'not started' },
    ),
    ...proven(payments, 'a refund of a paid invoice reopens it, paused', {
      'workflow.status.paused': 'held',
    }),
    ...proven(payments, 'a payment in full ends the recovery in the same transaction and emits the events', {
      'workflow.status.completed': 'over',
    }),
    ...proven(own, entry, {
      'history.action': 'such as email_prise_en_charge',
      'history.channel': 'such as email',
      'history.executedAt': 'date-time',
      'history.status': 'such as delivered',
      'history.details': 'string',
    }),
    ...proven(own, next, {
      'nextAction.invoiceId': 'UUID',
      'nextAction.nextAction': 'string',
      'nextAction.scheduledAt': 'date-time',
      'nextAction.channel': 'string',
      'nextAction.reason': 'string',
    }),
    ...proven(triggers, table, { 'workflow.status.cancelled': 'cancelled, final' }),
    ...proven(escalation, court, { 'workflow.status.judicial': 'amicable stage ended; nothing is filed' }),
  ],
}

const endpoints: Table = {
  title: 'Workflow: endpoints',
  rows: [
    ...proven(own, state, { 'endpoint.GET /api/v1/workflow/invoice/:invoiceId': 'where a recovery stands' }),
    ...proven(own, entry, { 'endpoint.GET /api/v1/workflow/invoice/:invoiceId/history': 'what was done' }),
    ...proven(own, next, {
      'endpoint.GET /api/v1/workflow/invoice/:invoiceId/next-action': 'what comes next',
    }),
    ...proven(own, 'a trigger takes an action and a reason, and answers where the recovery now stands', {
      'endpoint.POST /api/v1/workflow/invoice/:invoiceId/trigger': 'moves a recovery',
      'workflow.trigger.body.action': 'required, one of five',
      'workflow.trigger.body.reason': 'optional',
    }),
    ...proven(own, 'a trigger is refused with the codes of the specification', {
      'workflow.trigger.error.BIZ_004': '400',
      'workflow.trigger.error.BIZ_002': '400',
      'workflow.trigger.error.AUTH_004': '403',
      'workflow.trigger.error.RES_001': '404',
    }),
    ...proven(own, 'the statistics of recoveries have every field of the specification', {
      'endpoint.GET /api/v1/workflow/stats': 'the figures of all recoveries',
      'workflow.stats.active': 'number',
      'workflow.stats.paused': 'number',
      'workflow.stats.completed': 'number',
      'workflow.stats.cancelled': 'number',
      'workflow.stats.averageDaysToPayment': 'number',
      'workflow.stats.recoveryRate': 'number',
    }),
    ...proven(
      reports,
      'a day tells what is planned, what has left, what is held and what waits for a person',
      {
        'endpoint.GET /api/v1/reports/today': 'what leaves on a day, what does not and why',
      },
    ),
    ...proven(
      reports,
      'the sums of a day say what is overdue, promised and collected, and how that has changed',
      { 'endpoint.GET /api/v1/reports/sums': 'four sums of today, and how they have changed' },
    ),
    ...proven(
      reports,
      'what is open stands in the bucket of its age and under where it stands, folded or not',
      {
        'endpoint.GET /api/v1/reports/aged-balance': 'what is open, by age and standing',
      },
    ),
  ],
}

const actions: Table = {
  title: 'Trigger actions',
  rows: [
    ...proven(triggers, table, {
      'trigger.start': 'from pending; already started: BIZ_002',
      'trigger.resume': 'from paused; reminders continue',
      'trigger.cancel': 'from in_recovery or paused to cancelled, final',
      'trigger.refused': 'in any other status: BIZ_004',
    }),
    ...proven(
      'src/features/recovery/workflow/stop-messages.test.ts',
      '%s calls back a message that is reserved: nothing leaves after the answer',
      { 'trigger.pause': 'from in_recovery to paused; reminders stop' },
    ),
    ...proven(
      escalation,
      'jumps to the first more intrusive step and leaves a line for each step it jumped over',
      { 'trigger.escalate': 'from in_recovery to a more intrusive channel or the end of the amicable stage' },
    ),
  ],
}

/** What we serve beyond the specification; it may add, never change. */
const beyond: Table = {
  title: 'Workflow: beyond the specification',
  rows: [
    ...proven(
      'src/features/recovery/workflow/get-plan.test.ts',
      'the plan is what then happens, to the second: every message, every step left out, the decision at the end',
      { 'endpoint.GET /api/v1/workflow/invoice/:invoiceId/plan': 'every action that is still to come' },
    ),
    ...proven(
      'src/features/recovery/workflow/record-filing.test.ts',
      'what was filed and served is kept with its proof, shown, told in the history and audited',
      { 'endpoint.POST /api/v1/workflow/invoice/:invoiceId/filing': 'records what was filed and served' },
    ),
    ...proven(
      'src/features/recovery/workflow/take-back-message.test.ts',
      'is cancelled, and the history says who took it back',
      {
        'endpoint.DELETE /api/v1/workflow/invoice/:invoiceId/communications/:communicationId':
          'takes back a message that has not left',
      },
    ),
    ...proven(
      'src/features/recovery/messages/read/get-communication.test.ts',
      'shows what the person read, and its digest is in the proof',
      { 'endpoint.GET /api/v1/communications/:id': 'a message as it was sent' },
    ),
    ...proven(
      'src/features/recovery/messages/read/list-communications.test.ts',
      'has exactly the messages of each quarter hour and channel of the day',
      {
        'endpoint.GET /api/v1/communications': 'the messages of a day or of an hour',
        'communications.list.query.sentFrom': 'date-time',
        'communications.list.query.sentTo': 'date-time, at most 25 hours later',
        'communications.list.query.channel': 'email, sms, lrar, voice',
      },
    ),
    ...proven(
      'src/features/recovery/messages/read/list-communications.test.ts',
      'goes on by cursor, each message once, and finds those of one state',
      {
        'communications.list.query.state': 'sent, delivered, bounced, failed, unknown',
        'communications.list.query.cursor': 'of the page before',
        'communications.list.query.limit': '50 unless given, at most 100',
      },
    ),
    ...proven(
      'src/features/receivables/timeline/timeline.test.ts',
      'tells everything of a debtor once, the newest first, with who did it, in the language asked for',
      { 'endpoint.GET /api/v1/debtors/:id/timeline': 'what happened with a debtor' },
    ),
    ...proven(
      'src/features/receivables/timeline/timeline.test.ts',
      'of an invoice it has its own history and money only',
      { 'endpoint.GET /api/v1/invoices/:id/timeline': 'what happened with an invoice' },
    ),
    ...proven(
      'src/features/receivables/invoices/preview-plan.test.ts',
      'is the plan the invoice then has, day by day',
      {
        'endpoint.POST /api/v1/workflow/preview': 'the same for an invoice that does not exist yet',
      },
    ),
    ...proven(
      'src/features/recovery/workflow/request-message.test.ts',
      'is planned for the next allowed moment, says when and why, and moves no step',
      {
        'endpoint.POST /api/v1/workflow/invoice/:invoiceId/communications': 'one message beside the cascade',
      },
    ),
  ],
}

const turns = 'test/scenarios/integrations/assistant/turns.test.ts'
const talks = 'test/scenarios/integrations/assistant/conversations.test.ts'
const paged = 'are listed by limit and offset, the latest first, twenty unless asked otherwise'

const assistant: Table = {
  title: 'Assistant',
  rows: [
    ...proven(turns, 'is answered in words, and both are kept in the conversation', {
      'endpoint.POST /api/v2/agent/chat': 'one message and its answer',
      'chat.reply.text': 'Markdown',
      'chat.reply.conversationId': 'UUID',
    }),
    ...proven(turns, '%s is refused', {
      'chat.body.message': 'required',
      'chat.error.VAL_001': '400, message missing or conversationId invalid',
    }),
    ...proven(turns, 'goes on where the conversation was', {
      'chat.body.conversationId': 'UUID, continues a conversation',
    }),
    ...proven(turns, 'speaks of the conversation in the person’s language, and of the context as data', {
      'chat.body.context': 'object',
    }),
    ...proven(turns, 'answers from data: reads are made at once, as the caller, in several steps', {
      'chat.reply.toolsCalled': 'array of string',
    }),
    ...proven(
      'test/guards/authorization.test.ts',
      '$method $path without all of its scopes, whoever the id belongs to',
      { 'chat.error.AUTH_004': '403' },
    ),
    ...proven(turns, 'one that %s is answered with its code, and nothing is kept', {
      'chat.error.SVC_001': '503',
    }),
    ...proven(
      'test/scenarios/integrations/assistant/limits.test.ts',
      'of a minute are limited as everywhere: RATE_001',
      {
        'chat.error.RATE_001': '429',
      },
    ),
    ...proven(talks, paged, {
      'endpoint.GET /api/v2/agent/conversations': 'an array and its pagination',
      'agent.conversations.query.limit': '20 unless given, at most 100',
      'agent.conversations.query.offset': '0 unless given',
      'conversation.id': 'UUID',
      'conversation.lastMessage': 'string',
      'conversation.messageCount': 'number',
      'conversation.createdAt': 'date-time',
      'conversation.updatedAt': 'date-time',
    }),
    ...proven(talks, 'are seen by whoever opened them, and by nobody else of the same company', {
      'endpoint.GET /api/v2/agent/conversations/:id': 'one conversation',
    }),
  ],
}

const bulk = 'src/features/integrations/tasks/bulk/bulk.test.ts'
const exports = 'src/features/integrations/tasks/export/export.test.ts'
const erase = 'src/features/integrations/tasks/erase/erase.test.ts'
const listed = 'a list of invoices is paused, each once; what cannot be is named with its cause'

const makers = 'src/features/integrations/tasks/task-maker.test.ts'
const cells = 'src/features/receivables/file-rows/read-cells.pure.test.ts'
const fileCells = 'src/features/receivables/file-rows/cells.pure.test.ts'
const imports = 'src/features/integrations/tasks/import/import.test.ts'

const tasks: Table = {
  title: 'Tasks, beyond the specification',
  rows: [
    ...proven(bulk, listed, {
      'endpoint.POST /api/v1/tasks/bulk': 'many invoices at once, each judged by itself',
      'endpoint.GET /api/v1/tasks/:id': 'progress, counts and causes',
      'endpoint.GET /api/v1/tasks/:id/items': 'what became of each item',
    }),
    ...proven(
      imports,
      'a file is read and judged, nothing is created before start, then every good row once',
      { 'endpoint.POST /api/v1/tasks/import': 'a file of invoices, judged before anything is created' },
    ),
    ...proven(imports, 'what a person says about columns is used, and remembered for the next file', {
      'endpoint.PUT /api/v1/tasks/:id/mapping': 'what the columns of a file are',
    }),
    ...proven(imports, 'a currency is read or refused; without one it is that of the company', {
      'import.currency':
        'a sign with several meanings is refused, never turned into the currency of the company',
    }),
    ...proven(imports, 'NDJSON has the names and units of the API, nested or flat', {
      'import.ndjson': 'a line is what the operation for one invoice takes',
    }),
    ...proven(
      imports,
      'the first with titles is read, the others are named, and a person can choose another',
      {
        'import.sheets': 'every sheet of a workbook is named, and any of them can be read',
      },
    ),
    ...proven(imports, 'what was changed is said with the title of the column and the text of the cell', {
      'import.healed': 'a person finds the cell that was changed',
    }),
    ...proven(cells, 'is refused where titles are English or numbers have a decimal point', {
      'import.dates': 'a date that could mean two days is refused where the file does not look French',
    }),
    ...proven(cells, 'with %j it is: %s', {
      'import.currency-format': 'the currency of a number format is read or refused',
    }),
    ...proven(cells, '%j in its column is %s', {
      'import.currency.signs': 'every sign of a currency is read or refused',
    }),
    ...proven(
      'src/kit/sheets/read-xlsx.test.ts',
      'a number has the unit of its format; of a built-in currency nobody knows which one it is',
      { 'import.currency-format.read': 'the unit of a number format is read from the workbook' },
    ),
    ...proven(fileCells, 'the SIRET %s is %s', {
      'import.siret': 'a SIRET whose digits Excel has lost is refused',
    }),
    ...proven(exports, 'in NDJSON, with the names and units of the API, also by another company', {
      'export.ndjson': 'sums are whole cents, and the file can be imported again',
    }),
    ...proven(imports, 'deletes what was imported, and the same file can come again', {
      'endpoint.POST /api/v1/tasks/:id/undo': 'deletes what an import created',
    }),
    ...proven(bulk, 'tasks are listed, the newest first, and only to whoever may have made them', {
      'endpoint.GET /api/v1/tasks': 'an array and its pagination',
    }),
    ...proven(
      bulk,
      'by a filter: a dry run changes nothing and finds what the run then does, in chunks of 500',
      { 'endpoint.POST /api/v1/tasks/:id/start': 'does what was judged' },
    ),
    ...proven(
      exports,
      'has everything there was when the task was made and nothing later, once, whatever is run twice',
      { 'endpoint.POST /api/v1/tasks/export': 'a file with every row once, and a link to it for a day' },
    ),
    ...proven(bulk, 'after the answer of a cancellation nothing more is done', {
      'endpoint.POST /api/v1/tasks/:id/cancel': 'ends it at once',
    }),
    ...proven(
      makers,
      'an import whose key is deleted stops within its chunk, and goes on for whoever starts the rest',
      { 'task.maker': 'a task ends with the right of its maker' },
    ),
    ...proven(
      makers,
      'has a link for the person who made it, with a fresh sign-in and for as long as that is fresh',
      { 'task.file.url': 'for the maker only, a person with a fresh sign-in' },
    ),
    ...proven(makers, 'by who made it, and by owners and managers, and by nobody else', {
      'task.cancel': 'by its maker, an owner or a manager; of a key or application by any with its scopes',
    }),
    ...proven(
      erase,
      'takes a person out of every table; chain and totals stay, and the address stays closed',
      { 'endpoint.POST /api/v1/tasks/erase': 'a person is erased' },
    ),
    ...proven(erase, 'gathers everything about a person in one file, with pages to read in their language', {
      'endpoint.POST /api/v1/tasks/access': 'one ZIP of everything about a person, with a PDF to read',
    }),
  ],
}

export const workflows: readonly Table[] = [workflow, endpoints, actions, beyond, tasks, assistant]
