import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ApiDescription } from '../../../kit/http/openapi.ts'
import type { Json } from '../../../kit/http/openapi-schemas.ts'
import { pageHeaders, sendPage } from '../../../kit/http/pages.ts'
import { bestForm } from '../../access/console/files.ts'
import { viewOf } from '../../access/people/view.ts'
import { readDocument } from './document.ts'
import { drawings } from './guides.ts'
import { docHtml, missingPageHtml } from './layout.ts'
import { postmanCollection } from './postman.ts'
import { type DocPages, llmsText, siteOf } from './site.ts'
import { startPage } from './start-page.ts'

/** No script, no form, nothing from other origins. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
/** A drawing contains its own styles for light and dark. */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'"
const docHeaders = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'public, max-age=300',
}

/** A response that is compressed only once. */
interface Stored {
  readonly type: string
  readonly etag: string
  readonly identity: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}

function store(type: string, text: string): Stored {
  const identity = Buffer.from(text)
  return {
    type,
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    identity,
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: gzipSync(identity),
  }
}

/** All pages together take a third of it. */
const cacheBytes = 16 * 1024 * 1024

/** The same for every api in a process. */
let site: DocPages | undefined

/**
 * The documentation, the OpenAPI document and the page at `/`. A page is rendered on its first request and cached. The pages are
 * the same for every reader and cheap to serve, so they are not counted by address.
 */
export function addDocsRoutes(
  app: FastifyInstance,
  { contract, openApi, publicUrl }: { contract: ApiDescription; openApi: Json; publicUrl: string },
): void {
  const document = readDocument(openApi)
  site ??= siteOf({ contract, document })
  const { pages } = site
  const known = site
  const cache = new LRUCache<string, Stored>({
    maxSize: cacheBytes,
    sizeCalculation: ({ identity, br, gzip }) => identity.length + br.length + gzip.length,
  })
  const files: Readonly<Record<string, () => Stored>> = {
    '/openapi.json': () => store(types.json, JSON.stringify(openApi)),
    '/docs/postman.json': () =>
      store(types.json, JSON.stringify(postmanCollection(document, publicUrl), null, 1)),
    '/docs/llms.txt': () => store(types.text, llmsText(known, publicUrl)),
    '/llms.txt': () => store(types.text, llmsText(known, publicUrl)),
  }
  /** Null: there is no such page. */
  const make = (path: string): Stored | null => {
    const file = files[path]
    if (file) return file()
    const drawing = drawings.get(path)
    if (drawing) return store(types.svg, readFileSync(drawing, 'utf8'))
    const name = path.replace(/^\/docs\/?/, '')
    const page = pages.get(name === 'index.md' ? '' : name === '.md' ? name : name.replace(/\.md$/, ''))
    if (!page) return null
    return name.endsWith('.md')
      ? store(types.markdown, page.markdown())
      : store(types.html, docHtml(known, page))
  }
  const find = (path: string): Stored | null => {
    const kept = cache.get(path) ?? make(path)
    if (kept) cache.set(path, kept)
    return kept
  }
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = find(request.url.split('?')[0]!)
    if (!found) return reply.code(404).headers(docHeaders).send(missingPageHtml(known))
    const { bytes, encoding } = bestForm(found, request.headers['accept-encoding'])
    reply.headers({ ...docHeaders, 'content-type': found.type, etag: found.etag, vary: 'accept-encoding' })
    if (found.type === types.svg) reply.header('content-security-policy', drawingPolicy)
    if (request.headers['if-none-match']?.includes(found.etag)) return reply.code(304).send()
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send(bytes)
  }
  const config = { unlimited: true }
  for (const path of ['/openapi.json', '/llms.txt', '/docs']) app.get(path, { config }, send)
  app.get('/docs/*', { config: { ...config, isFallback: true } }, send)
  app.get('/', { config }, async (request, reply) =>
    sendPage(reply.header('vary', 'accept-language'), 200, startPage(viewOf(request, null))),
  )
}
