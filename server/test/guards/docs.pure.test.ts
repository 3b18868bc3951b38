import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAssetRoutes } from '../../src/features/access/pages/assets.ts'
import { contract } from '../../src/features/all.ts'
import { guides } from '../../src/features/integrations/docs/guides.ts'
import { addDocsRoutes } from '../../src/features/integrations/docs/routes.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { errorStatuses } from '../../src/kit/errors.ts'
import { exampleBody } from '../../src/kit/event-example.ts'
import { openApi } from '../../src/kit/http/openapi.ts'
import { fileTypeOf, type Operation } from '../../src/kit/operation.ts'
import { drawPlots } from '../bench/plots.ts'

const root = join(import.meta.dirname, '../../..')
const publicUrl = 'https://relance.example'

type Node = Record<string, unknown>
interface Field {
  name: string
  schema: Node
}
const document = openApi(contract) as {
  paths: Record<string, Record<string, Node>>
  components: { schemas: Record<string, Node> }
}

let app: FastifyInstance
beforeAll(() => {
  app = Fastify()
  addAssetRoutes(app)
  addDocsRoutes(app, { contract, openApi: document, publicUrl })
})
afterAll(() => app.close())

const texts = new Map<string, string>()
async function read(path: string): Promise<string> {
  const known = texts.get(path)
  if (known !== undefined) return known
  const answer = await app.inject({ url: path, headers: { 'accept-language': 'en' } })
  expect([path, answer.statusCode]).toEqual([path, 200])
  texts.set(path, answer.body)
  return answer.body
}

/** Everything that `llms.txt` names. */
const markdownPaths = async () =>
  [...(await read('/llms.txt')).matchAll(/\]\(https:\/\/relance\.example(\/docs\/[^)]+)\)/g)].map(
    ([, path]) => path!,
  )
const pagePaths = async () => [
  '/',
  '/docs',
  ...(await markdownPaths()).map(path => path.replace(/\.md$/, '')),
]

/** Every field below a schema, references followed. */
function fieldsBelow(node: unknown, seen = new Set<string>()): Field[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(item => fieldsBelow(item, seen))
  const { $ref, properties, items, anyOf, oneOf, allOf } = node as Node
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)!
    if (seen.has(name)) return []
    return fieldsBelow(document.components.schemas[name], new Set([...seen, name]))
  }
  const own = Object.entries((properties ?? {}) as Record<string, Node>)
  return [
    ...own.map(([name, schema]) => ({ name, schema })),
    ...own.flatMap(([, schema]) => fieldsBelow(schema, seen)),
    ...[items, anyOf, oneOf, allOf].flatMap(one => fieldsBelow(one, seen)),
  ]
}

const jsonSchema = (part: unknown) =>
  (part as { content?: Record<string, { schema: Node }> } | undefined)?.content?.['application/json']?.schema

