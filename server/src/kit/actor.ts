import type { ActorRef, Origin } from './events.ts'

/** The scopes of credentials. The product declares its scopes by merging them into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the product
export interface Scopes {}
export type Scope = keyof Scopes & string

/** The roles of people in a company. The product declares its roles by merging them into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the product
export interface Roles {}
export type Role = keyof Roles & string

export type Environment = 'production' | 'sandbox'

/** Who acts, in which tenant. */
export interface Actor extends ActorRef {
  readonly tenantId: string
  readonly companyId: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  /** The role in the company of the person who acts, or for whom an application acts; keys have none. */
  readonly role?: Role
  /** When a person signed in; other actors have none. */
  readonly signedInAt?: number
  /** The conversation with the assistant in which it was decided; set by the HTTP layer for internal requests. */
  readonly conversationId?: string
  /** Where the request came from. Requests of one batch come from several places, so a batch has none. */
  readonly origin?: Origin
}

/** Who may use an operation. */
export interface Access {
  readonly scopes: readonly Scope[]
  /** Alternatives to `scopes`: a caller that has all of one of these may also use the operation. */
  readonly orScopes?: readonly (readonly Scope[])[]
  /**
   * The roles that may use it, where a scope is too wide. For a person in their own session it replaces the scopes. An
   * application that acts for a person needs the scopes too. It does not apply to keys.
   */
  readonly people?: readonly [Role, ...Role[]]
  /** A person in their own session must have signed in within the last ten minutes: the result may outlive the session. */
  readonly fresh?: true
  /**
   * The environment it exists in. For a production credential a sandbox operation is an unknown path; for a sandbox credential a
   * production operation is reserved (AUTH_007).
   */
  readonly environment?: Environment
}

/** The scopes an operation requires that the caller lacks; empty when the caller has all of one of `orScopes`. */
export const missingScopes = (
  { scopes, orScopes }: Pick<Access, 'scopes' | 'orScopes'>,
  granted: readonly Scope[],
): Scope[] =>
  orScopes?.some(set => set.every(scope => granted.includes(scope)))
    ? []
    : scopes.filter(scope => !granted.includes(scope))

/** The rights that an actor lacks for an operation: scopes, or one of its roles. Null: none. */
export function missingRights(
  access: Access,
  { kind, scopes, role }: Pick<Actor, 'kind' | 'scopes' | 'role'>,
): { readonly scopes: readonly Scope[] } | { readonly roles: readonly Role[] } | null {
  const { people } = access
  const isOtherRole = people !== undefined && (role === undefined || !people.includes(role))
  if (kind === 'person' && people) return isOtherRole ? { roles: people } : null
  const missing = missingScopes(access, scopes)
  if (missing.length > 0) return { scopes: missing }
  return role !== undefined && isOtherRole ? { roles: people } : null
}
