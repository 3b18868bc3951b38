// Generated from the declared operations by npm run generate. Do not edit.

import { type ApiPromise, type Call, type FileBody, segment } from '../call.ts'
import type { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type {
  AccessInput,
  AddedDebtorPerson,
  Advance,
  AdvanceInput,
  AgedBalance,
  AgentConversationsQuery,
  ApiKey,
  ApiKeyInput,
  ApiKeysListQuery,
  BulkInput,
  CancelInput,
  CancelledInvoice,
  Cascade,
  CascadeInput,
  CascadeUpdate,
  CascadeWithVersions,
  CascadesListQuery,
  ChangedDebtor,
  ChangedDebtorPerson,
  ChangedPayment,
  ChatInput,
  ChatReply,
  ClaimList,
  ClaimListInput,
  ClosedReply,
  CommunicationDetail,
  CommunicationsListQuery,
  Company,
  CompanyLogo,
  CompanySetLogoInput,
  CompanyUpdate,
  ContactCalendar,
  Contacts,
  Conversation,
  CreatedInvoice,
  CreatedWebhook,
  Credit,
  CreditInput,
  DataRequest,
  DataRequestDecisionInput,
  DataRequestInput,
  DataRequests,
  DaySums,
  Debtor,
  DebtorInput,
  DebtorNote,
  DebtorPause,
  DebtorPauseInput,
  DebtorPeople,
  DebtorPersonInput,
  DebtorPersonUpdate,
  DebtorPromise,
  DebtorPromiseInput,
  DebtorReply,
  DebtorResume,
  DebtorResumeInput,
  DebtorUpdate,
  DebtorsCalendarQuery,
  DebtorsContactsQuery,
  DebtorsGetQuery,
  DebtorsInvoicesQuery,
  DebtorsListQuery,
  DebtorsNotesQuery,
  DebtorsRepliesQuery,
  DebtorsScoreQuery,
  DebtorsStatementQuery,
  DebtorsTimelineQuery,
  Delivery,
  Dispute,
  DisputeInput,
  DisputeResolution,
  EraseInput,
  EventBody,
  EventInCatalogue,
  EventsListQuery,
  ExportInput,
  FeedPagination,
  Filing,
  FilingInput,
  Found,
  HistoryEntry,
  ImportInput,
  ImportReport,
  Invitation,
  InvitationInput,
  Invoice,
  InvoiceInput,
  InvoiceOfDebtor,
  InvoiceSummary,
  InvoiceUpdate,
  InvoicesGetQuery,
  InvoicesListQuery,
  InvoicesTimelineQuery,
  LatePaymentWaiverInput,
  ListedCommunication,
  ListedDebtor,
  MappingInput,
  Member,
  MemberUpdate,
  Members,
  MessageRequest,
  MessageTemplate,
  NewApiKey,
  NewOAuthClient,
  NextAction,
  NoteInput,
  OAuthClient,
  OAuthClientInput,
  OAuthClientUpdate,
  OauthClientsListQuery,
  OffsetPagination,
  OptOut,
  OptOutInput,
  OwnWords,
  Pagination,
  Payment,
  PaymentChange,
  PaymentInput,
  PaymentOfInvoice,
  PaymentPromise,
  PaymentSummary,
  PaymentsListQuery,
  PaymentsOfInvoiceQuery,
  PaymentsSummaryQuery,
  PlanPreview,
  PlanPreviewInput,
  PromiseInput,
  ReceiptInput,
  RecordedPayment,
  RecordedReceipt,
  RecoverInput,
  RefundInput,
  Reply,
  ReplyClosing,
  ReportedSituation,
  ReportsAgedBalanceQuery,
  ReportsTodayQuery,
  RequestedMessage,
  ResumeSendingInput,
  RetriedAddress,
  RetryAddressInput,
  ReversalInput,
  RiskScore,
  RotatedSecret,
  SandboxClock,
  SandboxMessage,
  SandboxMessagesQuery,
  SandboxReset,
  SearchFindQuery,
  SecurityEvent,
  SecurityEventsListQuery,
  SeenCommunication,
  SeenPromise,
  SendingResume,
  SendingStop,
  SimulatedDisputeInput,
  SimulatedOptOutInput,
  SimulatedPaymentInput,
  SimulatedPromiseInput,
  SimulatedReceipt,
  SimulatedReceiptInput,
  SimulatedReply,
  SimulatedReplyInput,
  SimulatedWrongPersonInput,
  Situation,
  SituationDecisionInput,
  SituationInput,
  StartedRecovery,
  StopSendingInput,
  Task,
  TaskItem,
  TasksImportQuery,
  TasksItemsQuery,
  TasksListQuery,
  Team,
  TemplatePreview,
  TemplatePreviewInput,
  TemplatesListQuery,
  TimelineEntry,
  Today,
  TriggerInput,
  TriggeredWorkflow,
  WaivedInvoice,
  Webhook,
  WebhookInput,
  WebhookTestInput,
  WebhookUpdate,
  WebhooksDeliveriesQuery,
  WebhooksEventsQuery,
  WebhooksListQuery,
  WholeConversation,
  WorkLine,
  WorkListQuery,
  WorkSummary,
  WorkSummaryQuery,
  Workflow,
  WorkflowHistoryQuery,
  WorkflowPlanWithPauses,
  WorkflowStats,
  WriteOff,
  WriteOffInput,
  WrongPerson,
  WrongPersonInput,
} from './types.ts'

/** Overdue invoices, each with its debtor */
export class InvoicesResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List invoices, filtered, searched and sorted. Pages by `page` and `limit`, or, at any depth and always fast, by following the `cursor` of the `Link` header. `total` is exact without filters, for status, debtorId and issue dates, and for the standings of open invoices with due dates; otherwise it is counted up to 10,000 and then marked with `totalIsExact: false`. A search looks through the first 50,000 invoices of the order, and then gathers up to 100,000 that match; one or two letters are looked for among 200,000. `step`, `reasonCode` and `debtorType` are looked up for each of the first 5,000 invoices that pass the other filters, in the order of the list, and where more than 500 pass, the total counts those of the first 500. `sortBy=next_action_at` shows the invoices that run, in the order of the quarter hour of the next contact planned with their debtor; a filter that many invoices pass is looked up for those of the first 2,000 debtors. Refusals of its own: `AUTH_004` */
  list(query?: InvoicesListQuery, options?: RequestOptions): List<Invoice, Pagination> {
    return this.call.list('/api/v1/invoices', options, query)
  }

  /** Read an invoice with its debtor and balance. Refusals of its own: `AUTH_004`, `RES_001` */
  get(id: string, query?: InvoicesGetQuery, options?: RequestOptions): ApiPromise<Invoice> {
    return this.call.send('GET', `/api/v1/invoices/${segment(id)}`, options, undefined, query)
  }

  /** Read what happened with an invoice, the newest first. The history of its recovery, its money and the notes about it. Each line says who did it, as a code with parameters and as a sentence. Follow `cursor` to what is older. Refusals of its own: `RES_001` */
  timeline(id: string, query?: InvoicesTimelineQuery, options?: RequestOptions): List<TimelineEntry, FeedPagination> {
    return this.call.list(`/api/v1/invoices/${segment(id)}/timeline`, options, query)
  }

  /** Import an overdue invoice and start its recovery. The recovery starts in the same transaction: when you read 201, it is running, and its first message leaves at the next moment the contact rules allow. Refusals of its own: `BIZ_003`, `RES_002` */
  create(body: InvoiceInput, options?: RequestOptions): ApiPromise<CreatedInvoice> {
    return this.call.send('POST', '/api/v1/invoices', options, body)
  }

  /** Import up to 100 invoices, each validated separately. Answers 201 when at least one was imported; the report has the result of each. If none was imported, 400 with every error. Refusals of its own: `BIZ_003`, `RES_002` */
  import(body: ImportInput, options?: RequestOptions): ApiPromise<ImportReport> {
    return this.call.send('POST', '/api/v1/invoices/bulk', options, body)
  }

  /** Change an invoice's notes or metadata, or what its time bar is counted by. Refusals of its own: `RES_001` */
  update(id: string, body: InvoiceUpdate, options?: RequestOptions): ApiPromise<Invoice> {
    return this.call.send('PUT', `/api/v1/invoices/${segment(id)}`, options, body)
  }

  /** Delete an invoice whose recovery was never started. Refusals of its own: `BIZ_002`, `RES_001`, `RES_003` */
  delete(id: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/invoices/${segment(id)}`, options)
  }

  /** Record a credit note: it lowers what is owed and never counts as collected. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001`, `RES_002` */
  credit(id: string, body: CreditInput, options?: RequestOptions): ApiPromise<Credit> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/credits`, options, body)
  }

  /** Give up the 40 € and the interest of an invoice for good. What was paid of them stays paid. No later message claims them for this invoice. The principal and the status of the invoice do not change. Refusals of its own: `BIZ_004`, `RES_001` */
  waiveLatePayment(id: string, body: LatePaymentWaiverInput, options?: RequestOptions): ApiPromise<WaivedInvoice> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/late-payment/waive`, options, body)
  }

  /** Record that the debtor disputes an invoice: its recovery pauses at once. Nothing more is sent for the invoice from the answer on, but for the messages named in `inFlight`. The pause lasts until the dispute is resolved. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  dispute(id: string, body: DisputeInput, options?: RequestOptions): ApiPromise<Dispute> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/dispute`, options, body)
  }

  /** Resolve a dispute; unless it was upheld, the reminders continue. The debtor is told the outcome by email and on their page: the sum that was credited, the `answer`, never the note. The reminders are planned anew from today, with their days moved by the length of the pause. After `upheld` nothing is asked, and they stay paused until somebody resumes or cancels them. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001`, `RES_002`, `VAL_003` */
  resolveDispute(id: string, body: DisputeResolution, options?: RequestOptions): ApiPromise<Dispute> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/dispute/resolve`, options, body)
  }

  /** Record that the debtor promises to pay on a day: the reminders wait for it. They wait until two working days after that day. Money that reaches the promised sum keeps the promise; otherwise it is broken, and the reminders go on. A new promise takes the place of an open one, which counts as broken if its day has come. Debtors themselves move a promise once and within 90 days; here it may be moved as often as you agree to. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  promise(id: string, body: PromiseInput, options?: RequestOptions): ApiPromise<PaymentPromise> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/promise`, options, body)
  }

  /** A person has seen that a promise was broken: the reminders go on as planned. It leaves the list of work and changes nothing else. It also leaves it with a new promise, a dispute, a pause, an end of the recovery, or a message that a person asks for. Doing it again changes nothing. Refusals of its own: `RES_001` */
  acknowledgePromise(id: string, promiseId: string, options?: RequestOptions): ApiPromise<SeenPromise> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/promises/${segment(promiseId)}/seen`, options)
  }

  /** Cancel the recovery of an invoice, for good. Planned reminders and messages that have not left stop with the answer. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  cancel(id: string, body: CancelInput, options?: RequestOptions): ApiPromise<CancelledInvoice> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/cancel`, options, body)
  }

  /** Write off an open invoice: nothing more is sent, and an attestation of non-recovery is made. Final. The recovery ends in the same transaction, and the attestation is there to download when you read 201. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  writeOff(id: string, body: WriteOffInput, options?: RequestOptions): ApiPromise<WriteOff> {
    return this.call.send('POST', `/api/v1/invoices/${segment(id)}/write-off`, options, body)
  }

  /** Download the attestation of non-recovery of an invoice that was written off. Refusals of its own: `RES_001` */
  anr(id: string, options?: RequestOptions): ApiPromise<Blob> {
    return this.call.file(`/api/v1/invoices/${segment(id)}/anr`, options)
  }

  /** Number of invoices, total amount, and amount recovered */
  summary(options?: RequestOptions): ApiPromise<InvoiceSummary> {
    return this.call.send('GET', '/api/v1/invoices/stats/summary', options)
  }
}

