import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type ErrorCode, type ErrorTexts, errorStatuses } from '../errors.ts'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}h2{margin:2rem 0 .25rem}:target{background:#fff3bf}code{background:#f1f3f5;padding:0 .25em}'
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

const errorsPage = (texts: ErrorTexts): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Relance: error codes</title>
<style>${style}</style>
<h1>Error codes</h1>
${Object.entries(texts)
  .map(
    ([code, { means, next }]) =>
      `<h2 id="${code}"><code>${code}</code> ${means}</h2><p>HTTP ${errorStatuses[code as ErrorCode]}. ${next.replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`,
  )
  .join('\n')}
</html>`

/** The page that `error.docUrl` points to, and the OpenAPI document. */
export function addDocsRoutes(app: FastifyInstance, openApiText: string, errorTexts: ErrorTexts): void {
  const page = errorsPage(errorTexts)
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openApiText),
  )
  app.get('/docs/errors', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  )
}
