import type { ActType } from '../kit/events.ts'
import type { Operation } from '../kit/operation.ts'
import { keyActs } from './api-keys/acts.ts'
import { createKey } from './api-keys/create-key.ts'
import { deleteKey } from './api-keys/delete-key.ts'
import { listKeys } from './api-keys/list-keys.ts'
import { rotateKey } from './api-keys/rotate-key.ts'
import { chat } from './assistant/chat.ts'
import { getConversation, listConversations } from './assistant/read-conversations.ts'
import { createCascade } from './cascades/create-cascade.ts'
import { getCascade, listCascades } from './cascades/read-cascades.ts'
import { updateCascade } from './cascades/update-cascade.ts'
import { getCompany } from './companies/get-company.ts'
import { updateCompany } from './companies/update-company.ts'
import { closeChannel } from './debtors/close-channel.ts'
import { createDebtor } from './debtors/create-debtor.ts'
import { readContacts } from './debtors/read-contacts.ts'
import { getDebtor, listDebtors, listInvoicesOfDebtor } from './debtors/read-debtors.ts'
import { reportWrongPerson } from './debtors/report-wrong-person.ts'
import { updateDebtor } from './debtors/update-debtor.ts'
import { listSecurityEvents } from './events/list-security-events.ts'
import { addCredit } from './invoices/add-credit.ts'
import { cancelInvoice } from './invoices/cancel-invoice.ts'
import { createInvoice } from './invoices/create-invoice.ts'
import { deleteInvoice } from './invoices/delete-invoice.ts'
import { getInvoice } from './invoices/get-invoice.ts'
import { importInvoices } from './invoices/import-invoices.ts'
import { invoiceSummary } from './invoices/invoice-summary.ts'
import { listInvoices } from './invoices/list-invoices.ts'
import { openDispute } from './invoices/open-dispute.ts'
import { recordPromise } from './invoices/record-promise.ts'
import { resolveDispute } from './invoices/resolve-dispute.ts'
import { updateInvoice } from './invoices/update-invoice.ts'
import { clientActs } from './oauth/client-acts.ts'
import { deleteClient } from './oauth/delete-client.ts'
import { grantActs } from './oauth/grant-acts.ts'
import { getClient, listClients } from './oauth/read-clients.ts'
import { registerClient } from './oauth/register-client.ts'
import { rotateClientSecret } from './oauth/rotate-client-secret.ts'
import { updateClient } from './oauth/update-client.ts'
import { refundPayment, settlePayment } from './payments/change-payment.ts'
import { paymentSummary } from './payments/payment-summary.ts'
import { getPayment, listPayments, listPaymentsOfInvoice } from './payments/read-payments.ts'
import { recordPayment } from './payments/record-payment.ts'
import { peopleActs } from './people/acts.ts'
import { changeRole, removeMember } from './people/change-member.ts'
import { inviteMember, withdrawInvitation } from './people/invite-member.ts'
import { listMembers } from './people/list-members.ts'
import { memberActs } from './people/members-acts.ts'
import { getAnr } from './recovery/get-anr.ts'
import { getHistory } from './recovery/get-history.ts'
import { getNextAction } from './recovery/get-next-action.ts'
import { getPlan } from './recovery/get-plan.ts'
import { getWorkflow } from './recovery/get-workflow.ts'
import { previewPlan } from './recovery/preview-plan.ts'
import { requestMessage } from './recovery/request-message.ts'
import { triggerWorkflow } from './recovery/trigger-workflow.ts'
import { workflowStats } from './recovery/workflow-stats.ts'
import { writeOffInvoice } from './recovery/write-off-invoice.ts'
import { advanceClock } from './sandbox/advance-clock.ts'
import { getClock } from './sandbox/get-clock.ts'
import { listMessages } from './sandbox/list-messages.ts'
import { resetSandbox } from './sandbox/reset-sandbox.ts'
import { simulatedDebtor } from './sandbox/simulate-debtor.ts'
import { simulatedReceipts } from './sandbox/simulate-receipts.ts'
import { getScore } from './scoring/get-score.ts'
import { resetTemplate, updateTemplate } from './templates/change-template.ts'
import { listTemplates } from './templates/list-templates.ts'
import { previewTemplate } from './templates/preview-template.ts'
import { webhookActs } from './webhooks/acts.ts'
import { createWebhook } from './webhooks/create-webhook.ts'
import { deleteWebhook } from './webhooks/delete-webhook.ts'
import { listDeliveries } from './webhooks/list-deliveries.ts'
import { listEventTypes } from './webhooks/list-event-types.ts'
import { getWebhook, listWebhooks } from './webhooks/read-webhooks.ts'
import { recoverEvents } from './webhooks/recover-events.ts'
import { retryDelivery } from './webhooks/retry-delivery.ts'
import { rotateSecret } from './webhooks/rotate-secret.ts'
import { testWebhook } from './webhooks/test-webhook.ts'
import { updateWebhook } from './webhooks/update-webhook.ts'

/** The table of contents of the product. */
export const operations: readonly Operation[] = [
  listInvoices,
  getInvoice,
  createInvoice,
  importInvoices,
  updateInvoice,
  deleteInvoice,
  addCredit,
  openDispute,
  resolveDispute,
  recordPromise,
  cancelInvoice,
  writeOffInvoice,
  getAnr,
  invoiceSummary,

  listDebtors,
  getDebtor,
  createDebtor,
  updateDebtor,
  listInvoicesOfDebtor,
  getScore,
  readContacts,
  closeChannel,
  reportWrongPerson,

  listPayments,
  getPayment,
  listPaymentsOfInvoice,
  recordPayment,
  settlePayment,
  refundPayment,
  paymentSummary,

  getWorkflow,
  getHistory,
  getNextAction,
  getPlan,
  previewPlan,
  triggerWorkflow,
  requestMessage,
  workflowStats,

  chat,
  listConversations,
  getConversation,

  listCascades,
  getCascade,
  createCascade,
  updateCascade,

  listTemplates,
  previewTemplate,
  updateTemplate,
  resetTemplate,

  getCompany,
  updateCompany,

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

/** What matters to a tenant's security: kept with the events, delivered to nobody. */
export const acts: readonly ActType[] = [
  ...keyActs,
  ...webhookActs,
  ...clientActs,
  ...grantActs,
  ...memberActs,
  ...peopleActs,
]

/** What each noun of the operation ids is. */
export const nouns: Readonly<Record<string, string>> = {
  invoices: 'Overdue invoices, each with its debtor',
  debtors: 'Those who owe, and where they are reached',
  payments: 'Money that arrived, is on its way, failed or was given back',
  workflow: 'The recovery of an invoice: where it stands, what was done, what comes next',
  agent: 'The assistant: what was said to it, and what it did for you',
  cascades: 'The steps a recovery takes, built in or of your own',
  templates: 'The words of the messages, and your own in their place',
  company: 'Your company and its settings in this environment',
  webhooks: 'Events delivered to URLs of yours, signed, and what came of each delivery',
  apiKeys: 'Credentials: make, rotate and deactivate them',
  oauthClients: 'Applications that act with access tokens, for themselves or for people who agreed',
  members: 'The people of the company, their roles, and who is invited',
  securityEvents: 'What was done to credentials, webhooks and members, and by whom',
  sandbox: 'Time, messages and events of the sandbox, for its credentials only',
}
