import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Relance, RelanceError } from '../index.ts'
import {
  askForToken,
  asLogin,
  type Connection,
  clientIds,
  connect,
  type Environment,
  environmentOf,
  file,
  forgetLogin,
  type Login,
  loginOf,
  requireBaseUrl,
  saveLogin,
} from './credentials.ts'
import { AuthError, UsageError } from './errors.ts'
import { note, print, recordText } from './output.ts'

const waitMs = 10 * 60_000

/** Opens the browser of the user, if there is one; the URL is printed as well. */
function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  const child = spawn(program!, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body style="font:16px system-ui;margin:15vh auto;max-width:30rem"><h1>${title}</h1><p>${text}</p>`

interface Answer {
  code: string
  redirectUri: string
}

/** Waits on a local port for the redirect of the browser (RFC 8252), and accepts only the answer to this attempt. */
async function codeFromBrowser(
  { issuer, authorization_endpoint: authorize }: Metadata,
  clientId: string,
  { state, challenge }: { state: string; challenge: string },
  opensBrowser: boolean,
): Promise<Answer> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const url = `${authorize}?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`
  note(`Sign in and agree in your browser:\n\n  ${url}\n`)
  if (opensBrowser) openBrowser(url)
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new AuthError('Nobody agreed within ten minutes; try again.')),
        waitMs,
      )
      timer.unref()
      server.on('request', (request, reply) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', redirectUri)
        const isOurs =
          pathname === '/callback' &&
          searchParams.get('state') === state &&
          searchParams.get('iss') === issuer
        if (!isOurs) return void reply.writeHead(404, { connection: 'close' }).end()
        const code = searchParams.get('code')
        const [title, text] = code
          ? ['You are signed in', 'Go back to your terminal. You may close this window.']
          : ['You are not signed in', 'Nothing was allowed. You may close this window.']
        reply
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
          .end(page(title, text))
        if (code) resolve({ code, redirectUri })
        else
          reject(
            new AuthError(
              `You did not agree (${searchParams.get('error') ?? 'no code'}); nothing was stored.`,
            ),
          )
      })
    })
  } finally {
    server.close()
    server.closeIdleConnections()
  }
}

interface Metadata {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
}

async function signInByBrowser(
  baseUrl: string,
  environment: Environment,
  { companyId, opensBrowser }: { companyId: string | undefined; opensBrowser: boolean },
): Promise<Login> {
  const found = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)
  if (!found.ok) throw new UsageError(`${baseUrl} is no Relance server (status ${found.status}).`)
  const metadata = (await found.json()) as Metadata
  const verifier = randomBytes(32).toString('base64url')
  const { code, redirectUri } = await codeFromBrowser(
    metadata,
    clientIds[environment],
    {
      state: randomBytes(16).toString('hex'),
      challenge: createHash('sha256').update(verifier).digest('base64url'),
    },
    opensBrowser,
  )
  const answer = await askForToken(metadata.token_endpoint, {
    grant_type: 'authorization_code',
    client_id: clientIds[environment],
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  return asLogin({ baseUrl, companyId }, answer)
}

export async function login(
  connection: Connection,
  { opensBrowser }: { opensBrowser: boolean },
): Promise<void> {
  const { apiKey, companyId } = connection
  const baseUrl = requireBaseUrl(connection)
  const environment = apiKey ? environmentOf(apiKey) : connection.isProduction ? 'production' : 'sandbox'
  if (apiKey) {
    // Checks the key now, not at the first command. A key without permission to read the company is valid.
    await new Relance({ apiKey, baseUrl }).company.get().catch(error => {
      if (!(error instanceof RelanceError) || error.code !== 'AUTH_004') throw error
    })
    saveLogin(environment, { baseUrl, apiKey })
  } else {
    saveLogin(environment, await signInByBrowser(baseUrl, environment, { companyId, opensBrowser }))
  }
  note(`Signed in to ${environment} at ${baseUrl}; stored in ${file}.`)
  await whoami({ ...connection, apiKey: undefined, isProduction: environment === 'production' }, false)
}

export async function whoami(connection: Connection, isJson: boolean): Promise<void> {
  const { relance, environment, baseUrl } = connect(connection)
  const facts: Record<string, unknown> = { server: baseUrl, environment }
  try {
    facts.company = (await relance.company.get()).name
  } catch (error) {
    if (!(error instanceof RelanceError) || !['AUTH_004', 'VAL_003'].includes(error.code)) throw error
    facts.company =
      error.code === 'VAL_003'
        ? 'several: name one with --company, or sign in again with `relance login --company <id>`'
        : 'not shown: this credential may not read it'
  }
  print(isJson ? JSON.stringify(facts, null, 2) : recordText(facts))
}

/** Also revokes the consent on the server; an API key stays valid. */
export async function logout({ isProduction }: Connection): Promise<void> {
  const environment = isProduction ? 'production' : 'sandbox'
  const stored = loginOf(environment)
  if (!stored) return note(`You are not signed in to ${environment}.`)
  forgetLogin(environment)
  if (stored.refreshToken)
    await fetch(`${stored.baseUrl}/api/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: stored.refreshToken }),
    }).catch(() => note('The server was not reached: withdraw the consent on your account page.'))
  note(
    `Signed out of ${environment}.${stored.apiKey ? ' The API key stays valid; `relance api-keys delete` ends it.' : ''}`,
  )
}
