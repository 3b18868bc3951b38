/** How a signed-in user calls the API: from a page of the same origin, with the session cookie. */
export interface Session {
  /** The token of the session that every change must carry, or a function that gives it; reads do not wait for it. */
  readonly csrf: string | (() => string | Promise<string>)
  readonly environment: 'production' | 'sandbox'
  readonly companyId: string
}

interface Settings {
  /** Which company, for an access token that has access to several. */
  companyId?: string | undefined
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** How often a request is retried that got no answer, or that the server asked to wait. 2 by default. */
  maxRetries?: number | undefined
  /** How long one attempt may take. 30 seconds by default, and longer for the few operations that take longer. */
  timeoutMs?: number | undefined
}

interface ByApiKey extends Settings {
  /** `fk_live_…` or `fk_test_…`. For servers only: anyone with the key can do everything it allows. */
  apiKey: string
  baseUrl: string
  accessToken?: undefined
  session?: undefined
}

interface ByAccessToken extends Settings {
  /** An access token, or a function that gives one; it is called before every attempt. */
  accessToken: string | (() => string | Promise<string>)
  baseUrl: string
  apiKey?: undefined
  session?: undefined
}

interface BySession extends Settings {
  /** The session of a person, or a function that gives it; it is called before every attempt. */
  session: Session | (() => Session | Promise<Session>)
  /** The page's own origin unless given. */
  baseUrl?: string | undefined
  apiKey?: undefined
  accessToken?: undefined
}

/** A client acts by one of three credentials. */
export type RelanceOptions = ByApiKey | ByAccessToken | BySession

/** Settings of one request; they win over those of the client. */
export interface RequestOptions {
  /** For POST. By default one is created for all attempts; give your own to be safe across processes. */
  idempotencyKey?: string | undefined
  companyId?: string | undefined
  signal?: AbortSignal | undefined
  maxRetries?: number | undefined
  timeoutMs?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
}
