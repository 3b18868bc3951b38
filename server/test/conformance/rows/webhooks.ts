import { proven, type Table } from '../row.ts'

const mail = 'test/scenarios/recovery/first-email.test.ts'
const firstEmailTest = 'one POST becomes one real email, and everything that happened can be read back'
const payments = 'src/features/receivables/payments/payments.test.ts'
const writeOff = 'src/features/recovery/workflow/write-off.test.ts'
const givenUp =
  'an invoice that was reminded of is given up: status, recovery, history, events and document in one answer'
const paid = 'a payment in full ends the recovery in the same transaction and emits the events'

const folder = 'src/features/integrations/webhooks'
const creating = `${folder}/create-webhook.test.ts`
const created = 'a webhook is created with its secret, which is returned this once and by no other response'
const leftOut = 'description and enabled may be left out or null; an event named twice is meant once'
const refusedUrl = 'a webhook to %s is refused: WH_002, %s'
const changing = `${folder}/update-webhook.test.ts`
const deliveries = `${folder}/deliveries.test.ts`
const tried = 'a test is one real request with an example in it, and the answer tells what came of it'
const delivering = 'test/scenarios/integrations/webhook-delivery.test.ts'
const reached =
  'an event reaches exactly the webhooks of its environment that list it, signed, with everything that is promised in its body'
const retries = 'test/scenarios/integrations/webhook-retries.test.ts'
const switchedOff =
  'after five failures the webhook is off, its owner was warned and told by mail, and what it missed can be recovered'
const verified = 'a receiver with %s takes what was really sent'

const webhook: Table = {
  title: 'Webhook',
  rows: [
    ...proven(creating, created, {
      'webhook.id': 'UUID',
      'webhook.events': 'event names',
      'webhook.secret': 'shown once, at creation; begins whsec_',
      'webhook.createdAt': 'in the answer of create',
      'webhook.created_at': 'in the list',
      'webhook.last_triggered_at': 'in the list',
      'webhook.camelCase': 'createdAt, lastTriggeredAt and disabledBecause beside the names in snake case',
    }),
    ...proven(creating, refusedUrl, { 'webhook.url': 'HTTPS required' }),
    ...proven(creating, leftOut, {
      'webhook.description': 'optional',
      'webhook.enabled': 'true unless given',
    }),
    ...proven(retries, switchedOff, { 'webhook.state': 'disabled after five failed attempts' }),
  ],
}

const delivery: Table = {
  title: 'Webhook delivery',
  rows: proven(
    deliveries,
    'a delivery is listed with every field, and with its next attempt only while one is planned',
    {
      'delivery.id': 'string',
      'delivery.eventType': 'string',
      'delivery.status': 'delivered or failed',
      'delivery.attempts': 'number',
      'delivery.responseStatus': 'status of the receiver',
      'delivery.lastAttemptAt': 'date-time',
      'delivery.nextRetryAt': 'only while a retry is planned',
      'delivery.createdAt': 'date-time',
    },
  ),
}

const endpoints: Table = {
  title: 'Webhooks: endpoints',
  rows: [
    ...proven(creating, created, {
      'endpoint.POST /api/v1/webhooks': 'creates one',
      'endpoint.GET /api/v1/webhooks/:id': 'one webhook',
    }),
    ...proven(creating, 'the list is paged, the newest first, and another tenant’s webhooks are not in it', {
      'endpoint.GET /api/v1/webhooks': 'all webhooks',
    }),
    ...proven(creating, '%j is %s: %s %s', {
      'webhooks.create.body.url': 'HTTPS, required',
      'webhooks.create.body.events': 'required',
    }),
    ...proven(creating, leftOut, {
      'webhooks.create.body.description': 'optional',
      'webhooks.create.body.enabled': 'true unless given',
    }),
    ...proven(changing, 'a part of a webhook changes, the rest stays, and the whole comes back', {
      'endpoint.PUT /api/v1/webhooks/:id': 'changes one, partial body accepted',
    }),
    ...proven(changing, 'deleted it is gone with what was queued, and deleted again it was never there', {
      'endpoint.DELETE /api/v1/webhooks/:id': '204',
    }),
    ...proven(changing, 'a new secret is returned this once, and the old one signs nothing any more', {
      'endpoint.POST /api/v1/webhooks/:id/rotate-secret': 'a new secret, shown once; the old one is dead',
    }),
    ...proven(
      deliveries,
      'deliveries are paged by limit and offset, the newest first, twenty unless asked otherwise',
      {
        'endpoint.GET /api/v1/webhooks/:id/deliveries': 'its deliveries',
        'webhooks.deliveries.query.limit': '20 unless given, 100 at most',
        'webhooks.deliveries.query.offset': '0 unless given',
      },
    ),
    ...proven(
      deliveries,
      'the filter by status counts and shows those alone, and a webhook shows no other’s deliveries',
      { 'webhooks.deliveries.query.status': 'one of ours: delivered or failed' },
    ),
    ...proven(`${folder}/test-webhook.test.ts`, tried, {
      'endpoint.POST /api/v1/webhooks/:id/test': 'the eighth operation, as we decided it',
    }),
    ...proven(deliveries, 'what is over is sent again in a new series, whether it was delivered or failed', {
      'endpoint.POST /api/v1/webhooks/:id/deliveries/:deliveryId/retry': 'sends an event again',
    }),
    ...proven(
      `${folder}/recover-events.test.ts`,
      'a recovery runs from the moment asked for until now, and is seen at the webhook',
      { 'endpoint.POST /api/v1/webhooks/:id/recover': 'delivers what was missed since a moment' },
    ),
    ...proven(
      `${folder}/list-event-types.test.ts`,
      'the catalogue has every event, each with the schema of its data and a whole body as example',
      { 'endpoint.GET /api/v1/webhooks/events': 'the events there are' },
    ),
    ...proven(
      `${folder}/list-events.test.ts`,
      'the events can be read page by page, and each is exactly what a webhook gets',
      { 'endpoint.GET /api/v1/events': 'the events themselves, with a cursor' },
    ),
  ],
}

