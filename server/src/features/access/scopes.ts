import type { Scope } from '../../kit/actor.ts'

/** What each scope grants: the fifteen of the specification as it describes them, then ours. */
export const scopeMeanings = {
  'invoices:read': 'Read invoices and statuses',
  'invoices:write': 'Create and update invoices',
  'invoices:delete': 'Delete invoices before their workflow is launched',
  'debtors:read': 'Read debtors',
  'debtors:write': 'Create and update debtors',
  'payments:read': 'Read payments',
  'payments:write': 'Manage payments',
  'workflow:read': 'Read workflow status and history',
  'workflow:trigger': 'Start, pause, resume, cancel, escalate',
  'webhooks:manage': 'Manage webhooks, API keys, OAuth clients and members',
  'reports:read': 'Statistics and reports',
  'agent:chat': 'Use the assistant',
  'lrar:send': 'Trigger registered letters',
  'notifications:send': 'Send email and SMS notifications',
  'scoring:read': 'Read solvency scores',
  'company:manage': 'Change how the company is set: settings, logo, cascades, and whether it sends at all',
  'texts:manage': 'Change the texts that debtors read',
} as const

declare module '../../kit/actor.ts' {
  interface Scopes extends Record<keyof typeof scopeMeanings, true> {}
}

export const scopes = Object.keys(scopeMeanings) as [Scope, ...Scope[]]
