import { describe, expect, it } from 'vitest'
import { pageTexts } from '../../../src/features/access/people/texts/page-texts.ts'
import { auditEvents } from '../../../src/features/all.ts'
import { peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation({ ...withProxy, own: 'stops or changes parts' })
const people = peopleCalls(installation)

const open = ['/sign-up', '/sign-in', '/forgot', '/mail-sent', '/verify', '/reset', '/invitation']

describe('every page', () => {
  it('forbids everything that is not ours, and is kept by nobody', async () => {
    const { visitor } = await people.newOwner()
    const pages = [...open, '/account', '/sign-out']
    for (const path of pages) {
      const { headers, html } = await (path === '/account' ? visitor : people.visitor()).get(path)
      expect(headers.get('content-type'), path).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; .*base-uri 'none'; frame-ancestors 'none'; form-action 'self'$/,
      )
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      // What the policy would silently leave out.
      expect(html).not.toMatch(/<style|\sstyle="|\son\w+="|javascript:|<script(?![^>]*\ssrc="\/assets\/)/)
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    }
  })

  it('has forms that lead to us only, except where signing in leads on to an application', async () => {
    const policyOf = async (next: string) => {
      const { headers } = await people.visitor().get(`/sign-in?next=${encodeURIComponent(next)}`)
      return headers.get('content-security-policy')
    }
    expect(await policyOf('/account')).toContain("form-action 'self'")
    expect(await policyOf('/api/oauth/authorize?client_id=x')).not.toContain('form-action')
  })

  it('says its language and has a title, one heading, a label for each field, and fields a browser can fill in', async () => {
    const { visitor } = await people.newOwner()
    for (const path of [...open, '/account']) {
      const { html } = await (path === '/account' ? visitor : people.visitor()).get(path)
      expect(html, path).toMatch(/^<!doctype html>\n<html lang="en">/)
      expect(html.match(/<h1[ >]/g), path).toHaveLength(1)
      expect(html).toMatch(/<title>.+ · Relance<\/title>/)
      expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
      for (const [tag] of html.matchAll(/<(?:input|select)\b[^>]*>/g)) {
        if (/type="hidden"|aria-hidden="true"/.test(tag)) continue
        const id = /\sid="([^"]+)"/.exec(tag)![1]
        expect(html, tag).toContain(`<label for="${id}">`)
        expect(tag).toMatch(/\sautocomplete="|<select id="language"/)
      }
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(match => match[1])
      expect(new Set(ids).size, path).toBe(ids.length)
    }
  })

  it.each([
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    ['en-GB', 'en'],
    ['de,fr;q=0.4,en;q=0.6', 'en'],
    ['en;q=0,fr;q=0.1', 'fr'],
    ['de', 'en'],
    ['', 'fr'],
    [';;;,q=,fr;q=x', 'en'],
  ])('is in the language the browser prefers: %j', async (acceptLanguage, language) => {
    const { html } = await people.visitor({ acceptLanguage }).get('/sign-in')
    expect(html).toContain(`<html lang="${language}">`)
  })

  it('can be had in the other language, which then stays', async () => {
    const who = people.visitor({ acceptLanguage: 'en' })
    const page = await who.get('/sign-in?next=/account')
    const other = /<footer><a href="([^"]+)" lang="fr" hreflang="fr">/.exec(page.html)![1]!
    const french = await who.get(other.replaceAll('&amp;', '&'))
    expect(french.html).toContain('<html lang="fr">')
    expect(formsIn(french.html)[0]).toMatchObject({
      action: '/sign-in?lang=fr',
      fields: { next: '/account' },
    })
    const answer = await who.submit(french, '/sign-in', { email: 'x', password: 'x' })
    expect(answer.html).toContain('<html lang="fr">')
    expect(visibleText(answer.html)).toContain('Adresse ou mot de passe erroné')
    expect((await who.get('/sign-in?lang=xx&lang=fr')).html).toContain('<html lang="en">')
  })

  it('a person’s own language comes before the browser’s', async () => {
    const who = people.visitor({ acceptLanguage: 'en' })
    await people.newOwner({ language: 'fr' }, who)
    expect((await who.get('/account')).html).toContain('<html lang="fr">')
    expect((await who.get('/account?lang=en')).html).toContain('<html lang="en">')
  })
})

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><svg onload=alert(1)>',
  '{{7*7}} #{7*7} <%= 7*7 %>',
  '&lt;b&gt;&#x3c;i&#x3e;',
  '<a href="javascript:alert(1)">x</a>',
  'a\u2028b <b>',
]

