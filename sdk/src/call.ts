import { RelanceError, refusalOf } from './error.ts'
import type { Warning } from './generated/types.ts'
import { List, type Page } from './list.ts'
import type { RelanceOptions, RequestOptions, Session } from './options.ts'
import { pause } from './pause.ts'

/** The data of an answer, with its status, headers and warnings. */
export interface ApiResponse<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | null
  /** Doubts about an input that was accepted. */
  readonly warnings: readonly Warning[]
  /** A note of the API about a secret that it shows only once. */
  readonly message: string | null
}

/** The data of an answer; `withResponse()` has the rest too. */
export interface ApiPromise<Data> extends Promise<Data> {
  withResponse(): Promise<ApiResponse<Data>>
}

/** A file to send. */
export type FileBody = Blob | ArrayBuffer | Uint8Array | string

/** The values of a query. Arrays are sent as comma-separated lists. */
export type Query = object

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Request {
  method: Method
  path: string
  options: RequestOptions | undefined
  query?: Query | undefined
  body?: string | FileBody | undefined
  contentType?: string | undefined
  accept?: string
  timeoutMs?: number | undefined
}

const repeatedStatuses = [423, 429, 502, 503, 504]
/** A longer wait throws instead: a daily quota, for example, ends at midnight. */
const longestWaitMs = 60_000

/** WH_001 is a 502 too, for a webhook that failed: a retry would send the test delivery again. */
const mayRepeat = ({ status, code, retryAfterMs }: RelanceError): boolean =>
  code === 'NO_ANSWER' ||
  code === 'TIMEOUT' ||
  (repeatedStatuses.includes(status) && code !== 'WH_001' && (retryAfterMs ?? 0) <= longestWaitMs)

/** The wait that the server asked for plus some jitter, so that clients do not retry all at once; else exponential backoff. */
const waitBefore = ({ retryAfterMs }: RelanceError, attempt: number): number =>
  retryAfterMs === null
    ? Math.min(8_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)
    : retryAfterMs * (1 + Math.random() / 10)

/** One part of a path. */
export function segment(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new TypeError(`an id is missing: ${JSON.stringify(value)}`)
  return encodeURIComponent(value)
}

const given = <Value>(value: Value | (() => Value | Promise<Value>)): Value | Promise<Value> =>
  typeof value === 'function' ? (value as () => Value | Promise<Value>)() : value

/** Sends requests with retries; every method of the resources uses it. */
export class Call {
  readonly #options: RelanceOptions

  get hasSession(): boolean {
    return this.#options.session !== undefined
  }

  constructor(options: RelanceOptions) {
    const { apiKey, accessToken, session, baseUrl } = options
    if ([apiKey, accessToken, session].filter(credential => credential !== undefined).length !== 1)
      throw new TypeError('Give one of apiKey, accessToken and session.')
    if (apiKey !== undefined && 'document' in globalThis)
      throw new TypeError(
        'An API key must not be used in a browser: everybody who opens the page could read it. Use an access token.',
      )
    if (session === undefined && !baseUrl) throw new TypeError('baseUrl is missing.')
    this.#options = options
  }

