import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Relance } from '../index.ts'
import { AuthError, UsageError } from './errors.ts'

export type Environment = 'sandbox' | 'production'

/** The stored credential: an API key, or the tokens of a user. */
export interface Login {
  baseUrl: string
  companyId?: string | undefined
  apiKey?: string
  accessToken?: string
  refreshToken?: string
  /** When the access token expires, in milliseconds. */
  expiresAt?: number
}

interface Stored {
  sandbox?: Login
  production?: Login
  webhookSecret?: string
}

/** The server and the credential from the command line. */
export interface Connection {
  baseUrl?: string | undefined
  apiKey?: string | undefined
  companyId?: string | undefined
  isProduction: boolean
}

/** The built-in public clients of the server, which cannot keep a secret. */
export const clientIds: Record<Environment, string> = {
  sandbox: 'oc_relance_cli_in_sandbox',
  production: 'oc_relance_cli_production',
}

export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version

const { env } = process
export const file = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'relance', 'credentials.json')

function read(): Stored {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON; delete it and sign in again with \`relance login\`.`)
  }
}

/** Written to a temporary file and renamed, so that other processes never read half a file; readable by its owner only. */
function change(edit: (stored: Stored) => void): void {
  const stored = read()
  edit(stored)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${process.pid}`
  writeFileSync(part, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  chmodSync(part, 0o600)
  renameSync(part, file)
}

export const loginOf = (environment: Environment): Login | undefined => read()[environment]

export const saveLogin = (environment: Environment, login: Login): void => {
  change(stored => {
    stored[environment] = login
  })
}

export const forgetLogin = (environment: Environment): void => {
  change(stored => {
    delete stored[environment]
  })
}

/** Created once per computer, so that a receiver is configured only once. */
export function webhookSecret(): string {
  const { webhookSecret: known } = read()
  if (known) return known
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  change(stored => {
    stored.webhookSecret = secret
  })
  return secret
}

export const environmentOf = (apiKey: string): Environment =>
  apiKey.startsWith('fk_live_') ? 'production' : 'sandbox'

export const plainUrl = (url: string): string => {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`${JSON.stringify(url)} is not an address; it begins with https://.`)
  return url.replace(/(?<!\/)\/+$/, '')
}

const baseUrlOf = ({ baseUrl }: Connection): string | undefined => {
  const given = baseUrl ?? env.BASE_URL
  return given ? plainUrl(given) : undefined
}

export function requireBaseUrl(connection: Connection): string {
  const baseUrl = baseUrlOf(connection) ?? loginOf('sandbox')?.baseUrl ?? loginOf('production')?.baseUrl
  if (!baseUrl)
    throw new UsageError('The address of the server is missing; give --base-url, or set BASE_URL.')
  return baseUrl
}

export interface TokenAnswer {
  access_token: string
  refresh_token: string
  expires_in: number
}

/** Calls the token endpoint; throws an AuthError if it refuses. */
export async function askForToken(url: string, form: Record<string, string>): Promise<TokenAnswer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'error' })
  const answer = (await response.json()) as TokenAnswer & { error?: string; error_description?: string }
  if (!response.ok)
    throw new AuthError(
      `${answer.error_description ?? answer.error ?? `The server answered ${response.status}.`}`,
    )
  return answer
}

export const asLogin = (login: Login, answer: TokenAnswer): Login => ({
  ...login,
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  expiresAt: Date.now() + answer.expires_in * 1000,
})

/** The access token of a login. One that ends within a minute is renewed and stored first. */
async function freshToken(environment: Environment): Promise<string> {
  const login = loginOf(environment)
  if (!login?.refreshToken) throw new AuthError('You have signed out meanwhile; run `relance login`.')
  if (login.expiresAt! - Date.now() > 60_000) return login.accessToken!
  try {
    const answer = await askForToken(`${login.baseUrl}/api/oauth/token`, {
      grant_type: 'refresh_token',
      client_id: clientIds[environment],
      refresh_token: login.refreshToken,
    })
    saveLogin(environment, asLogin(login, answer))
    return answer.access_token
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // Another process may have used the refresh token at the same time: then it stores the new one.
    for (let waits = 0; waits < 50; waits++) {
      await new Promise(resolve => setTimeout(resolve, 100))
      const now = loginOf(environment)
      if (now?.refreshToken !== login.refreshToken) return freshToken(environment)
    }
    throw new AuthError('Your sign-in has ended; run `relance login` again.')
  }
}

/** One renewal at a time within a process. */
function tokenSource(environment: Environment): () => Promise<string> {
  let asked: Promise<string> | undefined
  return () => {
    asked ??= freshToken(environment).finally(() => {
      asked = undefined
    })
    return asked
  }
}

export interface Client {
  relance: Relance
  environment: Environment
  baseUrl: string
}

/** The SDK with the credential of the command line, else of the environment, else of the last sign-in. */
export function connect(connection: Connection): Client {
  const apiKey = connection.apiKey ?? (env.API_KEY || undefined)
  const environment = apiKey ? environmentOf(apiKey) : connection.isProduction ? 'production' : 'sandbox'
  if (apiKey && connection.isProduction && environment !== 'production')
    throw new UsageError('The API key is one of the sandbox; leave --production out, or give another key.')
  const shared = {
    companyId: connection.companyId,
    fetch: ((url, init) =>
      fetch(url, {
        ...init,
        headers: { ...(init?.headers as object), 'user-agent': `relance-cli/${version}` },
      })) as typeof fetch,
  }
  if (apiKey) {
    const baseUrl = requireBaseUrl(connection)
    return { relance: new Relance({ ...shared, apiKey, baseUrl }), environment, baseUrl }
  }
  const login = loginOf(environment)
  if (!login)
    throw new AuthError(
      `You are not signed in to ${environment}; run \`relance login${environment === 'production' ? ' --production' : ''}\`, or set API_KEY and BASE_URL.`,
    )
  const { baseUrl } = login
  const wanted = baseUrlOf(connection)
  if (wanted && wanted !== baseUrl)
    throw new AuthError(`You are signed in at ${baseUrl}; run \`relance login --base-url ${wanted}\` first.`)
  const companyId = connection.companyId ?? login.companyId
  const relance = login.apiKey
    ? new Relance({ ...shared, apiKey: login.apiKey, baseUrl, companyId })
    : new Relance({ ...shared, accessToken: tokenSource(environment), baseUrl, companyId })
  return { relance, environment, baseUrl }
}
