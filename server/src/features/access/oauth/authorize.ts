import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { field, fieldList, formOf } from '../../../kit/http/form.ts'
import { type PageContext, seeOther, sendForwardingPage, sendPage } from '../../../kit/http/pages.ts'
import { signInAgain } from '../people/next-path.ts'
import { isFormOf, isFresh, type Session, sessionOf } from '../people/session.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { type Client, chooseScopes, findClient, mayRedirectTo, requireGrantType } from './client.ts'
import { type Choice, consentPage, refusalPage } from './consent-page.ts'
import { grantConsent } from './grant-consent.ts'
import { OAuthError } from './oauth-error.ts'
import { type Parameters, queryOf, queryParameters, required, scopeList } from './parameters.ts'

/** A validated authorization request. */
interface AuthorizationRequest {
  client: Client
  redirectUri: string
  state: string | null
  scopes: Scope[]
  challenge: string
}

/** The client and the redirect URI, checked before anything else: people are only redirected to a registered URI. */
async function findRedirectTarget(
  context: PageContext,
  parameters: Parameters,
): Promise<{ client: Client; redirectUri: string } | null> {
  const [id, redirectUri] = [parameters.get('client_id'), parameters.get('redirect_uri')]
  if (id === undefined || redirectUri === undefined) return null
  const client = await findClient(queryOn(context.pool), id)
  return client && mayRedirectTo(client, redirectUri) ? { client, redirectUri } : null
}