/** Those who owe money, with their contact details */
export class DebtorsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List debtors, the newest first, or by what they owe and what comes next. A search finds at most 10,000 debtors. By balance, only debtors with something open in the company's currency are listed; by next_contact only those with a planned message, and by score only those that have one. Where a filter is passed by more than 1,000 debtors, the first 5,000 of the order are looked at, and the total counts those of the first 500. What shows or filters sums of invoices needs the scope invoices:read too; accounts, standings, `nextFrom`, `nextTo`, `parked` and the order by next_contact need workflow:read */
  list(query?: DebtorsListQuery, options?: RequestOptions): List<ListedDebtor, Pagination> {
    return this.call.list('/api/v1/debtors', options, query)
  }

  /** Read a debtor. Refusals of its own: `RES_001` */
  get(id: string, query?: DebtorsGetQuery, options?: RequestOptions): ApiPromise<Debtor> {
    return this.call.send('GET', `/api/v1/debtors/${segment(id)}`, options, undefined, query)
  }

  /** Create a debtor. Refusals of its own: `RES_002` */
  create(body: DebtorInput, options?: RequestOptions): ApiPromise<Debtor> {
    return this.call.send('POST', '/api/v1/debtors', options, body)
  }

  /** Change a debtor; messages not yet sent go to the new address. With `insolvency` every started recovery of the debtor pauses at once; cleared, they go on. A corrected address releases what waited because the old one belonged to somebody else, or refused a message. Refusals of its own: `BIZ_004`, `RES_001`, `RES_002`, `RES_003` */
  update(id: string, body: DebtorUpdate, options?: RequestOptions): ApiPromise<ChangedDebtor> {
    return this.call.send('PUT', `/api/v1/debtors/${segment(id)}`, options, body)
  }

  /** List the people who can be spoken to at a debtor, and what is known of their addresses. Messages go to the main address of a channel only, `email` and `phone` of the debtor: more people never get more messages. Refusals of its own: `RES_001` */
  people(id: string, options?: RequestOptions): ApiPromise<DebtorPeople> {
    return this.call.send('GET', `/api/v1/debtors/${segment(id)}/people`, options)
  }

  /** List what a debtor answered, the newest first, with the text while it is kept. What was chosen on a page, said in a call or written. The assistant and MCP cannot read it: it is written by strangers. Refusals of its own: `RES_001` */
  replies(id: string, query?: DebtorsRepliesQuery, options?: RequestOptions): List<DebtorReply, Pagination> {
    return this.call.list(`/api/v1/debtors/${segment(id)}/replies`, options, query)
  }

  /** Add somebody who can be spoken to at a debtor. Only the main address of a channel is written to, and the limits count for the debtor. With `mainFor` messages not yet sent go to the new person. If the main address of a company or a public body refused a message, they do without it too. Refusals of its own: `BIZ_004`, `RES_001`, `RES_003` */
  addPerson(id: string, body: DebtorPersonInput, options?: RequestOptions): ApiPromise<AddedDebtorPerson> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/people`, options, body)
  }

  /** Change somebody at a debtor, or make them the main person of a channel. What a main person is reached at is `email` or `phone` of the debtor: messages not yet sent go to the new address, and links sent to the old one stop working. The limits count for the debtor, so a new address gets no message earlier. Refusals of its own: `BIZ_004`, `RES_001`, `RES_003` */
  changePerson(id: string, personId: string, body: DebtorPersonUpdate, options?: RequestOptions): ApiPromise<ChangedDebtorPerson> {
    return this.call.send('PUT', `/api/v1/debtors/${segment(id)}/people/${segment(personId)}`, options, body)
  }

  /** Remove somebody from the people of a debtor. A main person is replaced first. What was sent stays in the history, and a closed address stays closed. Refusals of its own: `BIZ_004`, `RES_001`, `RES_003` */
  removePerson(id: string, personId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/debtors/${segment(id)}/people/${segment(personId)}`, options)
  }

  /** List the invoices of a debtor, the newest first. Refusals of its own: `RES_001` */
  invoices(id: string, query?: DebtorsInvoicesQuery, options?: RequestOptions): List<InvoiceOfDebtor, Pagination> {
    return this.call.list(`/api/v1/debtors/${segment(id)}/invoices`, options, query)
  }

  /** Read the risk score of a debtor. From 0 to 195: thirteen criteria of up to 15 points, from what this debtor did with your invoices in 24 months and from nothing else. Always as of now. `scoring:read` alone is enough, too. Refusals of its own: `RES_001` */
  score(id: string, query?: DebtorsScoreQuery, options?: RequestOptions): ApiPromise<RiskScore> {
    return this.call.send('GET', `/api/v1/debtors/${segment(id)}/score`, options, undefined, query)
  }

  /** Read every contact made with a debtor, with the proof that none was changed or removed. Each entry carries the hash of the one before it. The whole chain is checked at every reading; `page` and `limit` choose which entries are shown. Refusals of its own: `RES_001` */
  contacts(id: string, query?: DebtorsContactsQuery, options?: RequestOptions): ApiPromise<Contacts> {
    return this.call.send('GET', `/api/v1/debtors/${segment(id)}/contacts`, options, undefined, query)
  }

  /** Read what happened with a debtor, the newest first. Messages, what people and Relance did about them, promises, disputes, answers, money and notes, of all invoices. Each line says who did it, as a code with parameters and as a sentence. Follow `cursor` to what is older. Refusals of its own: `RES_001` */
  timeline(id: string, query?: DebtorsTimelineQuery, options?: RequestOptions): List<TimelineEntry, FeedPagination> {
    return this.call.list(`/api/v1/debtors/${segment(id)}/timeline`, options, query)
  }

  /** Read when a debtor may be contacted, on each channel, to the minute, and by which rule not. Up to 42 days, in pieces of time that are open or closed by one rule, with the contacts made and planned. Stops, providers that fail and daily limits are not part of the pieces. Refusals of its own: `RES_001` */
  calendar(id: string, query?: DebtorsCalendarQuery, options?: RequestOptions): ApiPromise<ContactCalendar> {
    return this.call.send('GET', `/api/v1/debtors/${segment(id)}/calendar`, options, undefined, query)
  }

  /** Close a channel for a debtor who does not want to be contacted that way. It holds for the record and for the address the channel uses, so also for other records with the same email or phone. Messages on that channel not yet handed to a provider are cancelled; steps that need it are skipped, except the formal notice, which falls back to another channel if there is one. Refusals of its own: `RES_001` */
  optOut(id: string, body: OptOutInput, options?: RequestOptions): ApiPromise<OptOut> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/opt-out`, options, body)
  }

  /** Mark the reply of a debtor as read: the reminders continue. A reply holds every recovery of the debtor from the moment it was heard (`reply.received`), because it may be a dispute. With the last unread reply the hold ends, and what is planned is moved by its length. Marking it again gives the same answer and changes nothing. Refusals of its own: `BIZ_004`, `RES_001` */
  readReply(id: string, replyId: string, options?: RequestOptions): ApiPromise<Reply> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/replies/${segment(replyId)}/read`, options)
  }

  /** Close a reply: record what it means, answer it, and mark it as read, at once. Does what `invoices.promise`, `debtors.pause`, `invoices.dispute` or `debtors.wrongPerson` does, in one transaction with the reading. The answer counts in no limit of contacts, and keeps the contact hours. A reported situation is decided instead: `POST /api/v1/debtors/:id/situations/:situationId/decide`. Refusals of its own: `AUTH_004`, `BIZ_001`, `BIZ_004`, `RES_001`, `RES_003` */
  closeReply(id: string, replyId: string, body: ReplyClosing, options?: RequestOptions): ApiPromise<ClosedReply> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/replies/${segment(replyId)}/close`, options, body)
  }

  /** Record that a person objects to the use of their data, or asks to restrict it. Every reminder waits, also for later invoices, until the request is refused or lifted. A week before `dueOn`, or at once if less is left, `debtor.request_due` is emitted. Refusals of its own: `RES_001`, `RES_003` */
  recordDataRequest(id: string, body: DataRequestInput, options?: RequestOptions): ApiPromise<DataRequest> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/data-requests`, options, body)
  }

  /** Record the decision about a request: granted, refused, or later lifted. The reminders go on when no request is open or granted. Tell the person yourself, with your reasons if you refuse, and before you lift a restriction (art. 12(4), 18(3) GDPR). Refusals of its own: `BIZ_004`, `RES_001`, `RES_003` */
  decideDataRequest(id: string, requestId: string, body: DataRequestDecisionInput, options?: RequestOptions): ApiPromise<DataRequest> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/data-requests/${segment(requestId)}/decide`, options, body)
  }

  /** List what a person asked about their data, the newest first. Refusals of its own: `RES_001` */
  dataRequests(id: string, options?: RequestOptions): ApiPromise<DataRequests> {
    return this.call.send('GET', `/api/v1/debtors/${segment(id)}/data-requests`, options)
  }

  /** Write a note about a debtor, perhaps with a day to come back. Notes are never changed; the timelines show them. With `comeBackOn` the debtor leaves the list of work until that day, or until something new waits for a person. A note ends the come-back of every earlier one. Refusals of its own: `RES_001`, `RES_003` */
  addNote(id: string, body: NoteInput, options?: RequestOptions): ApiPromise<DebtorNote> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/notes`, options, body)
  }

  /** The day to come back of a note is done with. The note stays. Doing it again changes nothing. Refusals of its own: `RES_001` */
  endComeBack(id: string, noteId: string, options?: RequestOptions): ApiPromise<DebtorNote> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/notes/${segment(noteId)}/done`, options)
  }

  /** List the notes about a debtor, the newest first. Refusals of its own: `RES_001` */
  notes(id: string, query?: DebtorsNotesQuery, options?: RequestOptions): List<DebtorNote, Pagination> {
    return this.call.list(`/api/v1/debtors/${segment(id)}/notes`, options, query)
  }

  /** Download the statement of account of a debtor: all its open invoices. The 500 invoices that are due first; the document says how many more there are. A disputed invoice is marked, and in no sum to pay. A time-barred one of a consumer is left out. Refusals of its own: `RES_001` */
  statement(id: string, query?: DebtorsStatementQuery, options?: RequestOptions): ApiPromise<Blob> {
    return this.call.file(`/api/v1/debtors/${segment(id)}/statement`, options, query)
  }

  /** Record a situation of a debtor that you were told of: nothing is sent until it is decided. As if the debtor had reported it on their page: every recovery waits for `POST /api/v1/debtors/:id/situations/:situationId/decide`. The same situation told again while it waits is one. Refusals of its own: `RES_001`, `RES_003` */
  reportSituation(id: string, body: SituationInput, options?: RequestOptions): ApiPromise<ReportedSituation> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/situations`, options, body)
  }

  /** Record what a reported situation of a debtor means; nothing else ends its hold. Over-indebtedness and insolvency are confirmed by recording the proceedings (`PUT /api/v1/debtors/:id`), a death and a minor or protected person by `representative`. Refusals of its own: `BIZ_004`, `RES_001`, `RES_002`, `RES_003`, `VAL_003` */
  decideSituation(id: string, situationId: string, body: SituationDecisionInput, options?: RequestOptions): ApiPromise<Situation> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/situations/${segment(situationId)}/decide`, options, body)
  }

  /** Say that an address belongs to somebody else: it is never used again, and recoveries wait. Every started recovery of every debtor with that email or phone pauses at once. It goes on when the address of its debtor is corrected (`PUT /api/v1/debtors/:id`). Refusals of its own: `RES_001` */
  wrongPerson(id: string, body: WrongPersonInput, options?: RequestOptions): ApiPromise<WrongPerson> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/wrong-person`, options, body)
  }

  /** Say that an address that refused a message is right: it is tried again. What waited for it is planned from today, for every debtor that has that email or phone. A wrong address is corrected with `PUT /api/v1/debtors/:id`, which releases it too. An address that refused nothing answers the same, and nothing changes. Refusals of its own: `RES_001` */
  retryAddress(id: string, body: RetryAddressInput, options?: RequestOptions): ApiPromise<RetriedAddress> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/retry-address`, options, body)
  }

  /** Record that the debtor promises to pay several invoices on one day. Each invoice gets a promise of its balance, as with `POST /api/v1/invoices/:id/promise`, and all of them in one transaction. Each is kept or broken by itself. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  promise(id: string, body: DebtorPromiseInput, options?: RequestOptions): ApiPromise<DebtorPromise> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/promise`, options, body)
  }

  /** Pause every recovery of a debtor, also those that come later. Takes effect with the answer: after it nothing is sent but the messages it names as in flight, and answers to the debtor. A debtor that is paused already gets the new end. Refusals of its own: `RES_001`, `RES_003` */
  pause(id: string, body?: DebtorPauseInput, options?: RequestOptions): ApiPromise<DebtorPause> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/pause`, options, body)
  }

  /** End the pause of a debtor: its recoveries go on, planned from today. What is planned is moved by the length of the pause. A debtor that is not paused answers the same, and nothing changes. A request about personal data goes on holding the reminders. Refusals of its own: `RES_001`, `RES_003` */
  resume(id: string, body?: DebtorResumeInput, options?: RequestOptions): ApiPromise<DebtorResume> {
    return this.call.send('POST', `/api/v1/debtors/${segment(id)}/resume`, options, body)
  }
}

/** Payments that were received, are pending, failed or were refunded */
export class PaymentsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List payments, the newest first */
  list(query?: PaymentsListQuery, options?: RequestOptions): List<Payment, Pagination> {
    return this.call.list('/api/v1/payments', options, query)
  }

  /** Read a payment. Refusals of its own: `RES_001` */
  get(id: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.call.send('GET', `/api/v1/payments/${segment(id)}`, options)
  }

  /** List the payments of an invoice, the oldest first. Refusals of its own: `RES_001` */
  ofInvoice(invoiceId: string, query?: PaymentsOfInvoiceQuery, options?: RequestOptions): List<PaymentOfInvoice, Pagination> {
    return this.call.list(`/api/v1/payments/invoice/${segment(invoiceId)}`, options, query)
  }

  /** Record a payment, received or pending. The invoice's balance and status and its recovery follow in the same transaction: when it is paid, nothing more is sent from the answer on, but for the messages named in `inFlight`. A message that states the old sum and has not left is written again. Refusals of its own: `BIZ_001`, `RES_001`, `RES_002` */
  create(body: PaymentInput, options?: RequestOptions): ApiPromise<RecordedPayment> {
    return this.call.send('POST', '/api/v1/payments', options, body)
  }

  /** Record one sum that pays several invoices of a debtor. A transfer or a cheque for several invoices. It is stored as one payment per invoice, all with the same `receiptId`, in one transaction; each can be refunded by itself. Without `split` the invoices that are due first are paid first, disputed ones last; no invoice that is closed or before a court is proposed. More than is owed is refused unless `allowOverpayment` is true. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001`, `RES_002` */
  receive(body: ReceiptInput, options?: RequestOptions): ApiPromise<RecordedReceipt> {
    return this.call.send('POST', '/api/v1/receipts', options, body)
  }

  /** Say that a pending payment arrived or failed. Only from pending. A payment that arrived is given back with `POST …/refund`, and taken back by the bank with `POST …/reverse`. Refusals of its own: `BIZ_004`, `RES_001` */
  settle(id: string, body: PaymentChange, options?: RequestOptions): ApiPromise<ChangedPayment> {
    return this.call.send('PUT', `/api/v1/payments/${segment(id)}`, options, body)
  }

  /** Record a refund; moves no money itself. Refusals of its own: `BIZ_004`, `RES_001` */
  refund(id: string, body?: RefundInput, options?: RequestOptions): ApiPromise<ChangedPayment> {
    return this.call.send('POST', `/api/v1/payments/${segment(id)}/refund`, options, body)
  }

  /** Record that the bank took a payment back: a returned debit or a chargeback. Only from completed. The payment becomes failed, and what it had paid is owed again. Refusals of its own: `BIZ_004`, `RES_001` */
  reverse(id: string, body?: ReversalInput, options?: RequestOptions): ApiPromise<ChangedPayment> {
    return this.call.send('POST', `/api/v1/payments/${segment(id)}/reverse`, options, body)
  }

  /** Amounts collected in the current period */
  summary(query?: PaymentsSummaryQuery, options?: RequestOptions): ApiPromise<PaymentSummary> {
    return this.call.send('GET', '/api/v1/payments/stats/summary', options, undefined, query)
  }
}

