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
  /**
   * The role in the company of the person who acts, or for whom an application acts. For a key, or an application that acts for
   * itself: the role that its maker had when it was made; none if the operator made it.
   */
  readonly role?: Role
  /** When the person signed in who acts, or who allowed an application to act for them; other actors have none. */
  readonly signedInAt?: number
  /** The conversation with the assistant in which it was decided; set by the HTTP layer for internal requests. */
  readonly conversationId?: string
  /** Where the request came from. Requests of one batch come from several places, so a batch has none. */
  readonly origin?: Origin
}

/** Rules beside the scopes. */
interface Restrictions {
  /** The roles that may use it, where a scope is too wide. An actor without a role was made by the operator and may use it. */
  readonly roles?: readonly [Role, ...Role[]]
  /** The person must have signed in within the last ten minutes: the result may outlive the session or the consent. */
  readonly fresh?: true
  /** Only for a person in their own session: for no key, no application and no assistant. */
  readonly ownSession?: true
}

/** Who may use an operation; `mayDo` answers. */
export interface Access extends Restrictions {
  readonly scopes: readonly Scope[]
  /** Alternatives to `scopes`: a caller that has all of one of these may also use the operation. */
  readonly orScopes?: readonly (readonly Scope[])[]
  /** What applies in production besides. */
  readonly inProduction?: Restrictions
  /**
   * The environment it exists in. For a production credential a sandbox operation is an unknown path; for a sandbox credential a
   * production operation is reserved (AUTH_007).
   */
  readonly environment?: Environment
}
