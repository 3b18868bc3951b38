import { beforeAll } from 'vitest'
import type { InstallationOptions } from '../../../../dev/installation.ts'
import type { CreatedCompany } from '../../../../src/features/access/companies/create-company.ts'
import { type House, useHouse } from '../../../harness/house.ts'
import { type App, addPerson, openSession, registerApp, type Stage } from './stage.ts'

export interface Cast extends Stage {
  house: House
  /** Of which the person is the owner; the application is registered here. */
  company: CreatedCompany
  /** Of which the person is a viewer. */
  second: CreatedCompany
  /** Of which the person has never heard. */
  stranger: CreatedCompany
  app: App
  person: string
  cookie: string
}

/** A house with three companies, an application and somebody who is signed in. */
export function useStage(options: Partial<InstallationOptions> = {}): Cast {
  const house = useHouse({
    hasWorker: false,
    ...options,
    env: { TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  })
  const cast = { house, sql: house.sql } as Cast
  beforeAll(async () => {
    cast.url = house.installation.baseUrl
    cast.issuer = house.installation.baseUrl
    cast.company = house.company
    const company = (name: string) =>
      house.installation.createCompany({
        name,
        ownerEmail: 'o@petit.example',
        tier: 'enterprise',
        requestsPerMinute: 100_000,
        inFlight: 1_000,
      })
    cast.second = await company('Librairie Petit')
    cast.stranger = await company('Garage Faure')
    cast.app = await registerApp(cast, cast.company)
    cast.person = await addPerson(cast, {
      [cast.company.companyId]: 'owner',
      [cast.second.companyId]: 'viewer',
    })
    cast.cookie = await openSession(cast, cast.person)
  })
  return cast
}