/** The recovery of an invoice: where it stands, what was done, what comes next */
export class WorkflowResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Read where the recovery of an invoice stands. Refusals of its own: `RES_001` */
  get(invoiceId: string, options?: RequestOptions): ApiPromise<Workflow> {
    return this.call.send('GET', `/api/v1/workflow/invoice/${segment(invoiceId)}`, options)
  }

  /** Read what was done in a recovery, the oldest first. Refusals of its own: `RES_001` */
  history(invoiceId: string, query?: WorkflowHistoryQuery, options?: RequestOptions): List<HistoryEntry, Pagination> {
    return this.call.list(`/api/v1/workflow/invoice/${segment(invoiceId)}/history`, options, query)
  }

  /** Read the next planned action of a recovery and why it is planned for then. Refusals of its own: `RES_001` */
  nextAction(invoiceId: string, options?: RequestOptions): ApiPromise<NextAction> {
    return this.call.send('GET', `/api/v1/workflow/invoice/${segment(invoiceId)}/next-action`, options)
  }

  /** Read every action that is still to come, with its date, its channel and each reason it was moved. A forecast: it assumes that every message is accepted and that nothing is paid or answered. It includes the other open invoices of the debtor, because they share one contact a day. Refusals of its own: `RES_001` */
  plan(invoiceId: string, options?: RequestOptions): ApiPromise<WorkflowPlanWithPauses> {
    return this.call.send('GET', `/api/v1/workflow/invoice/${segment(invoiceId)}/plan`, options)
  }

  /** Work out the plan of an invoice that does not exist yet; writes nothing. Takes the body of `POST /api/v1/invoices`, or as much of it as is known. The same rules as for a real one. Without `debtor.id` it plans for a debtor who was never contacted: days are exact as things stand, and the hour within a day is an example (`precision` is `day`). With it, what was sent to this debtor and what waits for it counts too. Refusals of its own: `BIZ_003` */
  preview(body: PlanPreviewInput, options?: RequestOptions): ApiPromise<PlanPreview> {
    return this.call.send('POST', '/api/v1/workflow/preview', options, body)
  }

  /** Start, pause, resume, cancel or escalate a recovery. Takes effect with the answer. Escalate jumps to the next more intrusive step, at the next allowed moment; before the first contact was sent there is none to jump from (BIZ_004, `first_contact_pending`), and a step that waits for that moment already cannot be moved (`already_escalated`). When none is left, or the time of the formal notice is over, it ends the amicable stage (status `judicial`): nothing is filed. That needs a formal notice whose receipt is proven, or `noticeReceived`. Refusals of its own: `BIZ_001`, `BIZ_002`, `BIZ_004`, `RES_001`, `RES_004` */
  trigger(invoiceId: string, body: TriggerInput, options?: RequestOptions): ApiPromise<TriggeredWorkflow> {
    return this.call.send('POST', `/api/v1/workflow/invoice/${segment(invoiceId)}/trigger`, options, body)
  }

  /** Send one message beside the cascade, at the next allowed moment. The contact rules hold for it. It executes no step unless `replaceNextStep` asks for it, and makes no other message leave earlier; a pause, a cancellation or a payment in full cancels it. Refusals of its own: `AUTH_004`, `BIZ_004`, `RES_001` */
  communicate(invoiceId: string, body: MessageRequest, options?: RequestOptions): ApiPromise<RequestedMessage> {
    return this.call.send('POST', `/api/v1/workflow/invoice/${segment(invoiceId)}/communications`, options, body)
  }

  /** Record that the claim was filed with a court, or served, with its proof. The program files nothing. The limitation, by estimate, starts again on the day of service if it is in time; a reminder or a formal notice moves nothing. Refusals of its own: `BIZ_004`, `RES_001` */
  recordFiling(invoiceId: string, body: FilingInput, options?: RequestOptions): ApiPromise<Filing> {
    return this.call.send('POST', `/api/v1/workflow/invoice/${segment(invoiceId)}/filing`, options, body)
  }

  /** Take back a message beside the cascade that has not left yet. The id is that of the answer to the request for the message. Once it is being handed to its provider, it cannot be taken back (RES_004, then BIZ_004). Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  takeBack(invoiceId: string, communicationId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/workflow/invoice/${segment(invoiceId)}/communications/${segment(communicationId)}`, options)
  }

  /** Recovery statistics: counts by status, time to payment, and success rate. Over all time. The rate counts recoveries, not money: of all that were ever started, running, paused and cancelled ones included, the share that ended paid. A rate over ended ones alone would look best just after an import; how much money came back is in the summary of invoices */
  stats(options?: RequestOptions): ApiPromise<WorkflowStats> {
    return this.call.send('GET', '/api/v1/workflow/stats', options)
  }
}

