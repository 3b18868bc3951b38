import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { randomAddress } from '../scenarios/access/oauth/oauth-calls.ts'

export interface Visit {
  /** The cookie header of a session; with it the visitor is already signed in. */
  cookie?: string
  at?: string
  language?: 'fr' | 'en'
}

export interface Browsers {
  /** Somebody at a browser of their own, with an address of their own. One at a time. */
  newPage(visit?: Visit): Promise<Page>
}

const locales = { fr: 'fr-FR', en: 'en-GB' }

/** Cookies and pages are removed after each test. */
export function useBrowser(): Browsers {
  let browser: Browser
  // To make one costs the browser more than all a test does in it.
  const contexts: { fr?: BrowserContext; en?: BrowserContext } = {}

  beforeAll(async () => {
    browser = await chromium.connect(inject('chromium'))
  })
  afterEach(async () => {
    for (const context of browser.contexts()) {
      await context.clearCookies()
      await Promise.all(context.pages().map(page => page.close()))
    }
  })
  afterAll(() => browser?.close())

  return {
    async newPage({ cookie, at, language = 'en' } = {}) {
      contexts[language] ??= await browser.newContext({ locale: locales[language] })
      const context = contexts[language]
      if (cookie && at) {
        const [name = '', value = ''] = cookie.split('=')
        // The debugger takes a secure cookie for https alone; the browser then also sends it to http on localhost.
        const url = at.replace('http:', 'https:')
        await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Lax' }])
      }
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      // Strangers are counted by their address.
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': randomAddress() })
      return page
    },
  }
}
