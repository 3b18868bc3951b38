import type { Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { Role } from '../../../src/features/access/roles.ts'
import type { TestOptions } from '../../harness/use-installation.ts'
import { useBrowser } from '../use-browser.ts'
import { type AddedPerson, type PeopleFixture, usePeopleFixture } from '../use-people-fixture.ts'

interface Opening {
  role?: Role
  language?: 'fr' | 'en'
  environment?: 'production' | 'sandbox'
  /** After the environment: `/debtors`. Null: nothing is opened. */
  path?: string | null
  width?: number
  /** They belong to both companies. */
  hasTwoCompanies?: boolean
}

export interface OpenConsole {
  page: Page
  person: AddedPerson
}

export interface Console extends PeopleFixture {
  /** Somebody signed in, at a page of the console; not signed in where no path is given. */
  open(opening?: Opening): Promise<OpenConsole>
  urlOf(environment: 'production' | 'sandbox', path?: string): string
}

/** Says in the console of the page what its policy refused. */
const reportRefusals = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
  console.error('refused by the policy:', violatedDirective, blockedURI, sourceFile))`

/**
 * The console in a browser, on the real API. After each test its pages must have said nothing in the browser's console: no refusal
 * by the policy, no error of the script.
 */
export function useConsole(options: TestOptions = {}): Console {
  const fixture = usePeopleFixture(options) as Console
  const { newPage } = useBrowser()
  const said: string[] = []
  let people = 0

  fixture.urlOf = (environment, path = '') =>
    `${fixture.issuer}/console/${fixture.martin.companyId}/${environment}${path}`
  fixture.open = async ({
    role = 'manager',
    language = 'fr',
    environment = 'production',
    path = '',
    width = 1440,
    hasTwoCompanies = false,
  } = {}) => {
    const person = await fixture.addPersonWithPassword(
      { name: 'Camille Exemple', email: `camille-${++people}@example.com`, language },
      { [fixture.martin.companyId]: role, ...(hasTwoCompanies && { [fixture.petit.companyId]: role }) },
    )
    const signedIn = path !== null && { cookie: await fixture.sessionFor(person), at: fixture.issuer }
    const page = await newPage({ language, ...signedIn })
    await page.setViewportSize({ width, height: width < 600 ? 780 : 900 })
    // The browser keeps what the test before has chosen.
    await page.goto(`${fixture.issuer}/assets/relance.css`)
    await page.evaluate('localStorage.clear()')
    await page.addInitScript(reportRefusals)
    page.on('pageerror', error => said.push(String(error)))
    page.on('console', message => {
      // The browser itself says so of every answer of 4xx.
      const isRefusal = message.text().startsWith('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && !isRefusal) said.push(message.text())
    })
    if (path !== null) await page.goto(fixture.urlOf(environment, path))
    return { page, person }
  }

  afterEach(() => expect(said.splice(0)).toEqual([]))
  return fixture
}