/** Messages to debtors, as they were sent */
export class CommunicationsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Read a message as it was sent, with its receipts and its proof. Refusals of its own: `RES_001` */
  get(id: string, options?: RequestOptions): ApiPromise<CommunicationDetail> {
    return this.call.send('GET', `/api/v1/communications/${segment(id)}`, options)
  }

  /** A person has seen that the outcome of a message is unknown. It leaves the list of work. Its state stays, until its provider says more. Doing it again changes nothing. Refusals of its own: `RES_001` */
  acknowledge(id: string, options?: RequestOptions): ApiPromise<SeenCommunication> {
    return this.call.send('POST', `/api/v1/communications/${segment(id)}/seen`, options)
  }

  /** List the messages of a day or of an hour, the newest first. What was sent, and what failed. A quarter hour of `GET /api/v1/reports/today` is found by `sentFrom` and `sentTo`. A message whose sending became known more than 15 minutes after it was decided is listed by the moment of the decision */
  list(query?: CommunicationsListQuery, options?: RequestOptions): List<ListedCommunication, FeedPagination> {
    return this.call.list('/api/v1/communications', options, query)
  }
}

/** What leaves today and what does not, and the aged balance */
export class ReportsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** What leaves on a day and what has left, what does not and why, and what waits for a person. What is held and what waits is as of now, so only today has it. A day to come has nothing that was sent or collected. A planned message is counted at the moment its debtor is checked next; the contact rules are checked again then */
  today(query?: ReportsTodayQuery, options?: RequestOptions): ApiPromise<Today> {
    return this.call.send('GET', '/api/v1/reports/today', options, undefined, query)
  }

  /** What is open, by how long it is overdue and by where it stands */
  agedBalance(query?: ReportsAgedBalanceQuery, options?: RequestOptions): ApiPromise<AgedBalance> {
    return this.call.send('GET', '/api/v1/reports/aged-balance', options, undefined, query)
  }

  /** What is overdue, promised and collected, and how that has changed. What was overdue on earlier days is written each night, in a sandbox each time its clock is advanced: days before the first writing have none */
  sums(options?: RequestOptions): ApiPromise<DaySums> {
    return this.call.send('GET', '/api/v1/reports/sums', options)
  }
}

