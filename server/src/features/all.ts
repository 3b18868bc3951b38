import { callOutcomes } from '../domain/contact/call-outcome.ts'
import { channels } from '../domain/contact/channel.ts'
import { addressStates, givenRoles, personChannels, personRoles } from '../domain/contact/debtor-person.ts'
import { receiptOutcomes } from '../domain/contact/receipt.ts'
import { debtorTypes } from '../domain/debtor-type.ts'
import { invoiceStatuses } from '../domain/money/invoice-state.ts'
import { paymentInstruments, paymentMethods, paymentStatuses } from '../domain/money/payment-state.ts'
import { lateClaimStatuses } from '../domain/recovery/account.ts'
import { actObstacles, acts } from '../domain/recovery/acts.ts'
import { messageNames, stepNames } from '../domain/recovery/cascade.ts'
import { courtRoutes } from '../domain/recovery/formal-notice.ts'
import { insolvencyKinds } from '../domain/recovery/insolvency.ts'
import { holds, recoveryStatuses, triggerActions } from '../domain/recovery/recovery-state.ts'
import { standings } from '../domain/recovery/standing.ts'
import { timeBarCauses } from '../domain/recovery/time-bar.ts'
import { riskLevels } from '../domain/score/score.ts'
import { errorStatuses, faultCodes } from '../kit/errors.ts'
import { type AuditEventType, actorKinds } from '../kit/events.ts'
import type { ApiDescription } from '../kit/http/openapi.ts'
import type { Operation } from '../kit/operation.ts'
import { version } from '../kit/version.ts'
import { keyAuditEvents } from './access/api-keys/audit-events.ts'
import { createKey } from './access/api-keys/create-key.ts'
import { deleteKey } from './access/api-keys/delete-key.ts'
import { listKeys } from './access/api-keys/list-keys.ts'
import { rotateKey } from './access/api-keys/rotate-key.ts'
import { listSecurityEvents } from './access/audit/list-security-events.ts'
import { companyAuditEvents, payoutAuditEvents } from './access/companies/audit-events.ts'
import { removeLogo, setLogo } from './access/companies/change-logo.ts'
import { getCompany } from './access/companies/get-company.ts'
import { updateCompany } from './access/companies/update-company.ts'
import { clientAuditEvents, grantAuditEvents } from './access/oauth/audit-events.ts'
import { deleteClient } from './access/oauth/delete-client.ts'
import { oauthPaths, oauthSchemas } from './access/oauth/oauth-document.ts'
import { getClient, listClients } from './access/oauth/read-clients.ts'
import { registerClient } from './access/oauth/register-client.ts'
import { rotateClientSecret } from './access/oauth/rotate-client-secret.ts'
import { updateClient } from './access/oauth/update-client.ts'
import { memberAuditEvents, peopleAuditEvents } from './access/people/audit-events.ts'
import { changeRole, removeMember } from './access/people/change-member.ts'
import { inviteMember, withdrawInvitation } from './access/people/invite-member.ts'
import { listMembers } from './access/people/list-members.ts'
import { listTeam } from './access/people/list-team.ts'
import { roles } from './access/roles.ts'
import { scopeMeanings, scopes } from './access/scopes.ts'
import answerExamples from './answer-examples.generated.json' with { type: 'json' }
import { fieldTexts } from './field-texts.ts'
import { chat } from './integrations/assistant/chat.ts'
import { getConversation, listConversations } from './integrations/assistant/read-conversations.ts'
import { mcpPaths, mcpSchemas } from './integrations/mcp/mcp-document.ts'
import { advanceClock } from './integrations/sandbox/advance-clock.ts'
import { sandboxAuditEvents } from './integrations/sandbox/audit-events.ts'
import { getClock } from './integrations/sandbox/get-clock.ts'
import { listMessages } from './integrations/sandbox/list-messages.ts'
import { resetSandbox } from './integrations/sandbox/reset-sandbox.ts'
import { simulatedDebtor } from './integrations/sandbox/simulate-debtor.ts'
import { simulatedReceipts } from './integrations/sandbox/simulate-receipts.ts'
import { taskAuditEvents } from './integrations/tasks/audit-events.ts'
import { createBulkTask } from './integrations/tasks/bulk/create-bulk.ts'
import { cancelTask, startTask } from './integrations/tasks/change-task.ts'
import { debtorErased } from './integrations/tasks/erase/audit-events.ts'
import { createAccessTask } from './integrations/tasks/erase/create-access.ts'
import { createEraseTask } from './integrations/tasks/erase/create-erase.ts'
import { createExportTask } from './integrations/tasks/export/create-export.ts'
import { createImportTask } from './integrations/tasks/import/create-import.ts'
import { mapColumns } from './integrations/tasks/import/map-columns.ts'
import { undoImport } from './integrations/tasks/import/undo-import.ts'
import { getTask, listTaskItems, listTasks } from './integrations/tasks/read-tasks.ts'
import { taskKinds, taskStatuses } from './integrations/tasks/schema.ts'
import { webhookAuditEvents } from './integrations/webhooks/audit-events.ts'
import { createWebhook } from './integrations/webhooks/create-webhook.ts'
import { deleteWebhook } from './integrations/webhooks/delete-webhook.ts'
import { events } from './integrations/webhooks/event-catalogue.ts'
import { listDeliveries } from './integrations/webhooks/list-deliveries.ts'
import { listEventTypes } from './integrations/webhooks/list-event-types.ts'
import { listEvents } from './integrations/webhooks/list-events.ts'
import { getWebhook, listWebhooks } from './integrations/webhooks/read-webhooks.ts'
import { recoverEvents } from './integrations/webhooks/recover-events.ts'
import { retryDelivery } from './integrations/webhooks/retry-delivery.ts'
import { rotateSecret } from './integrations/webhooks/rotate-secret.ts'
import { testWebhook } from './integrations/webhooks/test-webhook.ts'
import { updateWebhook } from './integrations/webhooks/update-webhook.ts'
import { errorTexts } from './platform/error-texts.ts'
import { debtorAuditEvents } from './receivables/debtors/audit-events.ts'
import { closeChannel } from './receivables/debtors/close-channel.ts'
import { createDebtor } from './receivables/debtors/create-debtor.ts'
import {
  decideDataRequest,
  listDataRequests,
  recordDataRequest,
} from './receivables/debtors/data-requests.ts'
import { getCalendar } from './receivables/debtors/get-calendar.ts'
import { listDebtors } from './receivables/debtors/list-debtors.ts'
import { listReplies } from './receivables/debtors/list-replies.ts'
import { addNote, endNote, listNotes } from './receivables/debtors/notes.ts'
import { pauseDebtor, resumeDebtor } from './receivables/debtors/pause-debtor.ts'
import { addPerson } from './receivables/debtors/people/add-person.ts'
import { changePerson } from './receivables/debtors/people/change-person.ts'
import { listPeople } from './receivables/debtors/people/list-people.ts'
import { removePerson } from './receivables/debtors/people/remove-person.ts'
import { printStatement } from './receivables/debtors/print-statement.ts'
import { contactFates, readContacts } from './receivables/debtors/read-contacts.ts'
import { getDebtor, listInvoicesOfDebtor } from './receivables/debtors/read-debtors.ts'
import { markReplyRead } from './receivables/debtors/read-reply.ts'
import { reportSituation } from './receivables/debtors/report-situation.ts'
import { reportWrongPerson } from './receivables/debtors/report-wrong-person.ts'
import { retryAddress } from './receivables/debtors/retry-address.ts'
import { updateDebtor } from './receivables/debtors/update-debtor.ts'
import { acknowledgePromise } from './receivables/invoices/acknowledge-promise.ts'
import { addCredit } from './receivables/invoices/add-credit.ts'
import { invoiceAuditEvents } from './receivables/invoices/audit-events.ts'
import { importInvoices } from './receivables/invoices/bulk-invoices.ts'
import { cancelInvoice } from './receivables/invoices/cancel-invoice.ts'
import { closeReplyOperation } from './receivables/invoices/close-reply.ts'
import { createInvoice } from './receivables/invoices/create-invoice.ts'
import { decideSituation } from './receivables/invoices/decide-situation.ts'
import { deleteInvoice } from './receivables/invoices/delete-invoice.ts'
import { getInvoice } from './receivables/invoices/get-invoice.ts'
import { invoiceSummary } from './receivables/invoices/invoice-summary.ts'
import { listInvoices } from './receivables/invoices/list-invoices.ts'
import { openDispute } from './receivables/invoices/open-dispute.ts'
import { previewPlan } from './receivables/invoices/preview-plan.ts'
import { promiseForDebtor } from './receivables/invoices/promise-for-debtor.ts'
import { recordPromise } from './receivables/invoices/record-promise.ts'
import { resolveDispute } from './receivables/invoices/resolve-dispute.ts'
import { search } from './receivables/invoices/search.ts'
import { updateInvoice } from './receivables/invoices/update-invoice.ts'
import { waiveLatePayment } from './receivables/invoices/waive-late-payment.ts'
import { paymentAuditEvents } from './receivables/payments/audit-events.ts'
import { refundPayment, reversePayment, settlePayment } from './receivables/payments/change-payment.ts'
import { paymentSummary } from './receivables/payments/payment-summary.ts'
import { getPayment, listPayments, listPaymentsOfInvoice } from './receivables/payments/read-payments.ts'
import { receivePayment } from './receivables/payments/receive-payment.ts'
import { recordPayment } from './receivables/payments/record-payment.ts'
import { agedBalance } from './receivables/reports/aged-balance.ts'
import { daySums } from './receivables/reports/day-sums.ts'
import { today } from './receivables/reports/today.ts'
import { getScore } from './receivables/scoring/get-score.ts'
import { readDebtorTimeline } from './receivables/timeline/debtor-timeline.ts'
import { readInvoiceTimeline } from './receivables/timeline/invoice-timeline.ts'
import { listWork } from './receivables/work/list-work.ts'
import { summarizeWork } from './receivables/work/summarize-work.ts'
import { contactObstacles } from './recovery/case/debtor-calendar.ts'
import { disputeCategories, disputeOutcomes } from './recovery/case/debtor-events.ts'
import { anrBases } from './recovery/case/events.ts'
import { historyStatuses } from './recovery/case/history.ts'
import { historyCodes } from './recovery/case/history-texts.ts'
import { reasonCodes } from './recovery/case/reason-texts.ts'
import { communicationSeen } from './recovery/messages/audit-events.ts'
import { acknowledgeMessage } from './recovery/messages/read/acknowledge-message.ts'
import { getCommunication } from './recovery/messages/read/get-communication.ts'
import { listCommunications } from './recovery/messages/read/list-communications.ts'
import { templateAuditEvents } from './recovery/templates/audit-events.ts'
import { resetTemplate, updateTemplate } from './recovery/templates/change-template.ts'
import { listTemplates } from './recovery/templates/list-templates.ts'
import { previewTemplate } from './recovery/templates/preview-template.ts'
import { workflowAuditEvents } from './recovery/workflow/audit-events.ts'
import { cascadeAuditEvents } from './recovery/workflow/cascades/audit-events.ts'
import { createCascade } from './recovery/workflow/cascades/create-cascade.ts'
import { getCascade, listCascades } from './recovery/workflow/cascades/read-cascades.ts'
import { updateCascade } from './recovery/workflow/cascades/update-cascade.ts'
import { claimsListed } from './recovery/workflow/claim-lists/audit-events.ts'
import { createClaimList } from './recovery/workflow/claim-lists/create-claim-list.ts'
import { getClaimList } from './recovery/workflow/claim-lists/get-claim-list.ts'
import { printClaimList } from './recovery/workflow/claim-lists/print-claim-list.ts'
import { getAnr } from './recovery/workflow/get-anr.ts'
import { getHistory } from './recovery/workflow/get-history.ts'
import { getNextAction } from './recovery/workflow/get-next-action.ts'
import { getPlan } from './recovery/workflow/get-plan.ts'
import { getWorkflow } from './recovery/workflow/get-workflow.ts'
import { recordFiling } from './recovery/workflow/record-filing.ts'
import { requestMessage } from './recovery/workflow/request-message.ts'
import { obstacles } from './recovery/workflow/schema.ts'
import { resumeSending, stopSending } from './recovery/workflow/stop-sending.ts'
import { takeBackMessage } from './recovery/workflow/take-back-message.ts'
import { triggerWorkflow } from './recovery/workflow/trigger-workflow.ts'
import { workflowStats } from './recovery/workflow/workflow-stats.ts'
import { writeOffInvoice } from './recovery/workflow/write-off-invoice.ts'

