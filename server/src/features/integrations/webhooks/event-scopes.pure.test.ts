import { expect, it } from 'vitest'
import { events } from './event-catalogue.ts'
import { readScopeOf } from './event-scopes.ts'
import { scopesNeededFor } from './webhook-maker.ts'

/** As decided; written here once more, so that the map does not change by accident. */
const decided = {
  'invoices:read': ['invoice.created', 'invoice.updated', 'invoice.status_changed'],
  'payments:read': ['payment.received', 'payment.failed', 'debt.paid'],
  'workflow:read': [
    'workflow.started',
    'workflow.action_triggered',
    'workflow.completed',
    'cascade.action',
    'judicial.started',
    'anr.created',
    'workflow.paused',
    'promise.recorded',
    'promise.broken',
    'dispute.opened',
    'dispute.resolved',
    'decision.due',
    'limitation.approaching',
    'task.finished',
    'task.failed',
  ],
  'debtors:read': [
    'lrar.sent',
    'lrar.delivered',
    'debtor.contacted',
    'debtor.opted_out',
    'debtor.wrong_person',
    'debtor.request_due',
    'message.bounced',
    'reply.received',
    'reply.closed',
    'situation.reported',
    'situation.decided',
    'insolvency.declaration_due',
  ],
}

it('every event that can be subscribed to has the read scope that was decided for it', () => {
  for (const [scope, types] of Object.entries(decided))
    for (const type of types) expect([type, readScopeOf(type)]).toEqual([type, scope])
  const known = Object.values(decided).flat()
  for (const { type } of events) expect(known).toContain(type)
})

it('an event without a read scope is a fault of the program', () => {
  expect(() => readScopeOf('secret.leaked')).toThrow('secret.leaked')
})

it('a webhook needs the right to have one and each scope once', () => {
  expect(scopesNeededFor(['debt.paid', 'payment.received', 'lrar.sent']).sort()).toEqual([
    'debtors:read',
    'payments:read',
    'webhooks:manage',
  ])
})