/** What waits for a person, one line per debtor, made from the facts */
export class WorkResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List the debtors with something that waits for a person, by what they owe and for how long. One row per debtor: a reply to read, a dispute or a recovery to decide, an address to correct. Every task follows from a fact and ends with it. The order is the open sum times the days overdue of the oldest invoice. At most 10,000 facts of a kind and 10,000 debtors are looked at */
  list(query?: WorkListQuery, options?: RequestOptions): List<WorkLine, Pagination> {
    return this.call.list('/api/v1/work', options, query)
  }

  /** Count the debtors with something that waits for a person, by group. The counts are those of the rows of GET /api/v1/work with the same filter */
  summary(query?: WorkSummaryQuery, options?: RequestOptions): ApiPromise<WorkSummary> {
    return this.call.send('GET', '/api/v1/work/summary', options, undefined, query)
  }
}

/** Long-running jobs on many invoices, with progress and errors per item */
export class TasksResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Pause, resume, start, cancel, escalate, write off or message many invoices. Answers at once with a task; `GET /api/v1/tasks/:id` shows how far it is, and `task.finished` tells when it is done. Each invoice is judged by itself, as the operation for one invoice does it, with the scopes of that operation. With `dryRun` it judges only, and waits for `POST …/start`. Refusals of its own: `AUTH_004`, `BIZ_003`, `RES_003` */
  bulk(body: BulkInput, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', '/api/v1/tasks/bulk', options, body)
  }

  /** Import a file of invoices: CSV, XLSX or NDJSON, up to 50 MB. Send the file itself as the body. It is read and every row is judged, then the task waits in `review`: nothing is created before `POST …/start`. Common faults of French files are corrected and listed; rows that cannot be read are refused with their line and the cause. It counts towards the `storage` of the company. Refusals of its own: `RES_003`, `VAL_005` */
  import(file: FileBody, query?: TasksImportQuery, options?: RequestOptions): ApiPromise<Task> {
    return this.call.upload('/api/v1/tasks/import', options, file, query, ["text/csv","application/vnd.openxmlformats-officedocument.spreadsheetml.sheet","application/x-ndjson","application/octet-stream"], 330000)
  }

  /** Say which sheet of an imported file is read, or what its columns are. While the import is in review. The rows are judged again. A mapping of columns is remembered for every file with the same titles. Refusals of its own: `RES_001`, `RES_003` */
  map(id: string, body: MappingInput, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('PUT', `/api/v1/tasks/${segment(id)}/mapping`, options, body)
  }

  /** Undo an import: delete the invoices it created, as long as no message has left. Answers with a task of its own. An invoice for which a message has left, or to which a payment belongs, stays and is named. Debtors stay. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  undo(id: string, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', `/api/v1/tasks/${segment(id)}/undo`, options)
  }

  /** Export invoices, debtors, payments, contacts, the audit log or accounting entries as a file. Answers at once with a task; when it is finished, its `file` has a link that works for a day, without an API key. What was created after the task is not part of it. Each export needs the scopes with which the same is read by the API; accounting entries need `invoices:read` and `payments:read`, the audit log `webhooks:manage`. Refusals of its own: `AUTH_004`, `BIZ_003`, `RES_003`, `VAL_005` */
  export(body: ExportInput, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', '/api/v1/tasks/export', options, body)
  }

  /** Erase a person: their names, addresses, numbers, texts and documents. Cannot be undone. Refused while an invoice of the debtor is not closed. Sums, counts and the proof of contacts stay, without the person. Data that accounting law requires is kept, but blocked; `report` says until when. A person who opted out is never written to again. Other records with the same email are named in `report`, and not erased. With `dryRun` it says what would be kept, and waits for `POST …/start`. Refusals of its own: `RES_001`, `RES_003` */
  erase(body: EraseInput, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', '/api/v1/tasks/erase', options, body)
  }

  /** Gather everything that is held about a person, as one ZIP. For the answer to a request under art. 15 or 20 GDPR: pages to read in the language of the person (PDF), one JSON file per kind of data, and documents as they were. The file is deleted after a day. Refusals of its own: `RES_001`, `RES_003`, `VAL_005` */
  access(body: AccessInput, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', '/api/v1/tasks/access', options, body)
  }

  /** List tasks, the newest first. Only tasks whose scopes the caller has. A task is kept for 30 days after its end */
  list(query?: TasksListQuery, options?: RequestOptions): List<Task, Pagination> {
    return this.call.list('/api/v1/tasks', options, query)
  }

  /** Read a task: how far it is, and what came of it. Refusals of its own: `RES_001` */
  get(id: string, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('GET', `/api/v1/tasks/${segment(id)}`, options)
  }

  /** List what became of each item of a task. In the order of their ids, or of the lines of an imported file; of a task in review, what would become of them. The rows of an export are in its file, and not listed. Refusals of its own: `RES_001` */
  items(id: string, query?: TasksItemsQuery, options?: RequestOptions): List<TaskItem, Pagination> {
    return this.call.list(`/api/v1/tasks/${segment(id)}/items`, options, query)
  }

  /** Start a task that is in review. Each item is judged again at the moment it is done: what has changed since the dry run counts. A task that was stopped goes on where it stopped. Who starts a task becomes its maker: it is judged with their scopes, and stops when they may not do it any more. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  start(id: string, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', `/api/v1/tasks/${segment(id)}/start`, options)
  }

  /** Cancel a task: nothing more of it is done after the answer. What was done before stays done; the items say what. Its file and the cells of an import are deleted. For who made or started it, and for owners and managers; a key or an application may also cancel what another key or application made. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  cancel(id: string, options?: RequestOptions): ApiPromise<Task> {
    return this.call.send('POST', `/api/v1/tasks/${segment(id)}/cancel`, options)
  }
}

/** Conversations with the assistant */
export class AgentResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Send a message to the assistant. It uses the other operations as you, with your scopes and within your limits. Reads are answered at once. Anything that changes, sends, costs or ends something is only prepared, and carried out when you return the token as `context.confirm` or answer with a plain yes or oui. With `Accept: text/event-stream` the answer comes as events. Refusals of its own: `RATE_002`, `SVC_001`, `SVC_002`, `SVC_003`, `VAL_001` */
  chat(body: ChatInput, options?: RequestOptions): ApiPromise<ChatReply> {
    return this.call.send('POST', '/api/v2/agent/chat', options, body, undefined, 90000)
  }

  /** List your conversations with the assistant, the latest first. Only conversations that this credential opened */
  conversations(query?: AgentConversationsQuery, options?: RequestOptions): List<Conversation, OffsetPagination> {
    return this.call.list('/api/v2/agent/conversations', options, query)
  }

  /** Read a conversation with the assistant, with all its messages. Refusals of its own: `RES_001` */
  conversation(id: string, options?: RequestOptions): ApiPromise<WholeConversation> {
    return this.call.send('GET', `/api/v2/agent/conversations/${segment(id)}`, options)
  }
}