const events: Table = {
  title: 'Events',
  rows: [
    ...proven(mail, firstEmailTest, {
      'event.invoice.created': 'invoice created or imported',
      'event.invoice.status_changed': 'status changed',
      'event.workflow.started': 'recovery started',
      'event.workflow.action_triggered': 'recovery action triggered',
      'event.debtor.contacted': 'debtor contacted',
    }),
    ...proven(
      'src/features/receivables/invoices/invoices.test.ts',
      'changes notes and metadata, emits an event without the text of the notes, and clears with null',
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
      'src/features/recovery/receipts/record-receipt.test.ts',
      'has an event when it is deposited and when it is signed, and the time to pay runs from there',
      {
        'event.lrar.sent': 'registered letter sent',
        'event.lrar.delivered': 'registered letter delivered',
      },
    ),
    ...proven(
      'test/scenarios/integrations/assistant/story.test.ts',
      'is told to webhooks with the action itself: cascade.action, with the conversation and what was done',
      { 'event.cascade.action': 'cascade action executed by the assistant' },
    ),
    ...proven(
      'src/features/recovery/workflow/escalate.test.ts',
      'the amicable stage of a debt of %i cents ends, with the possible route %s: everything stops, and it is told',
      { 'event.judicial.started': 'judicial procedure started' },
    ),
    ...proven(writeOff, givenUp, { 'event.anr.created': 'notice of non-recovery generated' }),
    ...proven(delivering, reached, {
      'event.body.event': 'the delivered body names the event',
      'event.body.data': 'and carries its data',
      'event.subscription': 'only the events a webhook lists',
    }),
  ],
}

const signature: Table = {
  title: 'Signature, delivery and retry',
  rows: [
    ...proven(`${folder}/verify.test.ts`, verified, {
      'signature.hmac': 'HMAC-SHA256 with the secret of the webhook',
      'signature.header': 'hex digest in X-Service-Signature',
    }),
    ...proven(
      delivering,
      'a delivery fails on silence of ten seconds and on 400 and above, and on nothing below',
      { 'retry.failed': 'a delivery fails on timeout or status 400 and above' },
    ),
    ...proven(
      retries,
      'a receiver that fails four times gets the event five times, each after the planned wait, and then once and for all',
      {
        'retry.attempt.1': 'at once',
        'retry.attempt.2': 'after 30 seconds',
        'retry.attempt.3': 'after 5 minutes',
        'retry.attempt.4': 'after 30 minutes',
        'retry.attempt.5': 'after 2 hours',
      },
    ),
    ...proven(retries, switchedOff, {
      'retry.disabled': 'after five the webhook is disabled',
      'retry.owner': 'and its owner is told by email',
    }),
  ],
}

const rights = 'test/scenarios/integrations/webhook-rights.test.ts'
const webhookRights: Table = {
  title: 'Webhooks: rights',
  rows: [
    ...proven(
      `${folder}/event-scopes.pure.test.ts`,
      'every event that can be subscribed to has the read scope that was decided for it',
      {
        'webhook.scope.invoice.*': 'invoices:read',
        'webhook.scope.payment.*, debt.paid': 'payments:read',
        'webhook.scope.workflow.*, cascade.action, judicial.*, anr.*': 'workflow:read',
        'webhook.scope.lrar.*, debtor.*': 'debtors:read',
      },
    ),
    ...proven(rights, 'every event needs its read scope, to make a webhook, to change it and to recover', {
      'webhook.scope':
        'AUTH_004 with requiredScopes for who may not read its events: a deviation by decision',
    }),
    ...proven(rights, 'every operation on a webhook, and the list, asks for the read scopes of its events', {
      'webhook.scope.operations': 'every operation on a webhook asks; the list leaves out the others',
    }),
    ...proven(
      `${folder}/settle-deliveries.test.ts`,
      'a redirect counts as delivered, and the owner is warned of it once a day',
      { 'webhook.redirect': 'counts as delivered, below 400; not followed, and the owners get a mail' },
    ),
    ...proven(
      rights,
      'a key that is deleted takes its webhooks along at once, and the owner is told by mail',
      { 'webhook.end': 'a webhook ends with the credential that saved it last' },
    ),
    ...proven(rights, 'when another key with its scopes has saved it since: that one has taken it over', {
      'webhook.take over': 'a PUT with another credential takes a webhook over',
    }),
  ],
}

export const webhooks: readonly Table[] = [webhook, webhookRights, delivery, endpoints, events, signature]