  /** An operation that answers with a record. */
  send<Data>(
    method: Method,
    path: string,
    options?: RequestOptions,
    body?: unknown,
    query?: Query,
    timeoutMs?: number,
  ): ApiPromise<Data> {
    const hasBody = body !== undefined
    return this.#promise({
      method,
      path,
      options,
      query,
      body: hasBody ? JSON.stringify(body) : undefined,
      contentType: hasBody ? 'application/json' : undefined,
      timeoutMs,
    })
  }

  /** An operation that takes a file as its body. */
  upload<Data>(
    path: string,
    options: RequestOptions | undefined,
    file: FileBody,
    query: Query | undefined,
    types: readonly string[],
    timeoutMs: number,
  ): ApiPromise<Data> {
    const type = (file instanceof Blob ? file.type : '').split(';', 1)[0]!
    const contentType = types.includes(type) ? type : 'application/octet-stream'
    return this.#promise({ method: 'POST', path, options, query, body: file, contentType, timeoutMs })
  }

  /** An operation that answers with a file. */
  file(path: string, options?: RequestOptions, query?: Query): ApiPromise<Blob> {
    return asPromise(
      this.request({ method: 'GET', path, options, query, accept: '*/*' }, async response => ({
        data: await response.blob(),
        ...aroundOf(response),
      })),
    )
  }

  /** An operation that answers page by page. */
  list<Item, Position>(path: string, options?: RequestOptions, query?: Query): List<Item, Position> {
    return new List(more =>
      this.request({ method: 'GET', path, options, query: { ...query, ...more } }, async response => {
        const { data, pagination } = (await parsed(response)) as Page<Item, Position>
        const { nextCursor } = pagination as { nextCursor?: string | null }
        return { data, pagination, nextCursor: nextCursor ?? null, ...aroundOf(response) }
      }),
    )
  }

  /** The answer as it comes, for an operation that sends events. */
  stream(method: Method, path: string, options?: RequestOptions, body?: unknown, timeoutMs?: number) {
    const hasBody = body !== undefined
    return this.request(
      {
        method,
        path,
        options,
        body: hasBody ? JSON.stringify(body) : undefined,
        contentType: hasBody ? 'application/json' : undefined,
        accept: 'text/event-stream',
        timeoutMs,
      },
      async response => response,
    )
  }

  #promise<Data>(request: Request): ApiPromise<Data> {
    return asPromise(
      this.request(request, async response => {
        const around = aroundOf(response)
        if (response.status === 204) return { data: undefined as Data, ...around }
        const { data, warnings, message, requestId } = (await parsed(response)) as Envelope<Data>
        return {
          data,
          ...around,
          warnings: warnings ?? [],
          message: message ?? null,
          requestId: requestId ?? around.requestId,
        }
      }),
    )
  }

  async request<Answer>(request: Request, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    const { method, options = {} } = request
    const url = this.#urlOf(request)
    // Made once, before the first attempt: to the server all attempts are the same request.
    const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const retriesMax = options.maxRetries ?? this.#options.maxRetries ?? 2
    for (let attempt = 0; ; attempt++) {
      options.signal?.throwIfAborted()
      try {
        return await this.#attempt(url, request, idempotencyKey, read)
      } catch (error) {
        if (!(error instanceof RelanceError) || attempt >= retriesMax || !mayRepeat(error)) throw error
        await pause(waitBefore(error, attempt), options.signal)
      }
    }
  }

  async #attempt<Answer>(
    url: string,
    request: Request,
    idempotencyKey: string | undefined,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const { method, body, options = {} } = request
    const { signal } = options
    const headers = await this.#headersOf(request, idempotencyKey)
    const timeoutMs = options.timeoutMs ?? request.timeoutMs ?? this.#options.timeoutMs ?? 30_000
    const ending = new AbortController()
    const abort = () => ending.abort()
    const timer = setTimeout(abort, timeoutMs)
    signal?.addEventListener('abort', abort)
    try {
      const ask = this.#options.fetch ?? globalThis.fetch
      const response = await ask(url, {
        method,
        headers,
        body: (body ?? null) as NonNullable<RequestInit['body']> | null,
        credentials: this.#options.session === undefined ? 'omit' : 'same-origin',
        // A redirect would send the credential to another host.
        redirect: 'manual',
        signal: ending.signal,
      })
      // The body is read here, so that a connection lost while reading is retried too.
      if (response.ok) return await read(response)
      throw refusalOf(response.status, response.headers, await response.text())
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof RelanceError) throw cause
      const isLate = ending.signal.aborted
      throw new RelanceError({
        status: 0,
        code: isLate ? 'TIMEOUT' : 'NO_ANSWER',
        message: isLate
          ? `${method} ${request.path} was not answered within ${timeoutMs} ms.`
          : `${method} ${request.path} was not answered: ${cause instanceof Error ? cause.message : cause}`,
        cause,
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  #urlOf({ path, query = {} }: Request): string {
    const { baseUrl = '', session } = this.#options
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) search.set(name, String(value))
    const prefix = session === undefined ? '' : '/console'
    const text = search.toString()
    return `${baseUrl.replace(/(?<!\/)\/+$/, '')}${prefix}${path}${text && `?${text}`}`
  }

  async #headersOf(
    { method, contentType, accept = 'application/json', options = {} }: Request,
    idempotencyKey: string | undefined,
  ): Promise<Record<string, string>> {
    const { apiKey, accessToken, session } = this.#options
    const person: Session | null = session === undefined ? null : await given(session)
    const company = options.companyId ?? this.#options.companyId ?? person?.companyId
    return {
      accept,
      ...(contentType && { 'content-type': contentType }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(company && { 'x-company-id': company }),
      ...(apiKey && { 'x-api-key': apiKey }),
      ...(accessToken && { authorization: `Bearer ${await given(accessToken)}` }),
      ...(person && { 'x-environment': person.environment }),
      ...(person && method !== 'GET' && { 'x-csrf-token': await given(person.csrf) }),
      ...options.headers,
    }
  }
}

interface Envelope<Data> {
  data: Data
  warnings?: readonly Warning[]
  message?: string
  requestId?: string
}

/** A proxy may answer 200 with a page of its own. */
async function parsed(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw refusalOf(response.status, response.headers, text)
  }
}

const aroundOf = ({ status, headers }: Response) => ({
  status,
  headers,
  requestId: headers.get('x-request-id'),
  warnings: [] as readonly Warning[],
  message: null as string | null,
})

function asPromise<Data>(answer: Promise<ApiResponse<Data>>): ApiPromise<Data> {
  const data = answer.then(response => response.data)
  return Object.assign(data, {
    withResponse() {
      // The caller handles the error of `answer`; `data` must not cause an unhandled rejection.
      data.catch(() => {})
      return answer
    },
  })
}