/** The sequences of steps of a recovery, built in or your own */
export class CascadesResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List the cascades, your own first, each in its present version */
  list(query?: CascadesListQuery, options?: RequestOptions): List<Cascade, Pagination> {
    return this.call.list('/api/v1/cascades', options, query)
  }

  /** Read a cascade with its earlier versions. Refusals of its own: `RES_001` */
  get(name: string, options?: RequestOptions): ApiPromise<CascadeWithVersions> {
    return this.call.send('GET', `/api/v1/cascades/${segment(name)}`, options)
  }

  /** Create a cascade of your own; new recoveries that it applies to use it. Refusals of its own: `RES_002`, `RES_003` */
  create(body: CascadeInput, options?: RequestOptions): ApiPromise<Cascade> {
    return this.call.send('POST', '/api/v1/cascades', options, body)
  }

  /** Change a cascade: new recoveries take the new version, running ones keep theirs. Switching it on or off makes no new version. Refusals of its own: `RES_001`, `RES_003` */
  update(name: string, body: CascadeUpdate, options?: RequestOptions): ApiPromise<Cascade> {
    return this.call.send('PUT', `/api/v1/cascades/${segment(name)}`, options, body)
  }
}

/** The claims that your collector recovers for you, as its mandate lists them */
export class ClaimListsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Accept a list of claims that your collector recovers for you. Sums are those of today, principal and accessories apart. While a mandate is recorded, nothing is sent for an invoice that no list since its day contains. Refusals of its own: `RES_001` */
  create(body: ClaimListInput, options?: RequestOptions): ApiPromise<ClaimList> {
    return this.call.send('POST', '/api/v1/claim-lists', options, body)
  }

  /** Read a list of claims, with the sums of its day. Refusals of its own: `RES_001` */
  get(id: string, options?: RequestOptions): ApiPromise<ClaimList> {
    return this.call.send('GET', `/api/v1/claim-lists/${segment(id)}`, options)
  }

  /** Download a list of claims as a document to sign, for the file of the mandate. Refusals of its own: `RES_001` */
  pdf(id: string, options?: RequestOptions): ApiPromise<Blob> {
    return this.call.file(`/api/v1/claim-lists/${segment(id)}/pdf`, options)
  }
}

/** The texts of the messages, and your own versions of them */
export class TemplatesResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List the messages debtors receive, by step, channel and language, with the words you may replace */
  list(query?: TemplatesListQuery, options?: RequestOptions): List<MessageTemplate, Pagination> {
    return this.call.list('/api/v1/templates', options, query)
  }

  /** Show a message as a debtor would receive it; sends nothing and writes nothing. Refusals of its own: `RES_001` */
  preview(body: TemplatePreviewInput, options?: RequestOptions): ApiPromise<TemplatePreview> {
    return this.call.send('POST', '/api/v1/templates/preview', options, body)
  }

  /** Put words of your own in place of the subject or the opening of a message. They hold from the next message on. Everything else stays: who writes, the sums, the link, how to dispute, what happens to data. Threats, courts, added sums, links and bank accounts are refused. Refusals of its own: `RES_001` */
  update(id: string, body: OwnWords, options?: RequestOptions): ApiPromise<MessageTemplate> {
    return this.call.send('PUT', `/api/v1/templates/${segment(id)}`, options, body)
  }

  /** Bring our words back into a message. Refusals of its own: `RES_001` */
  reset(id: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/templates/${segment(id)}`, options)
  }
}

/** Your company and its settings in this environment */
export class CompanyResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Read the company and its settings in this environment */
  get(options?: RequestOptions): ApiPromise<Company> {
    return this.call.send('GET', '/api/v1/company', options)
  }

  /** Change the settings of the company in this environment. They apply at once: a message that is about to be sent is already checked and written with them. Where money goes (legalName, iban, accountHolder, replyEmail, telephone, paymentAccount) and the mediator are changed in production by an owner who has signed in, on the page /account/company, or by the operator: by a key or a token it is refused. In the sandbox a key changes everything. Refusals of its own: `AUTH_004`, `VAL_001` */
  update(body: CompanyUpdate, options?: RequestOptions): ApiPromise<Company> {
    return this.call.send('PUT', '/api/v1/company', options, body)
  }

  /** Set the logo that debtors see in emails, letters and on their page. The format is detected from the content, not from a declared type. In production an owner sets it, soon after signing in; once debtors could pay, it waits 24 hours unless a second owner confirms it */
  setLogo(body: CompanySetLogoInput, options?: RequestOptions): ApiPromise<CompanyLogo> {
    return this.call.send('PUT', '/api/v1/company/logo', options, body)
  }

  /** Remove the logo; again: nothing changes */
  deleteLogo(options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', '/api/v1/company/logo', options)
  }

  /** Stop everything that is sent to debtors for the company, in this environment. After the answer nothing leaves but the messages it names as in flight. What comes due waits. The stop is checked when a debtor is processed, when a message is claimed and when it leaves; payments, disputes and imports go on */
  stopSending(body: StopSendingInput, options?: RequestOptions): ApiPromise<SendingStop> {
    return this.call.send('POST', '/api/v1/company/stop-sending', options, body, undefined, 40000)
  }

  /** End the stop of the company’s own sending. What waited is looked at again, one debtor after the other, and goes at its next allowed moment. What a person stopped, a person starts again, in their own session. A stop of the operator is not ended. Refusals of its own: `AUTH_004` */
  resumeSending(body?: ResumeSendingInput, options?: RequestOptions): ApiPromise<SendingResume> {
    return this.call.send('POST', '/api/v1/company/resume-sending', options, body, undefined, 40000)
  }
}

/** Search for invoices and debtors */
export class SearchResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Find debtors and invoices by a number, a name, an email, a SIRET or an id. Up to eight of each, the newest first; an invoice with exactly that number comes before all others. With fewer than three characters, only an invoice with exactly that number is found */
  find(query?: SearchFindQuery, options?: RequestOptions): ApiPromise<Found> {
    return this.call.send('GET', '/api/v1/search', options, undefined, query)
  }
}

/** Signed events delivered to your URLs, and the result of each delivery */
export class WebhooksResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** List your webhooks, the newest first. Those whose events the caller may read */
  list(query?: WebhooksListQuery, options?: RequestOptions): List<Webhook, Pagination> {
    return this.call.list('/api/v1/webhooks', options, query)
  }

  /** Read a webhook, without its secret. Refusals of its own: `AUTH_004`, `RES_001` */
  get(id: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call.send('GET', `/api/v1/webhooks/${segment(id)}`, options)
  }

  /** Create a webhook: events are delivered to your URL. Only this answer contains the secret that signs every delivery. A URL whose host does not resolve yet is accepted with the warning `url_not_resolving`. At most 50 webhooks. Each event needs its read scope; a key with an expiry date or an IP whitelist cannot create webhooks. The webhook ends with the key, application or consent that saved it last. Refusals of its own: `AUTH_004`, `RES_003`, `WH_002` */
  create(body: WebhookInput, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return this.call.send('POST', '/api/v1/webhooks', options, body)
  }

  /** Change a webhook, or switch it on or off. A change of `events` applies to future events; queued deliveries are still made. `enabled: false` drops queued deliveries and ends a recovery; `enabled: true` also clears the count of failures. Use `POST …/recover` to redeliver events missed while the webhook was disabled. Whoever saves it takes it over and needs the read scope of each of its events. A key with an expiry or a whitelist cannot take it over, and may still disable it. Refusals of its own: `AUTH_004`, `RES_001`, `WH_002` */
  update(id: string, body: WebhookUpdate, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call.send('PUT', `/api/v1/webhooks/${segment(id)}`, options, body)
  }

  /** Delete a webhook and everything that is still queued for it. Refusals of its own: `AUTH_004`, `RES_001` */
  delete(id: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/webhooks/${segment(id)}`, options)
  }

  /** Exchange the secret of a webhook for a new one. The old secret is invalid at once: all further deliveries, including retries, are signed with the new one. Refusals of its own: `AUTH_004`, `RES_001` */
  rotateSecret(id: string, options?: RequestOptions): ApiPromise<RotatedSecret> {
    return this.call.send('POST', `/api/v1/webhooks/${segment(id)}/rotate-secret`, options)
  }

  /** List the deliveries of a webhook, the newest event first. A delivery is listed from its first attempt on, and changes in place with each further one. Refusals of its own: `AUTH_004`, `RES_001` */
  deliveries(id: string, query?: WebhooksDeliveriesQuery, options?: RequestOptions): List<Delivery, OffsetPagination> {
    return this.call.list(`/api/v1/webhooks/${segment(id)}/deliveries`, options, query)
  }

  /** Send one signed example to the endpoint now, and return what it answered. Also while the webhook is disabled, and for any event. Never retried, and not counted among its failures; listed with `test: true`. `data` of the body is the example of the event. Refusals of its own: `AUTH_004`, `RES_001`, `WH_001` */
  test(id: string, body?: WebhookTestInput, options?: RequestOptions): ApiPromise<Delivery> {
    return this.call.send('POST', `/api/v1/webhooks/${segment(id)}/test`, options, body, undefined, 40000)
  }

  /** Send an event again, whether it was delivered or failed. Queued at once, with the same id and body and a new signature. One that is over gets a new series of five attempts; one that waits for its next attempt gets it now. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  retryDelivery(id: string, deliveryId: string, options?: RequestOptions): ApiPromise<Delivery> {
    return this.call.send('POST', `/api/v1/webhooks/${segment(id)}/deliveries/${segment(deliveryId)}/retry`, options)
  }

  /** Redeliver the events a webhook missed since a given time. Every event it subscribes to now, from `since` until now, that was never delivered to it is queued as if it had just happened. `recovering` of the webhook shows the progress. A second request meanwhile extends the period. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  recover(id: string, body: RecoverInput, options?: RequestOptions): ApiPromise<StartedRecovery> {
    return this.call.send('POST', `/api/v1/webhooks/${segment(id)}/recover`, options, body)
  }

  /** List the events there are, each with its schema and an example */
  events(query?: WebhooksEventsQuery, options?: RequestOptions): List<EventInCatalogue, Pagination> {
    return this.call.list('/api/v1/webhooks/events', options, query)
  }
}

