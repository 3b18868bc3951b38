import type { FastifyReply, FastifyRequest } from 'fastify'
import { asking, together } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type Form, field, fieldList, type Site, seeOther, sendPage } from '../../../kit/http/site.ts'
import type { Scope } from '../../../kit/operation.ts'
import { isFormOf, type Session, sessionOf } from '../people/session.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { type Client, chooseScopes, findClient, requireGrantType } from './client.ts'
import { type Choice, consentPage, refusalPage } from './consent-page.ts'
import { grantConsent } from './grant-consent.ts'
import { OAuthError } from './oauth-error.ts'
import { type Parameters, queryOf, queryParameters, required, scopeList } from './parameters.ts'

/** Everything a consent is about, checked. */
interface Request {
  client: Client
  redirectUri: string
  state: string | null
  scopes: Scope[]
  challenge: string
}

/** Whom to answer, found before anything else is judged: nobody is sent to an address that is not exactly a registered one. */
async function returnTo(
  site: Site,
  parameters: Parameters,
): Promise<{ client: Client; redirectUri: string } | null> {
  const [id, redirectUri] = [parameters.get('client_id'), parameters.get('redirect_uri')]
  if (id === undefined || redirectUri === undefined) return null
  const client = await findClient(asking(site.pool), id)
  return client?.redirect_uris.includes(redirectUri) ? { client, redirectUri } : null
}

function judge(client: Client, redirectUri: string, parameters: Parameters): Request {
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

/** Back to the application, with `state` as it came and `iss` (RFC 9207). What was registered stays as it is written. */
function back(site: Site, redirectUri: string, state: string | null, answer: Record<string, string>): string {
  const more = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: site.publicUrl })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${more}`
}

const findCompanies = sql(
  'oauth.list-companies',
  `select c.id, c.name, m.role from memberships m join companies c on c.id = m.company_id
    where m.person_id = $1 and c.enabled order by c.name, c.id limit 200`,
).as<{ id: string; name: string; role: Role }>()

/** The companies the person may open, each with what the application could do there: what was asked for, as far as the role goes. */
async function choicesOf(site: Site, session: Session, scopes: readonly Scope[]): Promise<Choice[]> {
  const companies = await asking(site.pool)(findCompanies, [session.person.id])
  return companies.map(({ id, name, role }) => ({ id, name, role, scopes: scopesOfRole(role, scopes) }))
}

const purpose = 'authorize'

/** What is consented to is what was shown: the request travels sealed in the form, bound to the session and to ten minutes. */
interface Shown {
  session: string
  expiresAt: number
  clientId: string
  redirectUri: string
  state: string | null
  scopes: Scope[]
  challenge: string
}

const seal = (
  site: Site,
  session: Session,
  { client, redirectUri, state, scopes, challenge }: Request,
): string => {
  const shown: Shown = {
    session: session.tokenHash.toString('hex'),
    expiresAt: site.clock.wall() + 600_000,
    clientId: client.id,
    redirectUri,
    state,
    scopes,
    challenge,
  }
  return site.keyring.seal(purpose, JSON.stringify(shown))
}

/** The same request once more. */
const pathOf = ({ clientId, redirectUri, scopes, state, challenge }: Omit<Shown, 'session' | 'expiresAt'>) =>
  `/api/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    ...(state !== null && { state }),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`

function unseal(site: Site, session: Session, sealed: string): Shown | null {
  try {
    const shown = JSON.parse(site.keyring.open(purpose, sealed)) as Shown
    const isOurs = shown.session === session.tokenHash.toString('hex') && shown.expiresAt > site.clock.wall()
    return isOurs ? shown : null
  } catch {
    // Not sealed by us: forged, cut short, or older than the keyring.
    return null
  }
}

/** GET /api/oauth/authorize */
export async function askConsent(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parameters, fault } = queryParameters(request)
  const target = await returnTo(site, parameters)
  if (!target) {
    const why = fault?.message ?? 'client_id or redirect_uri is not registered.'
    return sendPage(reply, 400, refusalPage(request, why))
  }
  const session = await sessionOf(site, request)
  // RFC 9700 §4.11.2: before anything is sent to an application, a mistake included. The way back is a path of ours.
  if (!session) {
    const here = `/api/oauth/authorize?${queryOf(request)}`
    return seeOther(reply, `/sign-in?next=${encodeURIComponent(here)}`)
  }
  let asked: Request
  try {
    if (fault) throw fault
    asked = judge(target.client, target.redirectUri, parameters)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const answer = { error: error.code, error_description: error.message }
    return seeOther(reply, back(site, target.redirectUri, parameters.get('state') ?? null, answer))
  }
  const choices = await choicesOf(site, session, asked.scopes)
  const page = consentPage({
    request,
    session,
    client: asked.client,
    redirectUri: asked.redirectUri,
    scopes: asked.scopes,
    choices,
    sealed: seal(site, session, asked),
    here: pathOf({ ...asked, clientId: asked.client.id }),
  })
  return sendPage(reply, 200, page)
}

/** POST /api/oauth/authorize: the person has decided. */
export async function takeConsent(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
): Promise<FastifyReply> {
  const refuse = (status: number, why: string) => sendPage(reply, status, refusalPage(request, why))
  const session = await sessionOf(site, request)
  if (!session || !isFormOf(site, request, session, form))
    return refuse(403, 'This form was not sent from our page, or your session is over.')
  const shown = unseal(site, session, field(form, 'request'))
  if (!shown) return refuse(400, 'This request has expired; start again from the application.')
  const { redirectUri, state, challenge } = shown
  const client = await findClient(asking(site.pool), shown.clientId)
  if (!client?.redirect_uris.includes(redirectUri) || !client.grant_types.includes('authorization_code'))
    return refuse(400, 'The application is not registered for this any more.')
  const decision = field(form, 'decision')
  if (decision === 'deny') {
    const answer = { error: 'access_denied', error_description: 'The person said no.' }
    return seeOther(reply, back(site, redirectUri, state, answer))
  }
  if (decision !== 'allow') return refuse(400, 'The form says neither yes nor no.')
  const scopes = shown.scopes.filter(scope => client.scopes.includes(scope))
  const choices = await choicesOf(site, session, scopes)
  const wanted = fieldList(form, 'company')
  const companies = choices.filter(choice => wanted.includes(choice.id) && choice.scopes.length > 0)
  if (companies.length === 0) {
    const sealed = field(form, 'request')
    const page = { request, session, client, redirectUri, scopes, choices, sealed, here: pathOf(shown) }
    return sendPage(reply, 400, consentPage({ ...page, isCompanyMissing: true }))
  }
  const code = await together(site.pool, ask =>
    grantConsent(site, ask, request.id, {
      client,
      personId: session.person.id,
      scopes,
      companyIds: companies.map(company => company.id),
      redirectUri,
      challenge,
    }),
  )
  if (code === null) return refuse(400, 'You have left these companies; start again from the application.')
  return seeOther(reply, back(site, redirectUri, state, { code }))
}
