import { z } from 'zod'
import type { AfterCommit } from './after-commit.ts'
import type { Keyring } from './crypto.ts'
import type { Tx } from './db/transaction.ts'
import type { TenantClient } from './egress/egress.ts'
import type { ApiError, DeclaredError, ErrorCode } from './errors.ts'
import type { ActorRef, AuditEventType, Origin } from './events.ts'

/** What a credential may be allowed. The product declares its scopes by merging them into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the product
export interface Scopes {}
export type Scope = keyof Scopes & string

/** What people may be in a company. The product declares its roles by merging them into this interface. */
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

/** Everything an operation gets. `now` is tenant time, `wall` is real time. */
export interface Call<Params, Query, Body> {
  readonly tx: Tx
  readonly actor: Actor
  readonly now: number
  readonly wall: number
  readonly requestId: string
  readonly newId: () => string
  readonly keyring: Keyring
  /** The public base URL, for links in answers. No slash at the end. */
  readonly publicUrl: string
  /** A model asked by a tool: what it is answered, its provider reads. */
  readonly isToolCall?: true
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** The HTTP client for URLs that customers gave us; it reaches public addresses only. */
export type ExternalServices = Omit<TenantClient, 'close'>

/** How long a follow-up may take unless the operation says otherwise; the caller's connection stays open that long. */
export const followUpMaxMs = 25_000

/** How long an operation that revokes something waits for requests that still use it. */
export const withdrawalLockRetryMs = 5_000

/** What the requests of one batch share: one transaction and one actor. */
export type BatchContext = Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now' | 'wall' | 'newId'>

export interface Page<Item> {
  items: Item[]
  /** Where the next page starts; sent in the body and in the Link header. Lists paged by offset have none. */
  nextCursor?: string | null
  pagination: PagePosition | OffsetPosition | FeedPosition
}

/** How the deliveries of a webhook and the conversations with the assistant are paged. */
export interface OffsetPosition {
  totalIsExact?: false
  limit: number
  offset: number
  total: number
}

/** How a feed is read: `nextCursor` is always there, also when nothing more has happened yet. */
export interface FeedPosition {
  limit: number
  hasNext: boolean
}

interface PagePosition {
  totalIsExact?: false
  page: number
  limit: number
  total: number
  totalPages: number
  hasNext: boolean
  hasPrev: boolean
}

export const pagination = ({ page: number, limit }: { page: number; limit: number }, total: number) => ({
  page: number,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  hasNext: number * limit < total,
  hasPrev: number > 1,
})

export interface Retirement {
  /** When it was announced and when it ends, at least twelve months later; epoch milliseconds. */
  readonly deprecatedAt: number
  readonly sunsetAt: number
  readonly successor: `/${string}`
}

export interface ImmutableFields {
  readonly fields: readonly string[]
  /** Said after the names of the fields, and beside each of them. */
  readonly because: { readonly sentence: string; readonly field: string }
}

/**
 * A body that is a file: it is stored part by part as it arrives, before the transaction, so that nobody holds a whole file in
 * memory. The operation gets a `StoredUpload` as its body. A file whose request is then refused is left to housekeeping.
 */
export interface Upload {
  /** Media types that are taken. What the file is, its bytes tell. */
  readonly types: readonly string[]
  readonly maxBytes: number
  create(tx: Tx, id: string, wall: number): void
  write(tx: Tx, id: string, part: number, bytes: Buffer): void
}

export interface StoredUpload {
  readonly id: string
  readonly bytes: number
  readonly sha256: string
}

export type Audit = readonly AuditEventType[] | `none: ${string}`

type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type ParsedBody<S extends Shape, U extends Upload | undefined> = U extends Upload ? StoredUpload : Parsed<S>

interface Declaration<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends z.ZodType,
  L extends boolean,
  U extends Upload | undefined,
> {
  /** `noun.verb`; also the name of the CLI command and of the assistant's tool. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly scopes: readonly Scope[]
  /** Alternatives to `scopes`: a caller that has all of one of these may also use the operation. */
  readonly orScopes?: readonly (readonly Scope[])[]
  /**
   * The roles it is for, where a scope is too wide. It decides for a person in their own session, instead of the scopes. An
   * application that acts for a person needs the scopes too. Keys are not judged by it.
   */
  readonly people?: readonly [Role, ...Role[]]
  /** A person in their own session must have signed in within the last ten minutes: what it makes may outlive the session. */
  readonly fresh?: true
  /**
   * Where it exists. To a production credential what belongs to the sandbox is an unknown path; to a sandbox credential what
   * belongs to production is reserved (AUTH_007).
   */
  readonly environment?: Environment
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** Takes a file instead of `body`. */
  readonly upload?: U
  readonly status: 200 | 201 | 202 | 204
  /** One record, or one item of a page when `list` is true. */
  readonly reply: R
  readonly list?: L
  /** Lists are paged by number unless the specification pages them by offset; a feed has a cursor only, and no end. */
  readonly paging?: 'offset' | 'feed'
  /** Answers with a file instead of a record, without the envelope: `reply` is then `fileReply`. Reading operations only. */
  readonly produces?: FileType
  readonly errors: readonly DeclaredError[]
  /** A body with one of these fields is refused before anything else is validated. */
  readonly immutable?: ImmutableFields
  readonly bodyLimitBytes?: number
  /** Deprecated: announced in every response, and answered with SYS_003 after `sunsetAt`. */
  readonly retired?: Retirement
  /** A GET operation that needs tenant time. Where the first read is awaited before `now` is looked at, it needs no read of its own. */
  readonly usesNow?: true | 'after-reading'
  /** How long a locked resource is retried, without holding a connection, before RES_004 is answered. */
  readonly lockRetryMs?: number
  /**
   * The reply contains a secret that cannot be read again. This text is sent as `message`, and the reply is stored encrypted
   * when it is stored for an idempotency key.
   */
  readonly shownOnce?: string
  /** The reply may contain a secret: when it is stored for an idempotency key, it is stored encrypted. */
  readonly storedSealed?: true
  /** How the assistant may use it: at once, only after the person agreed, or not at all. */
  readonly assistant: 'read' | 'confirm' | 'never'
  /** What it writes to the audit log, at least one of these; or why it writes nothing. Required of every method but GET. */
  readonly audit?: Audit
  readonly example?: { readonly body?: unknown }
  /**
   * Runs before the transaction is opened and may call external services. It may refuse the request; its warnings are sent with
   * the reply. It does not run when a stored reply is replayed.
   */
  beforeTransaction?(
    external: ExternalServices,
    input: { readonly body: Parsed<B> },
  ): Promise<readonly Warning[]>
  /**
   * Runs after the commit, without holding a connection. It waits for what was started, and its reply (or error) replaces the
   * initial reply. The initial reply must be correct by itself: it is the one that counts if the process dies here.
   */
  followUp?(
    after: AfterCommit,
    initialReply: z.input<R>,
    input: { readonly params: Parsed<P>; readonly body: Parsed<B>; readonly languages: string },
  ): Promise<Answer<z.input<R>>>
  /**
   * How a request with `dryRun: true` in its body is answered. `perform` does all that the operation does, so that it can be
   * looked at; it is undone afterwards. Such a request stores no answer for an idempotency key.
   */
  rehearse?(
    call: Call<Parsed<P>, Parsed<Q>, ParsedBody<B, U>>,
    perform: () => Promise<Answer<z.input<R>>>,
  ): Promise<Answer<z.input<R>>>
  /** Longer than usual. */
  readonly followUpMs?: number
  /** The events it sends, with a description each, to a caller that accepts `text/event-stream`. */
  readonly streams?: Readonly<Record<string, string>>
  /** Where the specification calls every fault of a body VAL_001, a missing field included. */
  readonly missingIs?: 'VAL_001'
  /** Fields that callers expect here and that are elsewhere, with what to do instead; said after the name of the field. */
  readonly unknownFields?: Readonly<Record<string, string>>
}

/** What an operation does: for one request, or for several at once. */
type Work<Run, RunMany> =
  | { readonly run: Run; readonly runMany?: never }
  /**
   * Several requests of one client in one transaction, judged one by one: an answer or a refusal each. Concurrent requests
   * are done together, and a single one is a list of one.
   */
  | { readonly runMany: RunMany; readonly run?: never }

export type OperationSpec<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends z.ZodType,
  L extends boolean,
  U extends Upload | undefined,
> = Declaration<P, Q, B, R, L, U> &
  Work<
    (
      call: Call<Parsed<P>, Parsed<Q>, ParsedBody<B, U>>,
    ) => Promise<L extends true ? Page<z.input<R>> : Answer<z.input<R>>>,
    (
      context: BatchContext,
      items: readonly { readonly body: Parsed<B>; readonly requestId: string }[],
    ) => Promise<(Answer<z.input<R>> | ApiError)[]>
  >

export type FileType = 'application/pdf'

export interface FileReply {
  readonly bytes: Buffer
  /** The file name; characters that are unsafe in a header or a file system are replaced when it is sent. */
  readonly fileName: string
}
export const fileReply = z.custom<FileReply>()

export interface Warning {
  readonly code: string
  readonly message: string
}

/** A plain record, or a record with warnings. */
export type Answer<Record> = Record | WithWarnings<Record>

export class WithWarnings<Record> {
  readonly data: Record
  readonly warnings: readonly Warning[]
  constructor(data: Record, warnings: readonly Warning[]) {
    this.data = data
    this.warnings = warnings
  }
}

interface Declared {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly scopes: readonly Scope[]
  readonly orScopes?: readonly (readonly Scope[])[]
  readonly people?: readonly [Role, ...Role[]]
  readonly fresh?: true
  readonly environment?: Environment
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly upload?: Upload
  readonly status: number
  readonly reply: z.ZodType
  readonly list?: boolean
  readonly paging?: 'offset' | 'feed'
  readonly produces?: FileType
  readonly errors: readonly { readonly code: ErrorCode }[]
  readonly immutable?: ImmutableFields
  readonly bodyLimitBytes?: number
  readonly retired?: Retirement
  readonly usesNow?: true | 'after-reading'
  readonly lockRetryMs?: number
  readonly shownOnce?: string
  readonly storedSealed?: true
  readonly assistant: 'read' | 'confirm' | 'never'
  readonly audit?: Audit
  readonly example?: { readonly body?: unknown }
  beforeTransaction?(
    external: ExternalServices,
    input: { readonly body: unknown },
  ): Promise<readonly Warning[]>
  followUp?(
    after: AfterCommit,
    initialReply: unknown,
    input: { readonly params: unknown; readonly body: unknown; readonly languages: string },
  ): Promise<unknown>
  rehearse?(call: Call<unknown, unknown, unknown>, perform: () => Promise<unknown>): Promise<unknown>
  readonly followUpMs?: number
  readonly streams?: Readonly<Record<string, string>>
  readonly missingIs?: 'VAL_001'
  readonly unknownFields?: Readonly<Record<string, string>>
}

/** The declaration without its type parameters, as the HTTP layer and the guard tests use it. */
export type Operation = Declared &
  Work<
    (call: Call<unknown, unknown, unknown>) => Promise<unknown>,
    (
      context: BatchContext,
      items: readonly { readonly body: unknown; readonly requestId: string }[],
    ) => Promise<unknown[]>
  >

/** The scopes an operation requires that the caller lacks; empty when the caller has all of one of `orScopes`. */
export const missingScopes = (
  { scopes, orScopes }: Pick<Operation, 'scopes' | 'orScopes'>,
  granted: readonly Scope[],
): Scope[] =>
  orScopes?.some(set => set.every(scope => granted.includes(scope)))
    ? []
    : scopes.filter(scope => !granted.includes(scope))

/** What an actor lacks for an operation: scopes, or one of the roles it is for. Null: nothing. */
export function lackOf(
  operation: Pick<Operation, 'scopes' | 'orScopes' | 'people'>,
  { kind, scopes, role }: Pick<Actor, 'kind' | 'scopes' | 'role'>,
): { readonly scopes: readonly Scope[] } | { readonly roles: readonly Role[] } | null {
  const { people } = operation
  const isOtherRole = people !== undefined && (role === undefined || !people.includes(role))
  if (kind === 'person' && people) return isOtherRole ? { roles: people } : null
  const missing = missingScopes(operation, scopes)
  if (missing.length > 0) return { scopes: missing }
  return role !== undefined && isOtherRole ? { roles: people } : null
}

/** Declared once; from it come the route, the validation, the envelope, the documentation, the client and the guard tests. */
export function operation<
  R extends z.ZodType,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  L extends boolean = false,
  U extends Upload | undefined = undefined,
>(spec: OperationSpec<P, Q, B, R, L, U>): Operation {
  return spec as unknown as Operation
}
