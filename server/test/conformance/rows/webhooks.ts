import { planned, proven, type Table } from '../row.ts'

const mail = 'test/scenarios/first-email.test.ts'
const story = 'one POST becomes one real email, and everything that happened can be read back'
const payments = 'src/features/payments/payments.test.ts'
const writeOff = 'src/features/recovery/write-off.test.ts'
const givenUp =
  'an invoice that was reminded of is given up: status, recovery, history, events and document in one answer'
const paid = 'a payment in full ends the recovery in the same transaction and tells it'

const webhook: Table = {
  title: 'Webhook',
  rows: planned('webhooks', {
    'webhook.id': 'UUID',
    'webhook.url': 'HTTPS required',
    'webhook.events': 'event names',
    'webhook.description': 'optional',
    'webhook.enabled': 'true unless given',
    'webhook.secret': 'shown once, at creation; begins whsec_',
    'webhook.createdAt': 'in the answer of create',
    'webhook.created_at': 'in the list',
    'webhook.last_triggered_at': 'in the list',
    'webhook.state': 'disabled after five failed attempts',
  }),
}

const delivery: Table = {
  title: 'Webhook delivery',
  rows: planned('webhooks', {
    'delivery.id': 'string',
    'delivery.eventType': 'string',
    'delivery.status': 'delivered or failed',
    'delivery.attempts': 'number',
    'delivery.responseStatus': 'status of the receiver',
    'delivery.lastAttemptAt': 'date-time',
    'delivery.nextRetryAt': 'only while a retry is planned',
    'delivery.createdAt': 'date-time',
  }),
}

const endpoints: Table = {
  title: 'Webhooks: endpoints',
  rows: planned('webhooks', {
    'endpoint.GET /api/v1/webhooks': 'all webhooks',
    'endpoint.POST /api/v1/webhooks': 'creates one',
    'webhooks.create.body.url': 'HTTPS, required',
    'webhooks.create.body.events': 'required',
    'webhooks.create.body.description': 'optional',
    'webhooks.create.body.enabled': 'true unless given',
    'endpoint.GET /api/v1/webhooks/:id': 'one webhook',
    'endpoint.PUT /api/v1/webhooks/:id': 'changes one, partial body accepted',
    'endpoint.DELETE /api/v1/webhooks/:id': '204',
    'endpoint.POST /api/v1/webhooks/:id/rotate-secret': 'a new secret, shown once; the old one is dead',
    'endpoint.GET /api/v1/webhooks/:id/deliveries': 'its deliveries',
    'endpoint.POST /api/v1/webhooks/:id/test': 'the eighth operation, as we decided it',
  }),
}

const events: Table = {
  title: 'Events',
  rows: [
    ...proven(mail, story, {
      'event.invoice.created': 'invoice created or imported',
      'event.invoice.status_changed': 'status changed',
      'event.workflow.started': 'recovery started',
      'event.workflow.action_triggered': 'recovery action triggered',
      'event.debtor.contacted': 'debtor contacted',
    }),
    ...proven(
      'src/features/invoices/invoices.test.ts',
      'changes notes and metadata, tells it without the text of the notes, and clears with null',
      { 'event.invoice.updated': 'metadata or notes updated' },
    ),
    ...proven(payments, paid, {
      'event.payment.received': 'payment received, total or partial',
      'event.workflow.completed': 'recovery finished',
      'event.debt.paid': 'case marked paid',
    }),
    ...proven(payments, 'a payment taken back by the bank fails with its reason', {
      'event.payment.failed': 'payment failed',
    }),
    ...proven(
      'src/features/communications/receipt.test.ts',
      'is told when it is deposited and when it is signed, and the time to pay runs from there',
      {
        'event.lrar.sent': 'registered letter sent',
        'event.lrar.delivered': 'registered letter delivered',
      },
    ),
    ...planned('assistant', { 'event.cascade.action': 'cascade action executed by the assistant' }),
    ...proven(
      'src/features/recovery/escalate.test.ts',
      'a debt of %i cents goes to court by %s: everything stops, and it is told',
      { 'event.judicial.started': 'judicial procedure started' },
    ),
    ...proven(writeOff, givenUp, { 'event.anr.created': 'notice of non-recovery generated' }),
    ...planned('webhooks', {
      'event.body.event': 'the delivered body names the event',
      'event.body.data': 'and carries its data',
      'event.subscription': 'only the events a webhook lists',
    }),
  ],
}

const signature: Table = {
  title: 'Signature, delivery and retry',
  rows: planned('webhooks', {
    'signature.hmac': 'HMAC-SHA256 with the secret of the webhook',
    'signature.header': 'hex digest in X-Service-Signature',
    'retry.failed': 'a delivery fails on timeout or status 400 and above',
    'retry.attempt.1': 'at once',
    'retry.attempt.2': 'after 30 seconds',
    'retry.attempt.3': 'after 5 minutes',
    'retry.attempt.4': 'after 30 minutes',
    'retry.attempt.5': 'after 2 hours',
    'retry.disabled': 'after five the webhook is disabled',
    'retry.owner': 'and its owner is told by email',
  }),
}

export const webhooks: readonly Table[] = [webhook, delivery, endpoints, events, signature]
