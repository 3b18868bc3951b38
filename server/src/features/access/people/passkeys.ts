import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import type { Person } from './session.ts'

/** The library has an eighth of all modules of the program, so it is loaded with the first passkey, not at every start. */
const webauthn = () => import('@simplewebauthn/server')
const webauthnHelpers = () => import('@simplewebauthn/server/helpers')

const lifeMs = 5 * 60_000
const passkeysMax = 20
/** EdDSA, ES256, RS256: every authenticator supports at least one of them. */
const algorithms = [-8, -7, -257]

const insertChallenge = sql(
  'people.insert-passkey-challenge',
  'insert into passkey_challenges (challenge, person_id, expires_at) values ($1, $2, $3)',
)
const consumeChallenge = sql(
  'people.use-passkey-challenge',
  'delete from passkey_challenges where challenge = $1 and person_id is not distinct from $2 returning expires_at',
)
const selectPasskeys = sql(
  'people.list-passkey-transports',
  'select id, transports from passkeys where person_id = $1 limit 100',
).as<{ id: string; transports: string[] }>()
const insertPasskey = sql(
  'people.insert-passkey',
  `insert into passkeys (id, person_id, name, public_key, counter, transports, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing returning id`,
)
const lockPerson = sql('people.lock', 'select id from people where id = $1 for no key update')
const selectPasskey = sql(
  'people.find-passkey',
  'select person_id, public_key, counter, transports from passkeys where id = $1',
)
// The counter must grow: the same count twice means that the key was cloned.
const updateCounter = sql(
  'people.advance-passkey-counter',
  `update passkeys set counter = $2, last_used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
   returning person_id`,
)

const encodedText = z.string().min(1).max(16_384)
const credentialFields = {
  id: encodedText.max(2_048),
  rawId: encodedText.max(2_048),
  type: z.literal('public-key'),
}
const Registration = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: encodedText,
    attestationObject: encodedText,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
const Authentication = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: encodedText,
    authenticatorData: encodedText,
    signature: encodedText,
    userHandle: z.string().max(200).nullish(),
  }),
})

const rpOf = ({ publicUrl }: PageContext) => ({
  id: new URL(publicUrl).hostname,
  origin: new URL(publicUrl).origin,
})

async function saveChallenge(
  context: PageContext,
  challenge: string,
  personId: string | null,
): Promise<void> {
  await queryOn(context.pool)(insertChallenge, [challenge, personId, iso(context.clock.wall() + lifeMs)])
}

/** The challenge of a response, if it is ours, for this person, not expired and not used before. It is consumed. */
async function answeredChallenge(
  context: PageContext,
  query: Query,
  clientDataJSON: string,
  personId: string | null,
) {
  let challenge: unknown
  try {
    challenge = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')).challenge
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
  if (typeof challenge !== 'string' || !/^[\w-]{16,200}$/.test(challenge)) return null
  const [row] = await query(consumeChallenge, [challenge, personId])
  return row && row.expires_at > context.clock.wall() ? challenge : null
}

/** Null when verification fails. The library throws plain Errors; it does no database access that could fail otherwise. */
const nullIfInvalid = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null)

export async function creationOptions(context: PageContext, person: Person): Promise<object | null> {
  const existing = await queryOn(context.pool)(selectPasskeys, [person.id])
  if (existing.length >= passkeysMax) return null
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Relance',
    rpID: rpOf(context).id,
    userID: new Uint8Array(Buffer.from(person.id.replaceAll('-', ''), 'hex')),
    userName: person.email,
    userDisplayName: person.name,
    timeout: lifeMs,
    attestationType: 'none',
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  await saveChallenge(context, options.challenge, person.id)
  return options
}

/**
 * Removes the attestation, which we did not request. To verify it, the library would fetch URLs from certificates that a
 * stranger sent.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await webauthnHelpers()
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const bare = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}

/** Verifies a new passkey; null if it is invalid. The challenge is used up either way. */
export async function readPasskey(
  context: PageContext,
  person: Person,
  given: unknown,
): Promise<WebAuthnCredential | null> {
  const { data } = Registration.safeParse(given)
  const challenge =
    data && (await answeredChallenge(context, queryOn(context.pool), data.response.clientDataJSON, person.id))
  if (!data || !challenge) return null
  const { id: expectedRPID, origin: expectedOrigin } = rpOf(context)
  const verify = async () => {
    const { verifyRegistrationResponse } = await webauthn()
    const attestationObject = await withoutAttestation(data.response.attestationObject)
    const response = { ...data.response, attestationObject }
    return verifyRegistrationResponse({
      response: { ...data, response, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
  }
  const verified = await nullIfInvalid(verify())
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** Adds a passkey. The maximum is checked again under a lock, because several challenges may be open at once. */
export async function addPasskey(
  context: PageContext,
  query: Query,
  person: Person,
  name: string,
  credential: WebAuthnCredential,
): Promise<'added' | 'somebodys' | 'too_many'> {
  await query(lockPerson, [person.id])
  if ((await query(selectPasskeys, [person.id])).length >= passkeysMax) return 'too_many'
  const rows = await query(insertPasskey, [
    credential.id,
    person.id,
    name,
    Buffer.from(credential.publicKey),
    credential.counter,
    credential.transports ?? [],
    iso(context.clock.wall()),
  ])
  return rows.length === 1 ? 'added' : 'somebodys'
}

/** Options for signing in with any passkey; the authenticator chooses which. */
export async function requestOptions(context: PageContext): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: rpOf(context).id,
    timeout: lifeMs,
    userVerification: 'required',
  })
  await saveChallenge(context, options.challenge, null)
  return options
}

/** The person of the passkey that signed; null when it is unknown, invalid, or its counter did not grow. */
export async function personByPasskey(
  context: PageContext,
  query: Query,
  given: unknown,
): Promise<string | null> {
  const { data } = Authentication.safeParse(given)
  const challenge = data && (await answeredChallenge(context, query, data.response.clientDataJSON, null))
  if (!data || !challenge) return null
  const [passkey] = await query(selectPasskey, [data.id])
  if (!passkey) return null
  const { userHandle } = data.response
  const owner = passkey.person_id.replaceAll('-', '')
  if (userHandle && Buffer.from(userHandle, 'base64url').toString('hex') !== owner) return null
  const { id: expectedRPID, origin: expectedOrigin } = rpOf(context)
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await nullIfInvalid(
    verifyAuthenticationResponse({
      response: { ...data, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: {
        id: data.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  )
  if (!verified?.verified) return null
  const counter = verified.authenticationInfo.newCounter
  const [used] = await query(updateCounter, [data.id, counter, iso(context.clock.wall())])
  return used?.person_id ?? null
}
