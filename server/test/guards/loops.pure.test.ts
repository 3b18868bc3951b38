import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')

interface Source {
  path: string
  lines: readonly string[]
  imports: readonly string[]
}

const sources: Source[] = []
for await (const path of glob('{features,start}/**/*.ts', { cwd: src })) {
  if (path.endsWith('.test.ts')) continue
  const text = readFileSync(join(src, path), 'utf8')
  const imports = [...text.matchAll(/\bfrom\s*'(\.[^']+)'/g)].map(([, specifier]) =>
    posix.normalize(posix.join(posix.dirname(path), specifier!)),
  )
  sources.push({ path, lines: text.split('\n'), imports })
}

/** What a file of the worker's loops is known by: it runs without anybody's request, and enters tenants by itself. */
const marks = /\b(asWorker|startPollLoop|startLeaderLoop|setInterval|forEachTenant)\b/
const marked = new Set(sources.filter(({ lines }) => marks.test(lines.join('\n'))).map(({ path }) => path))
/** And whoever calls it from the same folder. `start/worker.ts` only starts and stops the loops. */
const isOfLoop = ({ path, imports }: Source) =>
  path !== 'start/worker.ts' &&
  (marked.has(path) ||
    imports.some(
      imported =>
        marked.has(imported) && posix.dirname(imported) === posix.dirname(path) && path !== imported,
    ))

const indentOf = (line: string) => line.length - line.trimStart().length

/** Loops over items that wait inside: the first failure ends them for all items that follow. By the indentation of the formatter. */
function awaitingLoops({ path, lines }: Source): string[] {
  return lines.flatMap((line, at) => {
    if (!/\bfor (await )?\(const .*\bof\b/.test(line)) return []
    const after = lines.slice(at + 1)
    const end = after.findIndex(next => next.trim() !== '' && indentOf(next) <= indentOf(line))
    const loop = [line.replace(/\bof await\b/, 'of'), ...after.slice(0, end)].join('\n')
    return /\bawait\b|\btransact\(/.test(loop) ? [`${path}:${at + 1}`] : []
  })
}

/** Their items are of one tenant: what they wait for concerns nobody else. */
const allowed = [
  // A command of the operator: its tenants are walked with forEachTenant, its other loops are over one tenant, or over providers,
  // and what fails there ends the command, which is run again.
  'features/recovery/messages/reconcile/reconcile-sends.ts',
  // The tasks of one tenant, and the items of one task.
  'features/integrations/tasks/bulk/run-bulk.ts',
  'features/integrations/tasks/import/read-file.ts',
  'features/integrations/tasks/export/run-export.ts',
  'features/integrations/tasks/take-next-task.ts',
  'features/integrations/tasks/bulk/run-bulk.ts',
  // The debtors and rows of one tenant.
  'features/receivables/debtors/alert-due-requests.ts',
  'features/receivables/debtors/warn-of-declarations.ts',
  'features/integrations/tasks/erase/erase-persons.ts',
  'features/integrations/tasks/erase/gather-copy.ts',
  'features/integrations/tasks/erase/run-access.ts',
]

it('a loop of the worker waits for its items with forEachTenant, so that the fault of one tenant is its own', () => {
  const found = sources.filter(isOfLoop).flatMap(awaitingLoops)
  const isAllowed = (place: string) => allowed.some(path => place.startsWith(`${path}:`))
  expect(found.filter(place => !isAllowed(place))).toEqual([])
  expect(allowed.filter(path => !found.some(place => place.startsWith(`${path}:`)))).toEqual([])
})

it('the loops of the worker are found', () => {
  const known = sources.filter(isOfLoop).map(({ path }) => path)
  for (const path of [
    'start/night.ts',
    'start/mail-loop.ts',
    'features/integrations/webhooks/replay-events.ts',
    'features/integrations/webhooks/delivery-loop.ts',
    'features/recovery/receipts/early-receipts.ts',
    'features/receivables/scoring/score-loop.ts',
  ])
    expect(known).toContain(path)
})