/** The lines `name` *type* description of a page. */
const fieldLinesOf = (markdown: string) =>
  new Map([...markdown.matchAll(/^ *- `([^`]+)` \*.*?\* (.*)$/gm)].map(([, name, text]) => [name!, text!]))

const codeOf = (markdown: string, label: string) =>
  new RegExp(`^\`\`\`\\w+ ${label}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(markdown)?.[1]

describe('the reference', () => {
  it.each(contract.operations)(
    '$id: request, fields with descriptions, errors and examples',
    async operation => {
      const markdown = await read(`/docs/api/${operation.id}.md`)
      const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
      const route = document.paths[path]![operation.method.toLowerCase()]!
      expect(markdown).toContain(`\`${operation.method} ${path}\``)
      for (const scope of operation.scopes) expect(markdown).toContain(`\`${scope}\``)
      const lines = fieldLinesOf(markdown)
      const data = (jsonSchema((route.responses as Node)[operation.status])?.properties as Node | undefined)
        ?.data
      const expected = [...fieldsBelow(jsonSchema(route.requestBody)), ...fieldsBelow(data)]
      expect(
        expected.filter(({ name }) => !/\w/.test(lines.get(name) ?? '')).map(({ name }) => name),
      ).toEqual([])
      for (const parameter of namesOfParameters(operation))
        expect(lines.get(parameter), parameter).toMatch(/\w/)
      for (const { code } of operation.errors)
        expect(markdown + (await read('/docs/errors.md'))).toContain(`\`${code}\``)
      for (const label of ['curl', 'TypeScript', 'Python'])
        expect(codeOf(markdown, label), label).toBeDefined()
      const hasExample = operation.status !== 204 && !fileTypeOf(operation)
      const answer = /^```json\n([\s\S]*?)^```/m.exec(markdown)?.[1]
      expect(answer && JSON.parse(answer)).toEqual(
        hasExample ? contract.answerExamples[operation.id] : undefined,
      )
      const page = await read(`/docs/api/${operation.id}`)
      for (const { name } of expected) expect(page).toContain(`<code>${name}</code>`)
    },
  )

  const namesOfParameters = ({ params, query }: Operation) =>
    [params, query].flatMap(schema => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {}))

  it('has every endpoint that is not an operation', async () => {
    const known = new Set(contract.operations.map(({ id }) => id))
    const others = Object.values(document.paths)
      .flatMap(routes => Object.values(routes))
      .map(({ operationId }) => String(operationId))
      .filter(id => !known.has(id))
    expect(others.length).toBeGreaterThan(5)
    for (const id of others) expect(codeOf(await read(`/docs/api/${id}.md`), 'curl')).toContain('$BASE_URL')
  })

  it('has every list of values', async () => {
    const markdown = await read('/docs/api/types.md')
    for (const [name, values] of Object.entries(contract.namedEnums)) {
      expect(markdown).toContain(`## \`${name}\``)
      for (const value of values) expect(markdown).toContain(`\`${value}\``)
    }
  })

  it.each(Object.keys(errorStatuses))(
    '%s has a page, and stands on the page that errors point to',
    async code => {
      const texts = contract.errorTexts[code as keyof typeof errorStatuses]
      const markdown = await read(`/docs/errors/${code}.md`)
      expect(markdown).toContain(texts.means)
      expect(markdown).toContain(texts.next)
      expect(markdown).toContain(`"code": "${code}"`)
      const all = await read('/docs/errors')
      expect(all).toContain(` id="${code}"`)
      expect(all).toContain(`href="/docs/errors/${code}"`)
    },
  )

  it.each(contract.events)('$type is in the catalogue with its fields and a body', async event => {
    const markdown = await read('/docs/events.md')
    const section = markdown.split(`## \`${event.type}\`\n`)[1]!.split('\n## ')[0]!
    expect(section).toContain(event.summary)
    const body = JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(section)![1]!)
    expect(body).toEqual(exampleBody(event, 'production'))
    const lines = fieldLinesOf(section)
    for (const field of Object.keys(body.data)) expect(lines.get(field), field).toMatch(/\w/)
    expect(await read('/docs/events')).toContain(` id="${event.type}"`)
  })

  it('the Postman collection has every request', async () => {
    const collection = JSON.parse(await read('/docs/postman.json'))
    expect(collection.variable).toContainEqual({ key: 'BASE_URL', value: publicUrl })
    const items = collection.item.flatMap((folder: { item: Node[] }) => folder.item) as {
      name: string
      request: { method: string; url: { raw: string } }
    }[]
    const endpoints = Object.entries(document.paths).flatMap(([path, routes]) =>
      Object.keys(routes).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(
      items
        .map(
          ({ request }) =>
            `${request.method} ${request.url.raw.replace('{{BASE_URL}}', '').replaceAll(/:(\w+)/g, '{$1}')}`,
        )
        .sort(),
    ).toEqual(endpoints.sort())
  })
})

