export const roles = ['owner', 'manager', 'agent', 'viewer', 'developer'] as const
export type Role = (typeof roles)[number]

declare module '../../kit/actor.ts' {
  interface Roles extends Record<(typeof roles)[number], true> {}
}

const readScopes = [
  'invoices:read',
  'debtors:read',
  'payments:read',
  'workflow:read',
  'reports:read',
  'scoring:read',
] as const
const agentScopes = [
  ...readScopes,
  'invoices:write',
  'debtors:write',
  'payments:write',
  'workflow:trigger',
  'agent:chat',
  'notifications:send',
] as const
const managerScopes = [
  ...agentScopes,
  'invoices:delete',
  'lrar:send',
  'company:manage',
  'texts:manage',
] as const
const ownerScopes = [...managerScopes, 'webhooks:manage'] as const

/** The scopes of a person in this role, also when an application acts for them. */
const scopesByRole: Record<Role, readonly string[]> = {
  viewer: readScopes,
  agent: agentScopes,
  manager: managerScopes,
  owner: ownerScopes,
  developer: [...readScopes, 'webhooks:manage'],
}

export const scopesOfRole = <Scope extends string>(role: Role, among: readonly Scope[]): Scope[] =>
  among.filter(scope => scopesByRole[role].includes(scope))

/** The roles that have all of these scopes. */
export const rolesWith = (scopes: readonly string[]): Role[] =>
  roles.filter(role => scopesOfRole(role, scopes).length === scopes.length)