/** The table of contents of the product. */
export const operations: readonly Operation[] = [
  listInvoices,
  getInvoice,
  readInvoiceTimeline,
  createInvoice,
  importInvoices,
  updateInvoice,
  deleteInvoice,
  addCredit,
  waiveLatePayment,
  openDispute,
  resolveDispute,
  recordPromise,
  acknowledgePromise,
  cancelInvoice,
  writeOffInvoice,
  getAnr,
  invoiceSummary,

  listDebtors,
  getDebtor,
  createDebtor,
  updateDebtor,
  listPeople,
  listReplies,
  addPerson,
  changePerson,
  removePerson,
  listInvoicesOfDebtor,
  getScore,
  readContacts,
  readDebtorTimeline,
  getCalendar,
  closeChannel,
  markReplyRead,
  closeReplyOperation,
  recordDataRequest,
  decideDataRequest,
  listDataRequests,
  addNote,
  endNote,
  listNotes,
  printStatement,
  reportSituation,
  decideSituation,
  reportWrongPerson,
  retryAddress,
  promiseForDebtor,
  pauseDebtor,
  resumeDebtor,

  listPayments,
  getPayment,
  listPaymentsOfInvoice,
  recordPayment,
  receivePayment,
  settlePayment,
  refundPayment,
  reversePayment,
  paymentSummary,

  getWorkflow,
  getHistory,
  getCommunication,
  acknowledgeMessage,
  listCommunications,
  getNextAction,
  getPlan,
  previewPlan,
  triggerWorkflow,
  requestMessage,
  recordFiling,
  takeBackMessage,
  workflowStats,

  today,
  agedBalance,
  daySums,

  listWork,
  summarizeWork,

  createBulkTask,
  createImportTask,
  mapColumns,
  undoImport,
  createExportTask,
  createEraseTask,
  createAccessTask,
  listTasks,
  getTask,
  listTaskItems,
  startTask,
  cancelTask,

  chat,
  listConversations,
  getConversation,

  listCascades,
  getCascade,
  createCascade,
  updateCascade,

  createClaimList,
  getClaimList,
  printClaimList,

  listTemplates,
  previewTemplate,
  updateTemplate,
  resetTemplate,

  getCompany,
  updateCompany,
  setLogo,
  removeLogo,
  stopSending,
  resumeSending,

  search,

  listWebhooks,
  getWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateSecret,
  listDeliveries,
  testWebhook,
  retryDelivery,
  recoverEvents,
  listEventTypes,
  listEvents,

  createKey,
  listKeys,
  rotateKey,
  deleteKey,

  registerClient,
  listClients,
  getClient,
  updateClient,
  deleteClient,
  rotateClientSecret,

  listTeam,
  listMembers,
  inviteMember,
  withdrawInvitation,
  changeRole,
  removeMember,

  listSecurityEvents,

  getClock,
  advanceClock,
  listMessages,
  ...simulatedReceipts,
  ...simulatedDebtor,
  resetSandbox,
]

