import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { type Ask, asking } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Person } from './session.ts'

const lifeMs = 5 * 60_000
const passkeysMost = 20
/** EdDSA, ES256, RS256: what every authenticator has one of. */
const algorithms = [-8, -7, -257]

const keepChallenge = sql(
  'people.insert-passkey-challenge',
  'insert into passkey_challenges (challenge, person_id, expires_at) values ($1, $2, $3)',
)
const useChallenge = sql(
  'people.use-passkey-challenge',
  'delete from passkey_challenges where challenge = $1 and person_id is not distinct from $2 returning expires_at',
)
const list = sql(
  'people.list-passkey-transports',
  'select id, transports from passkeys where person_id = $1 limit 100',
).as<{ id: string; transports: string[] }>()
const insert = sql(
  'people.insert-passkey',
  `insert into passkeys (id, person_id, name, public_key, counter, transports, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing returning id`,
)
const alone = sql('people.lock', 'select id from people where id = $1 for no key update')
const find = sql(
  'people.find-passkey',
  'select person_id, public_key, counter, transports from passkeys where id = $1',
)
// Not backwards, and not twice: two answers with one count are two authenticators with one key.
const advance = sql(
  'people.advance-passkey-counter',
  `update passkeys set counter = $2, last_used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
   returning person_id`,
)

const word = z.string().min(1).max(16_384)
const shared = { id: word.max(2_048), rawId: word.max(2_048), type: z.literal('public-key') }
const Registration = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: word,
    attestationObject: word,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
const Authentication = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: word,
    authenticatorData: word,
    signature: word,
    userHandle: z.string().max(200).nullish(),
  }),
})

const rpOf = ({ publicUrl }: Site) => ({ id: new URL(publicUrl).hostname, origin: new URL(publicUrl).origin })

async function ask(site: Site, challenge: string, personId: string | null): Promise<void> {
  await asking(site.pool)(keepChallenge, [challenge, personId, iso(site.clock.wall() + lifeMs)])
}

/** The question that was answered, if it was ours, was put to this person, is not too old, and was never answered before. */
async function answered(site: Site, inOne: Ask, clientDataJSON: string, personId: string | null) {
  let challenge: unknown
  try {
    challenge = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')).challenge
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
  if (typeof challenge !== 'string' || !/^[\w-]{16,200}$/.test(challenge)) return null
  const [row] = await inOne(useChallenge, [challenge, personId])
  return row && row.expires_at > site.clock.wall() ? challenge : null
}

/** The library throws a plain Error for everything that is wrong with an answer; nothing in it asks the database. */
const verdict = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null)

export async function creationOptions(site: Site, person: Person): Promise<object | null> {
  const existing = await asking(site.pool)(list, [person.id])
  if (existing.length >= passkeysMost) return null
  const options = await generateRegistrationOptions({
    rpName: 'Relance',
    rpID: rpOf(site).id,
    userID: new Uint8Array(Buffer.from(person.id.replaceAll('-', ''), 'hex')),
    userName: person.email,
    userDisplayName: person.name,
    timeout: lifeMs,
    attestationType: 'none',
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  await ask(site, options.challenge, person.id)
  return options
}

/**
 * What vouches for the authenticator is thrown away unread. Nobody asked for it, and to check it the library would fetch
 * whatever the certificates of a stranger name.
 */
function withoutAttestation(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const bare = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}

/** The passkey that was made in answer to our question, if it was one; the question is used up either way. */
export async function readPasskey(
  site: Site,
  person: Person,
  given: unknown,
): Promise<WebAuthnCredential | null> {
  const { data } = Registration.safeParse(given)
  const challenge = data && (await answered(site, asking(site.pool), data.response.clientDataJSON, person.id))
  if (!data || !challenge) return null
  const { id: expectedRPID, origin: expectedOrigin } = rpOf(site)
  const verify = async () => {
    const attestationObject = withoutAttestation(data.response.attestationObject)
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
  const verified = await verdict(verify())
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** Counted again here, one after the other: many questions may have been put before the first was answered. */
export async function addPasskey(
  site: Site,
  inOne: Ask,
  person: Person,
  name: string,
  credential: WebAuthnCredential,
): Promise<'added' | 'somebodys' | 'too_many'> {
  await inOne(alone, [person.id])
  if ((await inOne(list, [person.id])).length >= passkeysMost) return 'too_many'
  const rows = await inOne(insert, [
    credential.id,
    person.id,
    name,
    Buffer.from(credential.publicKey),
    credential.counter,
    credential.transports ?? [],
    iso(site.clock.wall()),
  ])
  return rows.length === 1 ? 'added' : 'somebodys'
}

/** To nobody in particular: the authenticator knows whose passkeys it holds. */
export async function requestOptions(site: Site): Promise<object> {
  const options = await generateAuthenticationOptions({
    rpID: rpOf(site).id,
    timeout: lifeMs,
    userVerification: 'required',
  })
  await ask(site, options.challenge, null)
  return options
}

/** Whose passkey answered; null when none of ours did, or its count went backwards. */
export async function personByPasskey(site: Site, inOne: Ask, given: unknown): Promise<string | null> {
  const { data } = Authentication.safeParse(given)
  const challenge = data && (await answered(site, inOne, data.response.clientDataJSON, null))
  if (!data || !challenge) return null
  const [passkey] = await inOne(find, [data.id])
  if (!passkey) return null
  const { userHandle } = data.response
  const owner = passkey.person_id.replaceAll('-', '')
  if (userHandle && Buffer.from(userHandle, 'base64url').toString('hex') !== owner) return null
  const { id: expectedRPID, origin: expectedOrigin } = rpOf(site)
  const verified = await verdict(
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
  const [used] = await inOne(advance, [data.id, counter, iso(site.clock.wall())])
  return used?.person_id ?? null
}
