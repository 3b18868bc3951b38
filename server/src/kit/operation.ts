import { z } from 'zod'
import type { Actor } from './actor.ts'
import type { AfterCommit } from './after-commit.ts'
import type { Keyring } from './crypto.ts'
import type { Tx } from './db/transaction.ts'
import type { TenantClient } from './egress/egress.ts'
import type { Endpoint, Shape } from './endpoint.ts'
import type { ApiError, DeclaredError } from './errors.ts'
import type { AuditEventType } from './events.ts'
import type { Page } from './page.ts'

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
  /** A model makes this call through a tool, so the provider of the model reads the answer. */
  readonly isToolCall?: true
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** The part of a call that the requests of one batch share: one transaction and one actor. */
export type BatchContext = Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now' | 'wall' | 'newId'>

/**
 * A body that is a file: it is stored part by part as it arrives, before the transaction, so that no whole file is held in
 * memory. The operation gets a `StoredUpload` as its body. A file whose request is refused or breaks off is discarded; if the
 * process dies before that, it is left to housekeeping.
 */
export interface Upload {
  /** Accepted media types. The bytes decide what kind of file it is. */
  readonly types: readonly string[]
  readonly maxBytes: number
  /** Makes the file before the body is read, or refuses a body of the announced length. */
  create(tx: Tx, id: string, wall: number, announcedBytes: number): Promise<void>
  write(tx: Tx, id: string, part: number, bytes: Buffer): Promise<void>
  /** Deletes the file, unless the operation has used it. */
  discard(tx: Tx, id: string): void
}

export interface StoredUpload {
  readonly id: string
  readonly bytes: number
  readonly sha256: string
}

/** Error messages for a body, where the usual ones do not fit. */
export interface BodyFaults {
  /** Set if the specification uses VAL_001 for every fault of a body, including a missing field. */
  readonly missingIs?: 'VAL_001'
  /** Fields that callers expect here but that belong elsewhere, with what to do instead; it follows the name of the field. */
  readonly unknown?: Readonly<Record<string, string>>
  /** A body with one of these fields is refused before anything else is validated. */
  readonly immutable?: ImmutableFields
}

export interface ImmutableFields {
  readonly fields: readonly string[]
  /** The text after the list of field names, and the text for each field. */
  readonly because: { readonly sentence: string; readonly field: string }
}

type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type ParsedBody<S extends Shape, U extends Upload | undefined> = U extends Upload ? StoredUpload : Parsed<S>

/**
 * Runs after the commit, without holding a connection. It waits for the work that was started, and its reply (or error) replaces
 * the initial reply. The initial reply must be correct by itself: it is final if the process dies here.
 */
interface FollowUp<P extends Shape, B extends Shape, R extends z.ZodType> {
  /** How long it may take, if not `followUpMaxMs`. */
  readonly maxMs?: number
  /** The events it sends, with a description each, to a caller that accepts `text/event-stream`. */
  readonly events?: Readonly<Record<string, string>>
  run(
    after: AfterCommit,
    initialReply: z.input<R>,
    input: { readonly params: Parsed<P>; readonly body: Parsed<B>; readonly languages: string },
  ): Promise<Answer<z.input<R>>>
}

/** How long a follow-up may take unless the operation declares another time; the caller's connection stays open that long. */
export const followUpMaxMs = 25_000

/** How long an operation that revokes something waits for requests that still use it. */
export const withdrawalLockRetryMs = 5_000

interface Declaration<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends z.ZodType,
  L extends boolean,
  U extends Upload | undefined,
