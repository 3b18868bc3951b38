import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestForm, readConsoleFiles } from '../../../src/features/access/console/files.ts'
import { runChild } from '../../../src/kit/child-process.ts'

const root = join(import.meta.dirname, '../../../..')

const script = `import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const hello = createElement('p', null, 'hello')
createRoot(document.getElementById('root')).render(createElement(StrictMode, null, hello))
`

const config = `export default { base: '/console/', build: { target: 'es2024', modulePreload: { polyfill: false } } }
`

/** The least that a page with React can be: built as Vite does it by itself, and served under the same policy as the console. */
export async function serveBarePage(contentSecurityPolicy: string) {
  const folder = await mkdtemp(join(tmpdir(), 'relance-bare-page-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const page = await readFile(join(root, 'console/index.html'), 'utf8')
  await writeFile(join(folder, 'index.html'), page.replace('/src/main.tsx', '/main.js'))
  await writeFile(join(folder, 'main.js'), script)
  const built = join(folder, 'dist')
  await writeFile(join(folder, 'vite.config.js'), config)
  await runChild('vite', ['build', folder, '--outDir', built], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const files = readConsoleFiles(built)
  if (!files) throw new Error('the bare page was not built')
  const server = createServer((request, reply) => {
    const file = files.assets.get((request.url ?? '').replace('/console/assets/', ''))
    if (!file) {
      reply.setHeader('content-security-policy', contentSecurityPolicy)
      reply.setHeader('content-type', 'text/html; charset=utf-8').end(files.page)
      return
    }
    const { bytes, encoding } = bestForm(file, request.headers['accept-encoding'])
    if (encoding) reply.setHeader('content-encoding', encoding)
    reply.setHeader('content-type', file.type).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/console`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
