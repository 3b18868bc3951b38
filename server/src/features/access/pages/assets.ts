import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const folder = join(import.meta.dirname, '../../../../assets')

/** A file of ours, known to the page by its content: a new one has a new address, so an old one may be kept for ever. */
function asset(name: string, type: string) {
  const bytes = readFileSync(join(folder, name))
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `/assets/${name}`, href: `/assets/${name}?v=${version}`, type, bytes, version }
}

export const stylesheet = asset('relance.css', 'text/css; charset=utf-8')
export const passkeyScript = asset('passkeys.js', 'text/javascript; charset=utf-8')

const day = 'public, max-age=86400'
const forEver = 'public, max-age=31536000, immutable'

/** The one stylesheet and the one script. Open like the health page: a page that says "try again later" needs them too. */
export function addAssetRoutes(app: FastifyInstance): void {
  for (const { path, type, bytes, version } of [stylesheet, passkeyScript])
    app.get(path, { config: { open: true } as object }, async (request, reply) => {
      const { v } = request.query as Record<string, unknown>
      return reply
        .headers({
          'content-type': type,
          'cache-control': v === version ? forEver : day,
          'x-content-type-options': 'nosniff',
        })
        .send(bytes)
    })
}