/** Everything that happened, in order, for programs that poll */
export class EventsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Read events in the order in which they were committed, from a cursor on. The same bodies as webhooks receive, for programs that cannot be called or want to catch up. Returns the events whose read scope the caller has. Store `pagination.nextCursor` and use it for the next request: no event is skipped and none is returned twice. An event appears as soon as no transaction that began before it is still open, usually at once. Events are kept for 90 days. Refusals of its own: `AUTH_004` */
  list(query?: EventsListQuery, options?: RequestOptions): List<EventBody, FeedPagination> {
    return this.call.list('/api/v1/events', options, query)
  }
}

/** Create, rotate and deactivate API keys */
export class ApiKeysResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Create a key with the same or fewer permissions than yours. It can have only scopes, addresses and an expiry within those of your key. A tenant has 100 enabled keys at most. Refusals of its own: `AUTH_004`, `AUTH_006`, `AUTH_007`, `RES_003`, `VAL_001` */
  create(body?: ApiKeyInput, options?: RequestOptions): ApiPromise<NewApiKey> {
    return this.call.send('POST', '/api/v1/api-keys', options, body)
  }

  /** List the keys of this environment, the newest first, masked. Deleted and rotated keys stay in the list with `enabled` false */
  list(query?: ApiKeysListQuery, options?: RequestOptions): List<ApiKey, Pagination> {
    return this.call.list('/api/v1/api-keys', options, query)
  }

  /** Replace a key by a new one with the same settings; the old one is disabled at once. Replace keys every 90 days; to do so without an interruption, create a new one first and delete the old one later. The new key has a new id, and the webhooks of the old one. A key may rotate itself; the answer then cannot be requested again. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  rotate(id: string, options?: RequestOptions): ApiPromise<NewApiKey> {
    return this.call.send('POST', `/api/v1/api-keys/${segment(id)}/rotate`, options)
  }

  /** Deactivate a key immediately; it stays in the list. Repeating it gives the same answer. Webhooks that it saved last are disabled with it. A key may delete itself, even the last one: only the operator can then create another. Refusals of its own: `AUTH_004`, `RES_001` */
  delete(id: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/api-keys/${segment(id)}`, options)
  }
}

/** Applications that use access tokens, for themselves or with the consent of a person */
export class OauthClientsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Register an application that gets its own access tokens, or asks people for theirs. It can have only scopes you have, and acts in the environment of your credential. A tenant has 100 enabled clients at most. Refusals of its own: `AUTH_004`, `RES_003` */
  create(body: OAuthClientInput, options?: RequestOptions): ApiPromise<NewOAuthClient> {
    return this.call.send('POST', '/api/v1/oauth-clients', options, body)
  }

  /** List the OAuth clients of this environment, the newest first, without their secrets. Deleted clients stay in the list with `enabled` false */
  list(query?: OauthClientsListQuery, options?: RequestOptions): List<OAuthClient, Pagination> {
    return this.call.list('/api/v1/oauth-clients', options, query)
  }

  /** Read an OAuth client, without its secret. Refusals of its own: `RES_001` */
  get(id: string, options?: RequestOptions): ApiPromise<OAuthClient> {
    return this.call.send('GET', `/api/v1/oauth-clients/${segment(id)}`, options)
  }

  /** Change an OAuth client. A removed scope is withdrawn at once from every token, including those in use; an added scope applies to new consents and new tokens only. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003`, `VAL_001` */
  update(id: string, body: OAuthClientUpdate, options?: RequestOptions): ApiPromise<OAuthClient> {
    return this.call.send('PUT', `/api/v1/oauth-clients/${segment(id)}`, options, body)
  }

  /** Delete an OAuth client, with all its tokens and consents. Takes effect at once; it stays in the list as disabled. Repeating it gives the same answer. Refusals of its own: `AUTH_004`, `RES_001` */
  delete(id: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/oauth-clients/${segment(id)}`, options)
  }

  /** Exchange the secret of an OAuth client for a new one. The old secret is invalid at once. Access tokens already issued remain valid for up to an hour; delete the client to end them too. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  rotateSecret(id: string, options?: RequestOptions): ApiPromise<NewOAuthClient> {
    return this.call.send('POST', `/api/v1/oauth-clients/${segment(id)}/rotate-secret`, options)
  }
}

/** The members of the company, by name and role */
export class TeamResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** The people of the company: name and role, to tell who did what. In the order they joined, 500 at most. Their addresses, and who is invited, are in GET /api/v1/members */
  list(options?: RequestOptions): ApiPromise<Team> {
    return this.call.send('GET', '/api/v1/team', options)
  }
}

/** The members of the company, their roles, and open invitations */
export class MembersResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Who belongs to the company, and who is invited to it. Members in the order they joined, open invitations with the newest first: 500 and 50 at most */
  list(options?: RequestOptions): ApiPromise<Members> {
    return this.call.send('GET', '/api/v1/members', options)
  }

  /** Invite somebody to the company by mail. The link in the mail is valid for seven days and works once. A new invitation withdraws the older one to the same address. 50 may be open, and 100 be sent within a day; one address is sent five within an hour, by all companies together. Refusals of its own: `AUTH_004`, `RES_003` */
  invite(body: InvitationInput, options?: RequestOptions): ApiPromise<Invitation> {
    return this.call.send('POST', '/api/v1/members/invitations', options, body)
  }

  /** Withdraw an invitation: its link stops working. Repeating it gives the same answer. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  withdrawInvitation(id: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/members/invitations/${segment(id)}`, options)
  }

  /** Give a member another role. It holds from the next request on, also for the applications that act for them. Only an owner who has signed in can give an owner another role, on the page /account/company; all owners are told by mail. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  update(personId: string, body: MemberUpdate, options?: RequestOptions): ApiPromise<Member> {
    return this.call.send('PUT', `/api/v1/members/${segment(personId)}`, options, body)
  }

  /** Remove a member from the company. At once: no application acts for them in this company any more. The keys they made stay, and all owners get a mail that names them. An owner is removed by an owner who has signed in, on the page /account/company; all owners are told by mail. Refusals of its own: `AUTH_004`, `RES_001`, `RES_003` */
  remove(personId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call.send('DELETE', `/api/v1/members/${segment(personId)}`, options)
  }
}

