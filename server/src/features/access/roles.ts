export const roles = ['owner', 'manager', 'agent', 'viewer', 'developer'] as const
export type Role = (typeof roles)[number]

const reading = [
  'invoices:read',
  'debtors:read',
  'payments:read',
  'workflow:read',
  'reports:read',
  'scoring:read',
] as const
const working = [
  ...reading,
  'invoices:write',
  'debtors:write',
  'payments:write',
  'workflow:trigger',
  'agent:chat',
  'notifications:send',
] as const
const managing = [...working, 'invoices:delete', 'lrar:send'] as const
const everything = [...managing, 'webhooks:manage'] as const

/** What a person in this role may do, by whatever application acts for them. */
const granted: Record<Role, readonly string[]> = {
  viewer: reading,
  agent: working,
  manager: managing,
  owner: everything,
  developer: [...reading, 'webhooks:manage'],
}

export const scopesOfRole = <Scope extends string>(role: Role, among: readonly Scope[]): Scope[] =>
  among.filter(scope => granted[role].includes(scope))
