import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runChild } from '../../src/kit/child-process.ts'
import { ownAddresses, tokenCalls } from '../harness/tokens.ts'
import { useInstallation } from '../harness/use-installation.ts'
import { chromiumPath } from './chromium.ts'
import { useBrowser } from './use-browser.ts'

const root = join(import.meta.dirname, '../../..')

describe.skipIf(!chromiumPath)('the SDK in a page of another origin', () => {
  const installation = useInstallation({ hasWorker: false, env: ownAddresses })
  const { client, tokenOf } = tokenCalls(installation)
  const { newPage } = useBrowser()
  let folder: string
  let pages: Server
  let origin: string
  let token: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'relance-sdk-browser-'))
    await runChild(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'sdk'), '--outDir', folder])
    // An application of somebody else, with the SDK as it is published: modules, not bundled.
    pages = createServer(async (request, reply) => {
      if (request.url === '/')
        return void reply.setHeader('content-type', 'text/html').end('<title>App</title>')
      const file = await readFile(join(folder, request.url!)).catch(() => null)
      reply.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file)
    })
    pages.listen(0, '127.0.0.1')
    await once(pages, 'listening')
    origin = `http://localhost:${(pages.address() as AddressInfo).port}`
    token = await tokenOf(await client())
  })
  afterAll(async () => {
    pages?.closeAllConnections()
    pages?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs in the page; `sdk`, `token` and `baseUrl` are there. */
  async function inPage<Result>(program: string): Promise<Result> {
    const page = await newPage()
    // A header that the page does not send itself would have to be allowed too.
    await page.setExtraHTTPHeaders({})
    await page.goto(origin)
    const { baseUrl } = installation.server
    return page.evaluate<Result>(
      `(async () => { const sdk = await import('/index.js'); const token = '${token}'; const baseUrl = '${baseUrl}'; ${program} })()`,
    )
  }

  it('creates, lists, reads headers and gets typed errors, by an access token', async () => {
    const seen = await inPage<Record<string, unknown>>(`
      const relance = new sdk.Relance({ accessToken: async () => token, baseUrl })
      const created = await relance.invoices.create({
        invoiceNumber: 'WEB-1', amountCents: 120000, issueDate: '2026-09-15', dueDate: '2026-10-15',
        debtor: { name: 'Durand SARL', email: 'compta@durand.example' },
      }).withResponse()
      const numbers = []
      for await (const invoice of relance.invoices.list({ limit: 1 })) numbers.push(invoice.invoiceNumber)
      const error = await relance.invoices.get('00000000-0000-7000-8000-000000000000').catch(error => error)
      const task = await relance.tasks.import(new Blob(['a;b\\n1;2\\n'], { type: 'text/csv' }), { fileName: 'a.csv' })
      return {
        limit: Number(created.headers.get('x-ratelimit-remaining')) > 0,
        hasId: created.requestId !== null,
        numbers,
        error: [error instanceof sdk.RelanceError, error.code, error.requestId !== null],
        task: task.kind,
      }`)
    expect(seen).toEqual({
      limit: true,
      hasId: true,
      numbers: ['WEB-1'],
      error: [true, 'RES_001', true],
      task: 'import',
    })
  })

  it('refuses an API key with a sentence', async () => {
    const message = await inPage<string>(`
      try { new sdk.Relance({ apiKey: 'fk_test_x', baseUrl }); return 'taken' } catch (error) { return error.message }`)
    expect(message).toMatch(/^An API key must not be used in a browser/)
  })

  it('whoever sends a key by hand is refused by the browser', async () => {
    const key = installation.company.sandboxKey
    const sent = await inPage<string>(`
      return fetch(baseUrl + '/api/v1/company', { headers: { 'x-api-key': '${key}' } }).then(() => 'answered', error => error.name)`)
    expect(sent).toBe('TypeError')
  })

  it('signs and verifies deliveries', async () => {
    const verified = await inPage<string>(`
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw9r8GKYqrTwg='
      const { headers, body } = await sdk.signTestDelivery(secret, JSON.stringify({ event: 'invoice.created' }))
      return (await sdk.verifyWebhook(secret, new Headers(headers), body)).event`)
    expect(verified).toBe('invoice.created')
  })
})
