import type { Scope } from '../../../kit/actor.ts'

/** The scope with which the API returns the same data, by the first word of the event's name. */
const readScopes: Readonly<Record<string, Scope>> = {
  invoice: 'invoices:read',
  payment: 'payments:read',
  debt: 'payments:read',
  workflow: 'workflow:read',
  cascade: 'workflow:read',
  judicial: 'workflow:read',
  anr: 'workflow:read',
  promise: 'workflow:read',
  dispute: 'workflow:read',
  decision: 'workflow:read',
  limitation: 'workflow:read',
  task: 'workflow:read',
  lrar: 'debtors:read',
  debtor: 'debtors:read',
  message: 'debtors:read',
  reply: 'debtors:read',
  situation: 'debtors:read',
  insolvency: 'debtors:read',
}

/** The read scope that a webhook needs for an event, in addition to `webhooks:manage`. */
export function readScopeOf(eventType: string): Scope {
  const scope = readScopes[eventType.split('.')[0]!]
  if (!scope) throw new Error(`no read scope is known for the event ${eventType}`)
  return scope
}
