import { beforeAll } from 'vitest'
import type { CreatedCompany } from '../../../../src/features/access/companies/create-company.ts'
import {
  type TestInstallation,
  type TestOptions,
  useInstallation,
} from '../../../harness/use-installation.ts'
import { type App, addPerson, type OAuthServer, openSession, registerApp } from './oauth-calls.ts'

export interface OAuthFixture extends OAuthServer {
  installation: TestInstallation
  /** Of which the person is the owner; the application is registered here. */
  company: CreatedCompany
  /** Of which the person is a viewer. */
  second: CreatedCompany
  /** A company the person does not belong to. */
  stranger: CreatedCompany
  app: App
  person: string
  cookie: string
}

/** An installation with three companies, an application and a signed-in person. */
export function useOAuthFixture(options: TestOptions = {}): OAuthFixture {
  const installation = useInstallation({
    hasWorker: false,
    ...options,
    env: { TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  })
  const fixture = { installation, sql: installation.sql } as OAuthFixture
  beforeAll(async () => {
    fixture.url = installation.server.baseUrl
    fixture.issuer = installation.server.baseUrl
    fixture.company = installation.company
    const company = (name: string) =>
      installation.server.createCompany({
        name,
        ownerEmail: 'o@petit.example',
        tier: 'enterprise',
        requestsPerMinute: 100_000,
        inFlight: 1_000,
      })
    fixture.second = await company('Librairie Petit')
    fixture.stranger = await company('Garage Faure')
    fixture.app = await registerApp(fixture, fixture.company)
    fixture.person = await addPerson(fixture, {
      [fixture.company.companyId]: 'owner',
      [fixture.second.companyId]: 'viewer',
    })
    fixture.cookie = await openSession(fixture, fixture.person)
  })
  return fixture
}
