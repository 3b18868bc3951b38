import { z } from 'zod'
import type { Afterwards } from './afterwards.ts'
import type { Keyring } from './crypto.ts'
import type { Tx } from './db/transaction.ts'
import type { TenantClient } from './egress/egress.ts'
import type { ApiError, DeclaredError, ErrorCode } from './errors.ts'
import type { ActorRef } from './events.ts'

/** What a credential may be allowed. The product declares its scopes by merging them into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the product
export interface Scopes {}
export type Scope = keyof Scopes & string

export type Environment = 'production' | 'sandbox'

/** Who acts, in which tenant. */
export interface Actor extends ActorRef {
  readonly tenantId: string
  readonly companyId: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  /** The conversation with the assistant in which it was decided; said by the edge, for what is asked within the process. */
  readonly conversationId?: string
}

/** Everything an operation may know of the world. `now` is the tenant's time. */
export interface Call<Params, Query, Body> {
  readonly tx: Tx
  readonly actor: Actor
  readonly now: number
  readonly wall: number
  readonly requestId: string
  readonly newId: () => string
  readonly keyring: Keyring
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** The addresses customers gave us, and no other. */
export type Outside = Omit<TenantClient, 'close'>

/** How long a follow-up may take unless it says otherwise; whoever asks holds the line that long. */
export const followUpMostMs = 25_000

/** What calls something back outwaits those who use it meanwhile. */
export const withdrawalPatienceMs = 5_000

/** What requests of one transaction have in common. */
export type Shared = Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now' | 'wall' | 'newId'>

export interface Page<Item> {
  items: Item[]
  /** Where the next page starts, for the Link header. */
  nextCursor?: string | null
  pagination: PagePosition | OffsetPosition
}

/** How the deliveries of a webhook and the conversations with the assistant are paged. */
export interface OffsetPosition {
  totalIsExact?: false
  limit: number
  offset: number
  total: number
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

type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined

interface Declaration<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends z.ZodType,
  L extends boolean,
> {
  /** `noun.verb`; also the name of the CLI command and of the assistant's tool. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly scopes: readonly Scope[]
  /** Who has all of these may do it too, without the others. */
  readonly orScopes?: readonly Scope[]
  /**
   * Where it exists. To a production credential what belongs to the sandbox is an unknown path; to a sandbox credential what
   * belongs to production is reserved (AUTH_007).
   */
  readonly environment?: Environment
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly status: 200 | 201 | 202 | 204
  /** One record, or one item of a page when `list` is true. */
  readonly reply: R
  readonly list?: L
  /** Lists are paged by number unless the specification pages them by offset. */
  readonly paging?: 'offset'
  /** Answers with a file instead of a record, without the envelope: `reply` is then `fileReply`. Reading operations only. */
  readonly produces?: FileType
  readonly errors: readonly DeclaredError[]
  /** Fields whose mere presence is refused before anything else is judged. */
  readonly immutable?: ImmutableFields
  readonly bodyLimitBytes?: number
  /** On its way out: announced in every answer, and after `sunset` answered with SYS_003. */
  readonly retired?: Retirement
  /** A reading operation that asks what time it is in the tenant. */
  readonly usesNow?: true
  /** How long to try again, holding no connection, before somebody is told that what they want is locked (RES_004). */
  readonly patienceMs?: number
  /**
   * The answer carries a secret nobody can ask for again: these words go with it as `message`, and where a repeated request
   * would find the answer it is kept encrypted.
   */
  readonly shownOnce?: string
  /** Its answer may carry a secret: where a repeated request would find it, it is kept encrypted. */
  readonly keptSealed?: true
  /** How the assistant may use it: at once, only after the person agreed, or not at all. */
  readonly assistant: 'read' | 'confirm' | 'never'
  readonly example?: { readonly body?: unknown }
  /**
   * What has to be asked of the outside world before anything is opened: it may refuse, and its doubts go with the answer.
   * Not asked again when the answer of the first time is given once more.
   */
  ahead?(outside: Outside, input: { readonly body: Parsed<B> }): Promise<readonly Warning[]>
  /**
   * After the commit, holding no connection: waits for what was set off, and answers (or refuses) in place of the first
   * answer. That one has to be true by itself: it is the answer if nobody lives to give a better one.
   */
  followUp?(
    after: Afterwards,
    first: z.input<R>,
    asked: { readonly params: Parsed<P>; readonly body: Parsed<B>; readonly languages: string },
  ): Promise<z.input<R>>
  /** Longer than usual. */
  readonly followUpMs?: number
  /** Answers with events while it works, to a caller who accepts `text/event-stream`: what they are, by name. */
  readonly streams?: Readonly<Record<string, string>>
  /** Where the specification calls every fault of a body VAL_001, a missing field included. */
  readonly missingIs?: 'VAL_001'
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
> = Declaration<P, Q, B, R, L> &
  Work<
    (
      call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>,
    ) => Promise<L extends true ? Page<z.input<R>> : Answer<z.input<R>>>,
    (
      shared: Shared,
      items: readonly { readonly body: Parsed<B>; readonly requestId: string }[],
    ) => Promise<(Answer<z.input<R>> | ApiError)[]>
  >

export type FileType = 'application/pdf'

export interface FileReply {
  readonly bytes: Buffer
  /** What it is saved as; whatever a header or a file system might take amiss is replaced on the way out. */
  readonly fileName: string
}
export const fileReply = z.custom<FileReply>()

export interface Warning {
  readonly code: string
  readonly message: string
}

/** A plain record, or a record with a doubt to tell. */
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
  readonly orScopes?: readonly Scope[]
  readonly environment?: Environment
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly status: number
  readonly reply: z.ZodType
  readonly list?: boolean
  readonly paging?: 'offset'
  readonly produces?: FileType
  readonly errors: readonly { readonly code: ErrorCode }[]
  readonly immutable?: ImmutableFields
  readonly bodyLimitBytes?: number
  readonly retired?: Retirement
  readonly usesNow?: true
  readonly patienceMs?: number
  readonly shownOnce?: string
  readonly keptSealed?: true
  readonly assistant: 'read' | 'confirm' | 'never'
  readonly example?: { readonly body?: unknown }
  ahead?(outside: Outside, input: { readonly body: unknown }): Promise<readonly Warning[]>
  followUp?(
    after: Afterwards,
    first: unknown,
    asked: { readonly params: unknown; readonly body: unknown; readonly languages: string },
  ): Promise<unknown>
  readonly followUpMs?: number
  readonly streams?: Readonly<Record<string, string>>
  readonly missingIs?: 'VAL_001'
}

/** The declaration with its types forgotten, as the edge and the guards see it. */
export type Operation = Declared &
  Work<
    (call: Call<unknown, unknown, unknown>) => Promise<unknown>,
    (
      shared: Shared,
      items: readonly { readonly body: unknown; readonly requestId: string }[],
    ) => Promise<unknown[]>
  >

/** The scopes an operation asks for that a caller does not have; none where the caller has those that do instead. */
export const scopesLacking = (
  { scopes, orScopes }: Pick<Operation, 'scopes' | 'orScopes'>,
  has: readonly Scope[],
): Scope[] =>
  orScopes?.every(scope => has.includes(scope)) ? [] : scopes.filter(scope => !has.includes(scope))

/** Declared once; from it come the route, the validation, the envelope, the documentation, the client and the guard tests. */
export function operation<
  R extends z.ZodType,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  L extends boolean = false,
>(spec: OperationSpec<P, Q, B, R, L>): Operation {
  return spec as unknown as Operation
}