describe('the examples', () => {
  const codes = (label: string) =>
    Promise.all(
      contract.operations.map(async ({ id }) => ({
        id,
        code: codeOf(await read(`/docs/api/${id}.md`), label)!,
      })),
    )

  it('in TypeScript compile with the SDK', async () => {
    await mkdir(join(root, '.data'), { recursive: true })
    const folder = await mkdtemp(join(root, '.data/docs-examples-'))
    try {
      for (const { id, code } of await codes('TypeScript'))
        await writeFile(join(folder, `${id}.ts`), `${code}export {}\n`)
      const options = {
        target: 'esnext',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        types: ['node'],
        typeRoots: ['../../node_modules/@types'],
        paths: { '@relance/sdk': ['../../sdk/src/index.ts'] },
      }
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
      )
      await runChild(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
        (error: { stdout: string }) => {
          throw new Error(error.stdout)
        },
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('in Python and for the shell are well formed', async () => {
    const parse =
      'import ast,json,sys\nfor one in json.load(open(sys.argv[1])): ast.parse(one["code"], one["id"])'
    const folder = await mkdtemp(join(tmpdir(), 'relance-docs-'))
    try {
      const [python, shell] = [join(folder, 'python.json'), join(folder, 'curl.sh')]
      await writeFile(python, JSON.stringify(await codes('Python')))
      await runChild('python3', ['-c', parse, python])
      await writeFile(shell, (await codes('curl')).map(({ code }) => code).join('\n'))
      await runChild('bash', ['-n', shell])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the pages', () => {
  it('every file of docs is served, or left to those who work on the program', () => {
    const forContributors = [
      'check-times',
      'conformance',
      'console-door',
      'console-fields',
      'demo-history.fr',
      'proofs',
      'schema',
    ]
    const made = ['errors', 'events']
    const served = guides.map(({ file }) => file).filter(file => file.startsWith('docs/'))
    expect(globSync('docs/*.md', { cwd: root }).sort()).toEqual(
      [...served, ...[...forContributors, ...made].map(name => `docs/${name}.md`)].sort(),
    )
  })

  it('examples name the address and the key alike', async () => {
    for (const path of await markdownPaths())
      expect(await read(path), path).not.toMatch(/\$\{?(?:BASE|URL|KEY|PRODUCTION_KEY|SANDBOX_KEY)\b/)
  })

  it('every link leads to a page that exists, and to a heading that is on it', async () => {
    const broken: string[] = []
    let count = 0
    const statuses = new Map<string, number>()
    const elsewhere = /^\/(?:console|d|legal)(?:\?.*)?$/
    for (const path of await pagePaths()) {
      for (const [, href] of (await read(path)).matchAll(/ href="([^"]+)"/g)) {
        if (/^(?:https?:|data:|mailto:)/.test(href!) || elsewhere.test(href!)) continue
        count++
        const [target = '', anchor] = href!.replaceAll('&amp;', '&').split('#')
        const url = target || path
        if (!statuses.has(url)) statuses.set(url, (await app.inject({ url })).statusCode)
        if (statuses.get(url) !== 200) broken.push(`${path}: ${href}`)
        else if (anchor !== undefined && !(await read(url)).includes(` id="${anchor}"`))
          broken.push(`${path}: ${href} (no such heading)`)
      }
    }
    expect(count).toBeGreaterThan(1_000)
    expect([...new Set(broken)]).toEqual([])
  }, 180_000)

  it('every page has one main heading, a title and its Markdown', async () => {
    const paths = await markdownPaths()
    expect(paths.length).toBeGreaterThan(190)
    for (const path of paths) {
      const page = await read(path.replace(/\.md$/, ''))
      expect([path, page.match(/<h1>/g)?.length]).toEqual([path, 1])
      expect(page).toMatch(/<title>[^<]+ · Relance docs<\/title>/)
      expect(await read(path)).toMatch(/^# /m)
      // A table, a link or markup that was not understood shows as it was written.
      expect(page.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''), path).not.toMatch(/\]\(|^\||&lt;img /m)
    }
  })

  it('nothing in them is a script, a style of its own or from elsewhere', async () => {
    for (const path of await pagePaths()) {
      const page = await read(path)
      expect(page, path).not.toMatch(/<script|<style| style=| on\w+=|<iframe|<img src="(?!\/docs\/)/)
      expect(page, path).not.toMatch(/(?:src|<link[^>]*href)="https?:/)
    }
    const { headers } = await app.inject({ url: '/docs' })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
  })

  it('drawings of a page are served, in the colours of the reader', async () => {
    const sources = [...(await read('/docs/performance')).matchAll(/<img src="([^"]+)" alt="[^"]+"/g)].map(
      ([, source]) => source!,
    )
    expect(sources.sort()).toEqual([...drawPlots().keys()].map(name => `/docs/performance/${name}`).sort())
    for (const url of sources) {
      const { statusCode, headers, body } = await app.inject({ url })
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'")
      expect(body).toContain('prefers-color-scheme:dark')
    }
    expect((await app.inject({ url: '/docs/performance/../performance/none.svg' })).statusCode).toBe(404)
  })

  it('the drawings are those that `npm run bench -- plots` makes of the results', () => {
    expect(drawPlots().size).toBeGreaterThan(1)
    for (const [name, svg] of drawPlots())
      expect(readFileSync(join(root, 'docs/performance', name), 'utf8'), name).toBe(svg)
  })

  it('are compressed, validated by their content, and answer HEAD', async () => {
    const plain = await app.inject({ url: '/docs/webhooks' })
    const packed = await app.inject({ url: '/docs/webhooks', headers: { 'accept-encoding': 'br' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    const etag = String(plain.headers.etag)
    const again = await app.inject({ url: '/docs/webhooks', headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await app.inject({ method: 'HEAD', url: '/docs/webhooks' })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
  })

  it('an unknown page is a 404 with links', async () => {
    for (const url of [
      '/docs/nothing',
      '/docs/api/nothing.md',
      '/docs/../docs/x',
      '/docs/constructor',
      '/docs/.md',
    ]) {
      const answer = await app.inject({ url })
      expect([url, answer.statusCode]).toEqual([url, 404])
      expect(answer.body).toContain('href="/docs/api"')
    }
  })

  it('the first page is in the language of the reader', async () => {
    const answer = await app.inject({ url: '/', headers: { 'accept-language': 'fr' } })
    expect(answer.body).toContain('<html lang="fr">')
    expect(await read('/')).toContain('<html lang="en">')
  })
})

it('the page of the sandbox names every event that can be simulated', () => {
  const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8')
  const events = contract.operations.flatMap(({ path }) => /\/sandbox\/simulate\/(.+)$/.exec(path)?.[1] ?? [])
  expect(events.length).toBeGreaterThan(10)
  expect(events.filter(event => !page.includes(`\`${event}\``))).toEqual([])
})
