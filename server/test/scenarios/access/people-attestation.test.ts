import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { attestationWithRevocationUrl, selfAttestation } from '../../harness/attestation.ts'
import {
  type AttestationInput,
  type AttestationStatement,
  newAuthenticator,
} from '../../harness/authenticator.ts'
import { peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn } from '../../harness/visitor.ts'

// Two connections only: holding one during a request to a foreign server would block the others.
const installation = useInstallation({ env: { ...withProxy.env, API_POOL: '2' } })
const people = peopleCalls(installation)

let requestedUrls: string[] = []
const listener = createServer(request => void requestedUrls.push(request.url!))
let inside: string
beforeAll(async () => {
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  inside = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/crl`
})
beforeEach(() => {
  requestedUrls = []
})
afterAll(() => {
  listener.closeAllConnections()
  listener.close()
})

async function requestCreationOptions({ visitor }: SignedUpPerson) {
  const headers = { 'x-csrf-token': formsIn((await visitor.get('/account')).html)[0]!.fields.csrf! }
  const { body } = await visitor.postJson('/passkeys/creation-options', {}, headers)
  return { headers, challenge: body.challenge as string, user: body.user.id as string }
}

async function register(person: SignedUpPerson, attest: (made: AttestationInput) => AttestationStatement) {
  const { headers, challenge, user } = await requestCreationOptions(person)
  const phone = newAuthenticator(installation.server.baseUrl)
  const response = phone.create({ challenge, user, attest })
  const answer = person.visitor.postJson('/passkeys', { name: 'Phone', response }, headers)
  // The listener never answers: waiting for it would hang.
  const { status } = await Promise.race([
    answer,
    new Promise<{ status: number }>(resolve => setTimeout(resolve, 5_000, { status: 0 })),
  ])
  return { status, phone }
}

it.each(['android-key', 'apple', 'tpm', 'packed', 'fido-u2f', 'android-safetynet', 'unheard-of'])(
  'a chain in the format %s is not looked at: nothing is asked of the places it names',
  async fmt => {
    const person = await people.newOwner()
    const { status, phone } = await register(person, attestationWithRevocationUrl(fmt, inside))
    expect(requestedUrls).toEqual([])
    expect(status).toBe(201)
    const [row] = await installation.sql('select person_id from passkeys where id = $1', [phone.id])
    expect(row).toEqual({ person_id: person.personId })
  },
)

it('what vouches for nothing, and what vouches for itself, are passkeys to sign in with', async () => {
  for (const attest of [() => ({ fmt: 'none', attStmt: new Map() }), selfAttestation]) {
    const { status, phone } = await register(await people.newOwner(), attest)
    expect(status).toBe(201)
    const who = people.visitor()
    const { body } = await who.postJson('/passkeys/request-options', {})
    expect((await who.postJson('/passkeys/sign-in', { response: phone.get(body) })).status).toBe(200)
  }
})

it('an object that holds no authenticator data is refused in words', async () => {
  const person = await people.newOwner()
  for (const attestationObject of ['AA', '_w', 'oA', 'gA', 'n'.repeat(16_000)]) {
    const { headers, challenge, user } = await requestCreationOptions(person)
    const made = newAuthenticator(installation.server.baseUrl).create({ challenge, user })
    const response = { ...made, response: { ...made.response, attestationObject } }
    const answer = await person.visitor.postJson('/passkeys', { name: 'X', response }, headers)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('not right') } })
  }
})

it('twenty are the most, also when the questions were put before', async () => {
  const person = await people.newOwner()
  await installation.sql(
    `insert into passkeys (id, person_id, name, public_key, counter, created_at)
     select $1::text || i, $1::uuid, 'Phone', '', 0, $2 from generate_series(1, 18) i`,
    [person.personId, new Date().toISOString()],
  )
  const asked = []
  for (let i = 0; i < 4; i++) asked.push(await requestCreationOptions(person))
  const answers = await Promise.all(
    asked.map(({ headers, challenge, user }) => {
      const response = newAuthenticator(installation.server.baseUrl).create({ challenge, user })
      return person.visitor.postJson('/passkeys', { name: 'Phone', response }, headers)
    }),
  )
  expect(answers.map(answer => answer.status).sort()).toEqual([201, 201, 400, 400])
  expect(answers.find(answer => answer.status === 400)!.html).toContain('twenty')
  const rows = await installation.sql('select 1 from passkeys where person_id = $1', [person.personId])
  expect(rows).toHaveLength(20)
})
