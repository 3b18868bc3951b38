import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useInstallation } from '../../harness/use-installation.ts'
import { assetsOf, consoleFolder } from './built-files.ts'

const installation = useInstallation({ hasWorker: false })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(installation.server.baseUrl + path, { headers })

describe('the page of the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/0198c3c2/production/debtors/0198c3c3?x=1',
    '/console/no-such-thing',
  ])('is served at %s, to everybody, and never kept', async path => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('content-type')]).toEqual([
      200,
      'no-store',
      'text/html; charset=utf-8',
    ])
    expect(await answer.text()).toBe(readFileSync(join(consoleFolder, 'index.html'), 'utf8'))
  })

  it('lets no script run but its own files, and no text become one', async () => {
    const { headers } = await get('/console')
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "frame-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  it('is not what an unknown path of the API, or an unknown file, answers', async () => {
    for (const path of [
      '/console/api/v1/nothing',
      '/console/assets/nothing.js',
      '/console/assets/../index.html',
    ]) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')], path).toEqual(
        path.includes('..') ? [200, 'text/html; charset=utf-8'] : [404, 'application/json; charset=utf-8'],
      )
    }
    const other = await fetch(`${installation.server.baseUrl}/console/api/v1/nothing`, { method: 'POST' })
    expect(other.status).toBe(404)
  })
})

describe('the files of the console', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ])('are sent to who accepts %s in the smallest form they understand', async (accepted, encoding) => {
    for (const name of assetsOf(/\.(js|css)$/)) {
      const answer = await get(`/console/assets/${name}`, { 'accept-encoding': accepted })
      expect(answer.status).toBe(200)
      const { headers } = answer
      // A file is packed only in the forms that make it shorter.
      const isShorter = assetsOf(/\.(br|gz)$/).includes(`${name}.${encoding === 'gzip' ? 'gz' : encoding}`)
      expect(headers.get('content-encoding'), name).toBe(isShorter ? encoding : null)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('vary')).toBe('accept-encoding')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // The client unpacks what was packed.
      expect(await answer.text()).toBe(readFileSync(join(consoleFolder, 'assets', name), 'utf8'))
    }
  })
})