/** Audit events: kept in the audit log, never delivered to webhooks. */
export const auditEvents: readonly AuditEventType[] = [
  ...companyAuditEvents,
  ...keyAuditEvents,
  ...payoutAuditEvents,
  ...webhookAuditEvents,
  ...clientAuditEvents,
  ...grantAuditEvents,
  ...memberAuditEvents,
  ...peopleAuditEvents,
  ...invoiceAuditEvents,
  ...debtorAuditEvents,
  ...paymentAuditEvents,
  ...workflowAuditEvents,
  communicationSeen,
  ...cascadeAuditEvents,
  claimsListed,
  ...templateAuditEvents,
  ...sandboxAuditEvents,
  ...taskAuditEvents,
  debtorErased,
]

/** Description of each noun in the operation ids. */
const nouns: Readonly<Record<string, string>> = {
  invoices: 'Overdue invoices, each with its debtor',
  debtors: 'Those who owe money, with their contact details',
  search: 'Search for invoices and debtors',
  payments: 'Payments that were received, are pending, failed or were refunded',
  workflow: 'The recovery of an invoice: where it stands, what was done, what comes next',
  tasks: 'Long-running jobs on many invoices, with progress and errors per item',
  communications: 'Messages to debtors, as they were sent',
  reports: 'What leaves today and what does not, and the aged balance',
  work: 'What waits for a person, one line per debtor, made from the facts',
  agent: 'Conversations with the assistant',
  cascades: 'The sequences of steps of a recovery, built in or your own',
  claimLists: 'The claims that your collector recovers for you, as its mandate lists them',
  templates: 'The texts of the messages, and your own versions of them',
  company: 'Your company and its settings in this environment',
  webhooks: 'Signed events delivered to your URLs, and the result of each delivery',
  events: 'Everything that happened, in order, for programs that poll',
  apiKeys: 'Create, rotate and deactivate API keys',
  oauthClients: 'Applications that use access tokens, for themselves or with the consent of a person',
  oauth: 'Access tokens, as the OAuth RFCs define them',
  mcp: 'The operations as tools for other assistants',
  members: 'The members of the company, their roles, and open invitations',
  team: 'The members of the company, by name and role',
  securityEvents: 'The audit log: what was changed, by whom and from where',
  sandbox: 'The clock, messages and simulated events of the sandbox; sandbox credentials only',
}

