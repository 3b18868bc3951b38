import { randomUUIDv7 } from 'node:crypto'
import { beforeAll } from 'vitest'
import type { InstallationOptions } from '../../dev/installation.ts'
import type { CreatedCompany } from '../../src/features/access/companies/create-company.ts'
import { hashPassword } from '../../src/features/access/people/password-hash.ts'
import type { Role } from '../../src/features/access/roles.ts'
import { type House, useHouse } from '../harness/house.ts'
import {
  type App,
  type AppSettings,
  openSession,
  registerApp,
  type Stage,
} from '../scenarios/access/oauth/stage.ts'

export const password = 'quatre mots sans rapport'
const passwordHash = hashPassword(password)

export interface Resident {
  id: string
  name: string
  email: string
  language: 'fr' | 'en'
}

/** A house as people see it: under the name of its pages, with companies to belong to. */
export interface Town extends Stage {
  house: House
  martin: CreatedCompany
  petit: CreatedCompany
  addResident(who: Omit<Resident, 'id'>, roles: Readonly<Record<string, Role>>): Promise<Resident>
  addApplication(name: string, settings: AppSettings): Promise<App>
  /** The cookie of somebody who signed in before. */
  sessionFor(who: Resident): Promise<string>
}

export function useTown(options: Partial<InstallationOptions> = {}): Town {
  const house = useHouse({
    hasWorker: false,
    publicHost: 'localhost',
    ...options,
    env: { TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  })
  const town = { house, sql: house.sql } as Town
  town.addResident = async (who, roles) => {
    const id = randomUUIDv7()
    const wall = new Date().toISOString()
    await house.sql(
      `insert into people (id, email, email_key, name, language, password_hash, email_verified_at, created_at)
       values ($1, $2, $2, $3, $4, $5, $6, $6)`,
      [id, who.email, who.name, who.language, await passwordHash, wall],
    )
    for (const [companyId, role] of Object.entries(roles))
      await house.sql(
        'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
        [id, companyId, role, wall],
      )
    return { ...who, id }
  }
  town.addApplication = async (name, settings) => {
    const app = await registerApp(town, town.martin, settings)
    await house.sql('update oauth_clients set name = $2 where id = $1', [app.id, name])
    return app
  }
  town.sessionFor = who => openSession(town, who.id)
  beforeAll(async () => {
    town.url = house.installation.baseUrl
    town.issuer = house.installation.baseUrl.replace('127.0.0.1', 'localhost')
    town.martin = house.company
    town.petit = await house.installation.createCompany({
      name: 'Librairie Petit',
      ownerEmail: 'bonjour@librairie-petit.example',
      tier: 'enterprise',
      requestsPerMinute: 100_000,
      inFlight: 1_000,
    })
  })
  return town
}