describe('what people call themselves', () => {
  it.each(hostile)('%j is shown as it was written, and does nothing', async text => {
    const known = await people.newOwner({ name: `N ${text}`, company: `C ${text}` })
    const pages = [await known.visitor.get('/account')]
    const { csrf } = formsIn(pages[0]!.html)[0]!.fields
    pages.push(
      await known.visitor.post('/account/profile', {
        csrf: csrf!,
        name: `${text}${'x'.repeat(200)}`,
        language: 'en',
      }),
    )
    const plain = `N ${text}`.replaceAll(/\s+/g, ' ')
    expect(visibleText(pages[0]!.html).replaceAll(/\s+/g, ' ')).toContain(plain)
    for (const { html } of pages) {
      expect(html).not.toMatch(
        /<script(?! src="\/assets\/)|<img|<svg (?!class="sign")|<b>|<i>|<a href="javascript/,
      )
      expect(html.match(/<title>/g)).toHaveLength(1)
    }
    const mail = await people.mailTo(known.email)
    expect(mail.text).not.toContain('alert')
  })

  it('neither does what is typed into a form, a link or an address', async () => {
    const who = people.visitor()
    for (const text of hostile) {
      const shown = [
        await who.post('/sign-in', { email: text, password: 'x' }),
        await who.post('/forgot', { email: text }),
        await who.get(`/verify?token=${encodeURIComponent(text)}`),
        await who.get(`/sign-in?next=${encodeURIComponent(`/${text}`)}&done=${encodeURIComponent(text)}`),
        await who.get(`/account?done=${encodeURIComponent(text)}`),
      ]
      for (const { html } of shown)
        expect(html).not.toMatch(/<script(?! src="\/assets\/)|<img|<svg (?!class="sign")|<b>|<i>|"javascript/)
    }
    for (const done of ['__proto__', 'constructor', 'toString'])
      expect((await who.get(`/sign-in?done=${done}`)).html).not.toContain('class="notice"')
  })
})

describe('what goes wrong', () => {
  it('another method is refused in words, with those that are allowed', async () => {
    const who = people.visitor()
    for (const [method, path, allow] of [
      ['GET', '/sign-out', 'POST'],
      ['PUT', '/sign-in', 'GET, POST'],
      ['DELETE', '/account', 'GET'],
      ['POST', '/mail-sent', 'GET'],
      ['GET', '/account/password', 'POST'],
    ] as const) {
      const answer = await who.send(method, path, {})
      expect(answer.status, `${method} ${path}`).toBe(405)
      expect(answer.headers.get('allow')).toBe(allow)
      expect(visibleText(answer.html)).toContain('Not like this')
    }
  })

  it('an error of ours tells nothing but a reference', async () => {
    await installation.sql('alter table sessions rename to sessions_away')
    try {
      const who = people.visitor()
      who.cookies.set('__Host-relance', 'A'.repeat(43))
      const answer = await who.get('/account')
      expect(answer.status).toBe(500)
      expect(visibleText(answer.html)).toContain('Something went wrong on our side')
      expect(answer.html).toContain(answer.headers.get('x-request-id')!)
      expect(answer.html).not.toMatch(/sessions|relation|select|at \w+ \(/i)
      const json = await who.postJson('/passkeys/creation-options', {})
      expect(json).toMatchObject({ status: 500, body: { error: 'Something went wrong on our side.' } })
    } finally {
      await installation.sql('alter table sessions_away rename to sessions')
    }
  })

  it('too many requests are said on a page that still has its looks', async () => {
    const who = people.visitor()
    let refused = await who.get('/sign-in')
    // The minute may end in between, once.
    for (let i = 0; i < 130 && refused.status === 200; i++) refused = await who.get('/sign-in')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(visibleText(refused.html)).toContain('Too many requests')
    const stylesheet = /href="(\/assets\/relance\.css\?v=\w+)"/.exec(refused.html)![1]!
    const style = await who.get(stylesheet)
    expect(style.status).toBe(200)
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(style.headers.get('cache-control')).toContain('immutable')
  })

  it('maintenance is said in words, and for how long', async () => {
    await installation.sql('update installation set maintenance_until = $1', [
      new Date(Date.now() + 600_000).toISOString(),
    ])
    try {
      const answer = await eventually(
        () => people.visitor().get('/sign-in'),
        shown => shown.status === 503,
      )
      expect(visibleText(answer.html)).toContain('We are too busy, or in maintenance')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500)
    } finally {
      await installation.sql('update installation set maintenance_until = null')
      await eventually(
        () => people.visitor().get('/sign-in'),
        shown => shown.status === 200,
      )
    }
  })

  it('the script is served as one, and an old address of it is not kept for ever', async () => {
    const page = await people.visitor().get('/sign-in')
    const script = /src="(\/assets\/passkeys\.js\?v=\w+)"/.exec(page.html)![1]!
    const { headers } = await people.visitor().get(script)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const old = await people.visitor().get('/assets/passkeys.js?v=0')
    expect(old.headers.get('cache-control')).toBe('public, max-age=86400')
    expect((await people.visitor().get('/assets/../package.json')).status).toBe(404)
    expect((await people.visitor().get('/assets/%2e%2e/package.json')).status).toBe(404)
  })
})

it('every audit event that an owner’s page shows has a text in both languages', () => {
  const shown = /^(api_key|company|member|oauth_client|oauth_grant|person|webhook)\./
  for (const { type } of auditEvents.filter(event => shown.test(event.type)))
    for (const language of ['fr', 'en'] as const)
      expect(pageTexts[language].auditEvents[type], `${type} (${language})`).toEqual(expect.any(String))
})