function readAuthorizationRequest(
  client: Client,
  redirectUri: string,
  parameters: Parameters,
): AuthorizationRequest {
  if (required(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  requireGrantType(client, 'authorization_code')
  const challenge = required(parameters, 'code_challenge')
  // Left out it would mean `plain`, which is no protection.
  if (parameters.get('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be the base64url SHA-256 of the verifier.')
  const scopes = chooseScopes(scopeList(parameters.get('scope')), client.scopes)
  return { client, redirectUri, state: parameters.get('state') ?? null, scopes, challenge }
}

/** The URL back to the application, with `state` and `iss` (RFC 9207). The registered URI is not changed. */
function redirectUrl(
  context: PageContext,
  redirectUri: string,
  state: string | null,
  answer: Record<string, string>,
): string {
  const more = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: context.publicUrl })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${more}`
}

const findCompanies = sql(
  'oauth.list-companies',
  `select c.id, c.name, m.role from memberships m join companies c on c.id = m.company_id
    where m.person_id = $1 and c.enabled
      and exists (select from tenants t where t.company_id = c.id and t.environment = $2 and t.enabled)
    order by c.name, c.id limit 200`,
).as<{ id: string; name: string; role: Role }>()

/** The person's companies that are open in the application's environment, each with the requested scopes that the role allows. */
async function companyChoices(
  context: PageContext,
  session: Session,
  environment: Environment,
  scopes: readonly Scope[],
): Promise<Choice[]> {
  const companies = await queryOn(context.pool)(findCompanies, [session.person.id, environment])
  return companies.map(({ id, name, role }) => ({ id, name, role, scopes: scopesOfRole(role, scopes) }))
}

const sealPurpose = 'authorize'

/** The request as shown to the person, sealed in the form for this session and ten minutes: they consent to exactly this. */
interface SealedRequest {
  session: string
  expiresAt: number
  clientId: string
  redirectUri: string
  state: string | null
  scopes: Scope[]
  challenge: string
}

const sealRequest = (
  context: PageContext,
  session: Session,
  { client, redirectUri, state, scopes, challenge }: AuthorizationRequest,
): string => {
  const sealedRequest: SealedRequest = {
    session: session.tokenHash.toString('hex'),
    expiresAt: context.clock.wall() + 600_000,
    clientId: client.id,
    redirectUri,
    state,
    scopes,
    challenge,
  }
  return context.keyring.seal(sealPurpose, JSON.stringify(sealedRequest))
}

/** The path of the same request. */
const authorizePath = ({
  clientId,
  redirectUri,
  scopes,
  state,
  challenge,
}: Omit<SealedRequest, 'session' | 'expiresAt'>) =>
  `/api/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    ...(state !== null && { state }),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`

function unsealRequest(context: PageContext, session: Session, sealed: string): SealedRequest | null {
  try {
    const sealedRequest = JSON.parse(context.keyring.open(sealPurpose, sealed)) as SealedRequest
    const isOurs =
      sealedRequest.session === session.tokenHash.toString('hex') &&
      sealedRequest.expiresAt > context.clock.wall()
    return isOurs ? sealedRequest : null
  } catch {
    // Not sealed by us: forged, cut short, or older than the keyring.
    return null
  }
}

/** GET /api/oauth/authorize */
export async function getConsent(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parameters, fault } = queryParameters(request)
  const target = await findRedirectTarget(context, parameters)
  if (!target) {
    const reason = fault?.message ?? 'client_id or redirect_uri is not registered.'
    return sendPage(reply, 400, refusalPage(request, reason))
  }
  const session = await sessionOf(context, request)
  // RFC 9700 §4.11.2: the person signs in before anything, even an error, is sent to an application. `next` is a path of ours.
  if (!session) {
    const here = `/api/oauth/authorize?${queryOf(request)}`
    return seeOther(reply, `/sign-in?next=${encodeURIComponent(here)}`)
  }
  let authorization: AuthorizationRequest
  try {
    if (fault) throw fault
    authorization = readAuthorizationRequest(target.client, target.redirectUri, parameters)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const answer = { error: error.code, error_description: error.message }
    return seeOther(reply, redirectUrl(context, target.redirectUri, parameters.get('state') ?? null, answer))
  }
  // A consent outlives the session, so whoever gives it has just signed in.
  const here = authorizePath({ ...authorization, clientId: authorization.client.id })
  if (!isFresh(context, session)) return seeOther(reply, signInAgain(here))
  const choices = await companyChoices(
    context,
    session,
    authorization.client.environment,
    authorization.scopes,
  )
  const page = consentPage({
    request,
    session,
    client: authorization.client,
    redirectUri: authorization.redirectUri,
    scopes: authorization.scopes,
    choices,
    sealed: sealRequest(context, session, authorization),
    here,
  })
  return sendForwardingPage(reply, 200, page)
}

export const foreignForm = 'This form was not sent from our page, or your session is over.'

/** POST /api/oauth/authorize: the person has decided. */
export async function postConsent(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refuse = (status: number, reason: string) => sendPage(reply, status, refusalPage(request, reason))
  const form = formOf(request)
  const session = await sessionOf(context, request)
  if (!session || !isFormOf(session, form)) return refuse(403, foreignForm)
  const sealedRequest = unsealRequest(context, session, field(form, 'request'))
  if (!sealedRequest) return refuse(400, 'This request has expired; start again from the application.')
  const { redirectUri, state, challenge } = sealedRequest
  const client = await findClient(queryOn(context.pool), sealedRequest.clientId)
  if (!client || !mayRedirectTo(client, redirectUri) || !client.grant_types.includes('authorization_code'))
    return refuse(400, 'The application is not registered for this any more.')
  const decision = field(form, 'decision')
  if (decision === 'deny') {
    const answer = { error: 'access_denied', error_description: 'The person said no.' }
    return seeOther(reply, redirectUrl(context, redirectUri, state, answer))
  }
  if (decision !== 'allow') return refuse(400, 'The form says neither yes nor no.')
  if (!isFresh(context, session)) return seeOther(reply, signInAgain(authorizePath(sealedRequest)))
  const scopes = sealedRequest.scopes.filter(scope => client.scopes.includes(scope))
  const choices = await companyChoices(context, session, client.environment, scopes)
  const wanted = fieldList(form, 'company')
  const companies = choices.filter(choice => wanted.includes(choice.id) && choice.scopes.length > 0)
  if (companies.length === 0) {
    const sealed = field(form, 'request')
    const page = {
      request,
      session,
      client,
      redirectUri,
      scopes,
      choices,
      sealed,
      here: authorizePath(sealedRequest),
    }
    return sendForwardingPage(reply, 400, consentPage({ ...page, isCompanyMissing: true }))
  }
  const code = await inTransaction(context.pool, query =>
    grantConsent(context, query, request, {
      client,
      personId: session.person.id,
      authTime: session.since,
      scopes,
      companyIds: companies.map(company => company.id),
      redirectUri,
      challenge,
    }),
  )
  if (code === null) return refuse(400, 'You have left these companies; start again from the application.')
  return seeOther(reply, redirectUrl(context, redirectUri, state, { code }))
}