/** Lists of values to which the OpenAPI document gives a name. */
const namedEnums = {
  InvoiceStatus: invoiceStatuses,
  WorkflowStatus: recoveryStatuses,
  HistoryStatus: historyStatuses,
  HistoryCode: historyCodes,
  TriggerAction: triggerActions,
  PaymentStatus: paymentStatuses,
  PaymentMethod: paymentMethods,
  PaymentInstrument: paymentInstruments,
  Channel: channels,
  DebtorType: debtorTypes,
  PersonRole: personRoles,
  GivenRole: givenRoles,
  ContactPoint: personChannels,
  AddressState: addressStates,
  RiskLevel: riskLevels,
  StepName: stepNames,
  MessageName: messageNames,
  ReasonCode: reasonCodes,
  Obstacle: obstacles,
  Hold: holds,
  Standing: standings,
  ContactObstacle: contactObstacles,
  Act: acts,
  ActObstacle: actObstacles,
  ContactFate: contactFates,
  ReceiptOutcome: receiptOutcomes,
  CallOutcome: callOutcomes,
  DisputeCategory: disputeCategories,
  DisputeOutcome: disputeOutcomes,
  WriteOffBasis: anrBases,
  CourtRoute: courtRoutes,
  LateClaimStatus: lateClaimStatuses,
  LimitationCause: timeBarCauses,
  InsolvencyKind: insolvencyKinds,
  TaskKind: taskKinds,
  TaskStatus: taskStatuses,
  Role: roles,
  ActorKind: actorKinds,
  Scope: scopes,
  EventName: events.map(({ type }) => type),
  ErrorCode: Object.keys(errorStatuses),
  FaultCode: faultCodes,
}

/** The contract as data: the OpenAPI document and the pages of the documentation are made from it. */
export const contract: ApiDescription = {
  operations,
  retirements: {},
  events,
  otherPaths: { ...oauthPaths, ...mcpPaths },
  otherSchemas: { ...oauthSchemas, ...mcpSchemas },
  namedEnums,
  fieldTexts,
  answerExamples,
  nouns,
  scopeMeanings,
  errorTexts,
  version,
}
