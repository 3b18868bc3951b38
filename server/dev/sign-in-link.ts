import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { plainSha256 } from '../src/kit/crypto.ts'
import { asAdmin } from './database.ts'

const sessionMs = 12 * 3_600_000

interface Options {
  /** Of the owner of the database: only it may write a session without a sign-in. */
  adminUrl: string
  companyId: string
  /** Where the browser goes once it is signed in. */
  to: string
}

export interface SignInLink {
  /** Works once. */
  url: string
  stop(): Promise<void>
}

/** A person who owns the company and has no password. */
async function addOwner(adminUrl: string, companyId: string): Promise<string> {
  const id = randomUUIDv7()
  const wall = new Date().toISOString()
  await asAdmin(adminUrl, async client => {
    await client.query(
      `insert into people (id, email, email_key, name, language, email_verified_at, created_at)
       values ($1, $2, $2, 'Camille Exemple', 'fr', $3, $3)`,
      [id, 'camille@atelier-martin.example', wall],
    )
    await client.query(
      `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'owner', $3)`,
      [id, companyId, wall],
    )
  })
  return id
}

async function openSession(adminUrl: string, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const wall = Date.now()
  await asAdmin(adminUrl, client =>
    client.query(
      `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
       values ($1, $2, 'link', '127.0.0.1', 'npm run dev', $3, $3, $4)`,
      [plainSha256(token), personId, new Date(wall).toISOString(), new Date(wall + sessionMs).toISOString()],
    ),
  )
  return token
}

/**
 * An address that signs the browser in as the owner of a company and leads to the console. It is a server of its own, in
 * development only: browsers keep cookies by host and not by port, so Relance itself needs no such door.
 */
export async function startSignInLink({ adminUrl, companyId, to }: Options): Promise<SignInLink> {
  const personId = await addOwner(adminUrl, companyId)
  const secret = randomBytes(16).toString('base64url')
  let isUsed = false
  const server = createServer((request, response) => {
    if (request.url !== `/${secret}` || isUsed) {
      response.writeHead(410, { 'content-type': 'text/plain' }).end('This address worked once.\n')
      return
    }
    isUsed = true
    openSession(adminUrl, personId).then(
      token =>
        response
          .writeHead(303, {
            location: to,
            'set-cookie': `__Host-relance=${token}; Path=/; Max-Age=${sessionMs / 1000}; HttpOnly; Secure; SameSite=Lax`,
          })
          .end(),
      error => response.writeHead(500, { 'content-type': 'text/plain' }).end(`${error}\n`),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/${secret}`,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