/** The audit log: what was changed, by whom and from where */
export class SecurityEventsResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** The audit log: who changed money, words, rights or a debtor’s data, and from where; the newest first. Kept for years, six unless the operator says otherwise, and delivered to no webhook. What concerns people is kept in the production environment. A debtor’s data stand in it as digests only */
  list(query?: SecurityEventsListQuery, options?: RequestOptions): List<SecurityEvent, Pagination> {
    return this.call.list('/api/v1/security-events', options, query)
  }
}

/** The clock, messages and simulated events of the sandbox; sandbox credentials only */
export class SandboxResource {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

  /** Read the clock of the sandbox, and whether it is still processing. Sandbox credentials only */
  clock(options?: RequestOptions): ApiPromise<SandboxClock> {
    return this.call.send('GET', '/api/v1/sandbox/clock', options)
  }

  /** Advance the clock of the sandbox, and return what happened. Sandbox credentials only. Everything that comes due happens at its own moment, as it would have: messages, pauses that end, promises that are broken. The clock only goes forward, to the end of 2099; a reset sets it back. The answer waits up to 20 seconds for all of it; one advance at a time. Refusals of its own: `RES_004` */
  advance(body: AdvanceInput, options?: RequestOptions): ApiPromise<Advance> {
    return this.call.send('POST', '/api/v1/sandbox/clock', options, body, undefined, 40000)
  }

  /** List the messages the sandbox would have sent, the newest first. Sandbox credentials only */
  messages(query?: SandboxMessagesQuery, options?: RequestOptions): List<SandboxMessage, Pagination> {
    return this.call.list('/api/v1/sandbox/messages', options, query)
  }

  /** Let the debtor answer a message: everything waits until somebody has read it. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001` */
  simulateReply(body: SimulatedReplyInput, options?: RequestOptions): ApiPromise<SimulatedReply> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/reply', options, body)
  }

  /** Let a message arrive, or a call be answered. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateDelivered(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/delivered', options, body)
  }

  /** Let a message come back undelivered. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateBounced(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/bounced', options, body)
  }

  /** Let nobody answer a call. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateNoAnswer(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/no-answer', options, body)
  }

  /** Let a registered letter be presented. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateLrarPresented(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/lrar-presented', options, body)
  }

  /** Let a registered letter be signed for. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateLrarSigned(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/lrar-signed', options, body)
  }

  /** Let a registered letter be refused. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateLrarRefused(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/lrar-refused', options, body)
  }

  /** Let a registered letter lie at the post office until it is returned. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_004`, `RES_001`, `RES_004` */
  simulateLrarUnclaimed(body: SimulatedReceiptInput, options?: RequestOptions): ApiPromise<SimulatedReceipt> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/lrar-unclaimed', options, body)
  }

  /** Let the debtor pay. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_001`, `RES_001` */
  simulatePayment(body: SimulatedPaymentInput, options?: RequestOptions): ApiPromise<RecordedPayment> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/payment', options, body)
  }

  /** Let the debtor promise to pay on a day. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  simulatePromise(body: SimulatedPromiseInput, options?: RequestOptions): ApiPromise<PaymentPromise> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/promise', options, body)
  }

  /** Let the debtor dispute an invoice. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `BIZ_001`, `BIZ_004`, `RES_001` */
  simulateDispute(body: SimulatedDisputeInput, options?: RequestOptions): ApiPromise<Dispute> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/dispute', options, body)
  }

  /** Let the debtor close a channel. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `RES_001` */
  simulateOptOut(body: SimulatedOptOutInput, options?: RequestOptions): ApiPromise<OptOut> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/opt-out', options, body)
  }

  /** Let somebody answer who is not the debtor. Sandbox credentials only. It happens at the current time of the sandbox. Refusals of its own: `RES_001` */
  simulateWrongPerson(body: SimulatedWrongPersonInput, options?: RequestOptions): ApiPromise<WrongPerson> {
    return this.call.send('POST', '/api/v1/sandbox/simulate/wrong-person', options, body)
  }

  /** Reset the sandbox: delete its debtors, invoices and messages. Sandbox credentials only. Its clock is set back to real time. Its keys, settings and cascades are kept; production is not affected. Refusals of its own: `RES_004` */
  reset(options?: RequestOptions): ApiPromise<SandboxReset> {
    return this.call.send('POST', '/api/v1/sandbox/reset', options)
  }
}

/** Every noun of the API. */
export class Resources {
  /** Overdue invoices, each with its debtor */
  readonly invoices: InvoicesResource
  /** Those who owe money, with their contact details */
  readonly debtors: DebtorsResource
  /** Payments that were received, are pending, failed or were refunded */
  readonly payments: PaymentsResource
  /** The recovery of an invoice: where it stands, what was done, what comes next */
  readonly workflow: WorkflowResource
  /** Messages to debtors, as they were sent */
  readonly communications: CommunicationsResource
  /** What leaves today and what does not, and the aged balance */
  readonly reports: ReportsResource
  /** What waits for a person, one line per debtor, made from the facts */
  readonly work: WorkResource
  /** Long-running jobs on many invoices, with progress and errors per item */
  readonly tasks: TasksResource
  /** Conversations with the assistant */
  readonly agent: AgentResource
  /** The sequences of steps of a recovery, built in or your own */
  readonly cascades: CascadesResource
  /** The claims that your collector recovers for you, as its mandate lists them */
  readonly claimLists: ClaimListsResource
  /** The texts of the messages, and your own versions of them */
  readonly templates: TemplatesResource
  /** Your company and its settings in this environment */
  readonly company: CompanyResource
  /** Search for invoices and debtors */
  readonly search: SearchResource
  /** Signed events delivered to your URLs, and the result of each delivery */
  readonly webhooks: WebhooksResource
  /** Everything that happened, in order, for programs that poll */
  readonly events: EventsResource
  /** Create, rotate and deactivate API keys */
  readonly apiKeys: ApiKeysResource
  /** Applications that use access tokens, for themselves or with the consent of a person */
  readonly oauthClients: OauthClientsResource
  /** The members of the company, by name and role */
  readonly team: TeamResource
  /** The members of the company, their roles, and open invitations */
  readonly members: MembersResource
  /** The audit log: what was changed, by whom and from where */
  readonly securityEvents: SecurityEventsResource
  /** The clock, messages and simulated events of the sandbox; sandbox credentials only */
  readonly sandbox: SandboxResource

  constructor(call: Call) {
    this.invoices = new InvoicesResource(call)
    this.debtors = new DebtorsResource(call)
    this.payments = new PaymentsResource(call)
    this.workflow = new WorkflowResource(call)
    this.communications = new CommunicationsResource(call)
    this.reports = new ReportsResource(call)
    this.work = new WorkResource(call)
    this.tasks = new TasksResource(call)
    this.agent = new AgentResource(call)
    this.cascades = new CascadesResource(call)
    this.claimLists = new ClaimListsResource(call)
    this.templates = new TemplatesResource(call)
    this.company = new CompanyResource(call)
    this.search = new SearchResource(call)
    this.webhooks = new WebhooksResource(call)
    this.events = new EventsResource(call)
    this.apiKeys = new ApiKeysResource(call)
    this.oauthClients = new OauthClientsResource(call)
    this.team = new TeamResource(call)
    this.members = new MembersResource(call)
    this.securityEvents = new SecurityEventsResource(call)
    this.sandbox = new SandboxResource(call)
  }
}
