import { randomUUIDv7 } from 'node:crypto'
import { beforeAll } from 'vitest'
import type { CreatedCompany } from '../../src/features/access/companies/create-company.ts'
import type { Role } from '../../src/features/access/roles.ts'
import { hashPassword } from '../../src/kit/password-hash.ts'
import {
  type TestInstallation,
  type TestOptions,
  testPasswordCost,
  useInstallation,
} from '../harness/use-installation.ts'
import {
  type App,
  type AppSettings,
  type OAuthServer,
  openSession,
  registerApp,
} from '../scenarios/access/oauth/oauth-calls.ts'

export const password = 'quatre mots sans rapport'
const passwordHash = hashPassword(password, testPasswordCost)

export interface AddedPerson {
  id: string
  name: string
  email: string
  language: 'fr' | 'en'
}

/** An installation reached under the host name of its pages, with two companies that people can belong to. */
export interface PeopleFixture extends OAuthServer {
  installation: TestInstallation
  martin: CreatedCompany
  petit: CreatedCompany
  addPersonWithPassword(
    person: Omit<AddedPerson, 'id'>,
    roles: Readonly<Record<string, Role>>,
  ): Promise<AddedPerson>
  addApplication(name: string, settings: AppSettings): Promise<App>
  /** The cookie of somebody who signed in before. */
  sessionFor(person: AddedPerson): Promise<string>
}

export function usePeopleFixture(options: TestOptions = {}): PeopleFixture {
  const installation = useInstallation({
    hasWorker: false,
    publicHost: 'localhost',
    ...options,
    env: { TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  })
  const fixture = { installation, sql: installation.sql } as PeopleFixture
  fixture.addPersonWithPassword = async (person, roles) => {
    const id = randomUUIDv7()
    const wall = new Date().toISOString()
    await installation.sql(
      `insert into people (id, email, email_key, name, language, password_hash, email_verified_at, created_at)
       values ($1, $2, $2, $3, $4, $5, $6, $6)`,
      [id, person.email, person.name, person.language, await passwordHash, wall],
    )
    for (const [companyId, role] of Object.entries(roles))
      await installation.sql(
        'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
        [id, companyId, role, wall],
      )
    return { ...person, id }
  }
  fixture.addApplication = async (name, settings) => {
    const app = await registerApp(fixture, fixture.martin, settings)
    await installation.sql('update oauth_clients set name = $2 where id = $1', [app.id, name])
    return app
  }
  fixture.sessionFor = person => openSession(fixture, person.id)
  beforeAll(async () => {
    fixture.url = installation.server.baseUrl
    fixture.issuer = installation.server.baseUrl.replace('127.0.0.1', 'localhost')
    fixture.martin = installation.company
    fixture.petit = await installation.server.createCompany({
      name: 'Librairie Petit',
      ownerEmail: 'bonjour@librairie-petit.example',
      tier: 'enterprise',
      requestsPerMinute: 100_000,
      inFlight: 1_000,
    })
  })
  return fixture
}