> extends Endpoint<P, Q, B> {
  /** Takes a file instead of `body`. */
  readonly upload?: U
  readonly bodyLimitBytes?: number
  readonly bodyFaults?: BodyFaults
  readonly status: 200 | 201 | 202 | 204
  /** One record, or one item of a page when `list` is true. With `pdfReply` it answers with a file; reading operations only. */
  readonly reply: R
  readonly list?: L
  /** Lists are paged by number unless the specification pages them by offset; a feed has a cursor only, and no end. */
  readonly paging?: 'offset' | 'feed'
  readonly errors: readonly Pick<DeclaredError, 'code' | 'fault'>[]
  /** A GET operation that needs tenant time. `after-reading`: it uses `now` after its first read, which returns the offset. */
  readonly usesNow?: true | 'after-reading'
  /** How long a locked resource is retried, without holding a connection, before RES_004 is answered. */
  readonly lockRetryMs?: number
  /**
   * The reply contains a secret: it is encrypted when it is stored for an idempotency key. `shownOnce`: it cannot be read again;
   * this text is sent as `message`.
   */
  readonly secret?: { readonly shownOnce?: string }
  /** How the assistant may use it: at once, only after the person agreed, or not at all. */
  readonly assistant: 'read' | 'confirm' | 'never'
  /** The audit events it writes, at least one of these; or why it writes none. Required for every method except GET. */
  readonly audit?: readonly AuditEventType[] | `none: ${string}`
  readonly example?: { readonly body?: unknown }
  /**
   * Runs before the transaction is opened and may call external services. It may refuse the request; its warnings are sent with
   * the reply. It does not run when a stored reply is replayed.
   */
  beforeTransaction?(
    external: ExternalServices,
    input: { readonly body: Parsed<B> },
  ): Promise<readonly Warning[]>
  readonly followUp?: FollowUp<P, B, R>
  /**
   * How a request with `dryRun: true` in its body is answered. `perform` does everything that the operation does, so that the
   * result can be read; it is rolled back afterwards. Such a request stores no answer for an idempotency key.
   */
  rehearse?(
    call: Call<Parsed<P>, Parsed<Q>, ParsedBody<B, U>>,
    perform: () => Promise<Answer<z.input<R>>>,
  ): Promise<Answer<z.input<R>>>
}

/** The work of an operation: for one request, or for several at once. */
type Work<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends z.ZodType,
  L extends boolean,
  U extends Upload | undefined,
> =
  | {
      run(
        call: Call<Parsed<P>, Parsed<Q>, ParsedBody<B, U>>,
      ): Promise<L extends true ? Page<z.input<R>> : Answer<z.input<R>>>
      readonly runMany?: never
    }
  /**
   * Several requests of one client in one transaction; each gets its own answer or refusal. Concurrent requests are batched, and
   * a single request is a list of one.
   */
  | {
      runMany(
        context: BatchContext,
        items: readonly { readonly body: Parsed<B>; readonly requestId: string }[],
      ): Promise<(Answer<z.input<R>> | ApiError)[]>
      readonly run?: never
    }

/** Any operation, as the HTTP layer and the guard tests use it. */
export type Operation = Declaration<Shape, Shape, Shape, z.ZodType, boolean, Upload | undefined> &
  Work<Shape, Shape, Shape, z.ZodType, boolean, Upload | undefined>

/** Declared once; from it come the route, the validation, the envelope, the documentation, the client and the guard tests. */
export const operation = <
  R extends z.ZodType,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  L extends boolean = false,
  U extends Upload | undefined = undefined,
>(
  declared: Declaration<P, Q, B, R, L, U> & Work<P, Q, B, R, L, U>,
): Operation => declared

/** The HTTP client for URLs that customers gave us; it reaches public addresses only. */
export type ExternalServices = Omit<TenantClient, 'close'>

export interface FileReply {
  readonly bytes: Buffer
  /** The file name; characters that are unsafe in a header or a file system are replaced when it is sent. */
  readonly fileName: string
}

/** The reply of an operation that answers with a PDF, without the envelope. */
export const pdfReply = z.custom<FileReply>()

/** The media type of the file that an operation answers with; null if it answers with records. */
export const fileTypeOf = ({ reply }: Pick<Operation, 'reply'>): 'application/pdf' | null =>
  reply === pdfReply ? 'application/pdf' : null

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
