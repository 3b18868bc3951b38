import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const folder = join(import.meta.dirname, '../../../../assets')

/** A static file with a hash of its content in the URL: a new version has a new URL, so browsers may cache it for ever. */
function asset(name: string, type: string) {
  const bytes = readFileSync(join(folder, name))
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `/assets/${name}`, href: `/assets/${name}?v=${version}`, type, bytes, version }
}

export const stylesheet = asset('relance.css', 'text/css; charset=utf-8')
export const docsStylesheet = asset('docs.css', 'text/css; charset=utf-8')
export const passkeyScript = asset('passkeys.js', 'text/javascript; charset=utf-8')

const cacheOneDay = 'public, max-age=86400'
const cacheForever = 'public, max-age=31536000, immutable'

/** The stylesheets and the script. Like health checks they are served without any check: an error page needs them too. */
export function addAssetRoutes(app: FastifyInstance): void {
  for (const { path, type, bytes, version } of [stylesheet, docsStylesheet, passkeyScript])
    app.get(path, { config: { open: true } as object }, async (request, reply) => {
      const { v } = request.query as Record<string, unknown>
      return reply
        .headers({
          'content-type': type,
          'cache-control': v === version ? cacheForever : cacheOneDay,
          'x-content-type-options': 'nosniff',
        })
        .send(bytes)
    })
}
