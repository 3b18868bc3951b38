import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, dropDatabase, newName, rolePasswords } from '../dev/database.ts'
import { findPostgres } from '../dev/postgres.ts'
import { contract } from '../src/features/all.ts'
import { readDocument } from '../src/features/integrations/docs/document.ts'
import { eventsPage } from '../src/features/integrations/docs/reference.ts'
import { bootstrapRoles } from '../src/kit/db/bootstrap.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { type ErrorCode, errorStatuses } from '../src/kit/errors.ts'
import { openApi } from '../src/kit/http/openapi.ts'
import { exampleEnvironment } from '../src/start/config.ts'
import { checkTimesPage, readCheckTimes } from '../test/harness/check-times.ts'
import { nightlyWorkflow } from '../test/stages.ts'
import { conformancePage } from './conformance.ts'
import { consoleLimits } from './console-limits.ts'
import { everyStatement } from './every-statement.ts'
import { generateHolidays } from './holidays.ts'
import { completeLockfile } from './lockfile.ts'
import { schemaPage } from './schema-page.ts'
import { generateSchemaTypes } from './schema-types.ts'
import { sdkFiles } from './sdk.ts'
import { generateStatementTypes } from './statement-types.ts'

const root = join(import.meta.dirname, '../..')

const errorsPage = () => `# Error codes

Every refusal has the same shape: \`success: false\`, \`error.code\`, \`error.message\`, \`requestId\`, \`timestamp\`, and, where it helps, \`error.details\`, one entry per field. This page is made from the table the server answers from.

| code | HTTP | meaning | what to do |
|---|---|---|---|
${Object.entries(contract.errorTexts)
  .map(
    ([code, { means, next }]) => `| \`${code}\` | ${errorStatuses[code as ErrorCode]} | ${means} | ${next} |`,
  )
  .join('\n')}
`

/** The page of the events as it is served, with the names of types instead of links. */
const eventsText = () =>
  eventsPage({ contract, document: readDocument(openApi(contract)) })
    .replace('(/docs/webhooks.md)', '(webhooks.md)')
    .replaceAll(/\[([^\]]+)\]\(\/[^)]*\)/g, '$1')

/** Three files from one migrated database. */
async function typesFromDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'relance-generate-'))
  const databaseUrl = process.env.DATABASE_URL
  const postgres = await findPostgres({ dataDir, ...(databaseUrl && { databaseUrl }) })
  const name = newName('relance_generate_')
  try {
    await bootstrapRoles(postgres.adminUrl, rolePasswords)
    const database = await createDatabase(postgres.adminUrl, name)
    await migrate(database.adminUrl, join(root, 'server/migrations'), new Date().toISOString())
    return {
      schema: await generateSchemaTypes(database.adminUrl),
      page: await schemaPage(database.adminUrl),
      statements: await generateStatementTypes(database.adminUrl, await everyStatement()),
    }
  } finally {
    await dropDatabase(postgres.adminUrl, name)
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

let types: ReturnType<typeof typesFromDatabase> | undefined
const typesOnce = () => {
  types ??= typesFromDatabase()
  return types
}

/** All generated files of the repository. */
const files: Record<string, () => string | Promise<string>> = {
  'server/openapi.json': () => `${JSON.stringify(openApi(contract), null, 2)}\n`,
  'server/src/kit/db/schema.generated.ts': async () => (await typesOnce()).schema,
  'server/src/kit/db/statements.generated.ts': async () => (await typesOnce()).statements,
  'server/src/domain/contact/holidays.generated.json': generateHolidays,
  'sdk/src/generated/types.ts': () => sdkFiles(contract).types,
  'sdk/src/generated/resources.ts': () => sdkFiles(contract).resources,
  'console/src/lib/limits.generated.ts': () => consoleLimits(contract),
  '.env.example': exampleEnvironment,
  'sdk/src/generated/commands.ts': () => sdkFiles(contract).commands,
  '.github/workflows/nightly.yml': nightlyWorkflow,
  'docs/check-times.md': () => checkTimesPage(readCheckTimes()),
  'docs/errors.md': errorsPage,
  'docs/events.md': eventsText,
  'docs/conformance.md': conformancePage,
  'docs/schema.md': async () => (await typesOnce()).page,
  'package-lock.json': () => completeLockfile(join(root, 'package-lock.json')),
}

const isCheck = process.argv.includes('--check')
const stale: string[] = []
for (const [path, make] of Object.entries(files)) {
  const text = await make()
  const current = await readFile(join(root, path), 'utf8').catch(() => '')
  if (text === current) continue
  if (isCheck) stale.push(path)
  else await writeFile(join(root, path), text)
}
if (stale.length > 0) {
  console.error(`not up to date: ${stale.join(', ')}; run npm run generate`)
  process.exitCode = 1
}
