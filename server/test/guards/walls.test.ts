import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../src/features/tables.ts'

const src = join(import.meta.dirname, '../../src')

/** From the lowest to the highest: a wing imports only from those before it. The last two do not know each other. */
const wings = ['platform', 'access', 'recovery', 'receivables', 'debtor-side', 'integrations']
const strangers = ['debtor-side', 'integrations']

interface Source {
  /** From `src`: `features/recovery/wake/wake-debtor.ts`. */
  readonly path: string
  readonly folder: string
  readonly text: string
  /** The files of ours it imports, types included. */
  readonly imports: readonly string[]
}

const folderOf = (path: string) => (posix.dirname(path) === '.' ? '' : posix.dirname(path))

function readSource(path: string): Source {
  const text = readFileSync(join(src, path), 'utf8')
  const imports = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, specifier]) =>
    posix.normalize(posix.join(posix.dirname(path), specifier!)),
  )
  return { path, folder: folderOf(path), text, imports }
}

let sources: Source[]
beforeAll(async () => {
  sources = []
  for await (const path of glob('**/*.ts', { cwd: src }))
    if (!/\.(test|conformance|generated)\.ts$/.test(path)) sources.push(readSource(path))
})

const wingOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]

it('imports between the wings go down only', () => {
  const upwards = sources.flatMap(({ path, imports }) =>
    imports
      .filter(target => {
        const [from, to] = [wingOf(path), wingOf(target)]
        if (!from || !to || from === to) return false
        const isStranger = strangers.includes(from) && strangers.includes(to)
        return isStranger || wings.indexOf(to) > wings.indexOf(from)
      })
      .map(target => `${path} → ${target}`),
  )
  expect(upwards).toEqual([])
  expect([...new Set(sources.map(({ path }) => wingOf(path)))].filter(Boolean).sort()).toEqual(
    wings.toSorted(),
  )
})

/** A feature may be divided into subfolders that know it. Everywhere else a folder and its subfolder are two folders. */
const isFeature = (folder: string) => /^features\/[^/]+\/[^/]+$/.test(folder)
const belongTogether = (a: string, b: string) =>
  (isFeature(a) && b.startsWith(`${a}/`)) || (isFeature(b) && a.startsWith(`${b}/`))

it('no folders import each other in a circle, type imports included', () => {
  const edges = new Map<string, Map<string, string>>()
  for (const { path, folder, imports } of sources)
    for (const target of imports) {
      const to = folderOf(target)
      if (to === folder || belongTogether(folder, to)) continue
      if (!edges.has(folder)) edges.set(folder, new Map())
      edges.get(folder)!.set(to, `${path} → ${target}`)
    }
  const finished = new Set<string>()
  const cycles: string[][] = []
  function visit(folder: string, trail: readonly string[]): void {
    const start = trail.indexOf(folder)
    if (start >= 0) {
      const circle = [...trail.slice(start), folder]
      cycles.push(circle.slice(1).map((to, index) => edges.get(circle[index]!)!.get(to)!))
      return
    }
    if (finished.has(folder)) return
    for (const to of edges.get(folder)?.keys() ?? []) visit(to, [...trail, folder])
    finished.add(folder)
  }
  for (const folder of edges.keys()) visit(folder, [])
  expect(cycles).toEqual([])
})

/** What a feature declares, the file it is declared in, and how it is recognised. Prefixed names, as in `dispute-schema.ts`, are for folders with several. */
const declarations: { what: string; file: string; isIn: (text: string) => boolean }[] = [
  { what: 'an error', file: 'errors.ts', isIn: text => /\bdefineError\(/.test(text) },
  { what: 'an event', file: 'events.ts', isIn: text => /\bdefineEvent\(/.test(text) },
  { what: 'an audit event', file: 'audit-events.ts', isIn: text => /\bdefineAuditEvent\(/.test(text) },
  {
    what: 'a schema that other files use',
    file: 'schema.ts',
    isIn: text =>
      exportedConstants(text).some(one => /\.meta\(\{\s*id:/.test(one) && !/= operation\(/.test(one)),
  },
  {
    what: 'a statement that other files use',
    file: 'store.ts',
    isIn: text => exportedConstants(text).some(one => /^export const \w+ = sql\(/.test(one)),
  },
]
const exportedConstants = (text: string) =>
  text.split(/^(?=\S)/m).filter(one => one.startsWith('export const '))

describe('in every feature folder', () => {
  const features = () => sources.filter(({ path }) => wingOf(path))

  it.each(declarations)('$what is declared in $file', ({ file, isIn }) => {
    const declaring = features().filter(({ text }) => isIn(text))
    expect(declaring.length).toBeGreaterThan(3)
    expect(
      declaring
        .map(({ path }) => path)
        .filter(path => !path.endsWith(`/${file}`) && !path.endsWith(`-${file}`)),
    ).toEqual([])
  })

  it('a file of that kind has no prefix where it is the only one, but for a store that other folders use', () => {
    const found = declarations
      .filter(({ file }) => file !== 'store.ts')
      .flatMap(({ file, isIn }) => {
        const declaring = features().filter(({ text }) => isIn(text))
        return declaring
          .filter(
            ({ path, folder }) =>
              !path.endsWith(`/${file}`) && declaring.filter(other => other.folder === folder).length === 1,
          )
          .map(({ path }) => path)
      })
    expect(found).toEqual([])
  })
})

/**
 * Statements that write a table of another wing, as `file table`. Each is one statement on purpose: what it writes belongs
 * together, and a second statement would cost a round trip. The list may only grow shorter.
 */
const acrossWings: readonly string[] = [
  'features/integrations/webhooks/fan-out.ts outbox',
  'features/platform/events/record-events.ts invoices',
  'features/receivables/invoices/store.ts recoveries',
  'features/recovery/case/advance-without-message.ts promises',
  'features/recovery/case/open-recovery.ts invoices',
  'features/recovery/holds/closed-channels.ts debtors',
  'features/recovery/messages/send/claimed-sums-store.ts invoices',
  'features/recovery/messages/settle/settlement-writes.ts invoices',
  'features/recovery/receipts/apply-receipt.ts invoices',
]

/** The same inside a wing. The list may only grow shorter. */
const withinWing: readonly string[] = [
  'features/access/account/account.ts passkeys',
  'features/access/companies/create-company.ts api_keys',
  'features/access/people/consent-store.ts oauth_grants',
  'features/receivables/invoices/store.ts debtors',
  'features/receivables/payments/apply-money.ts invoices',
  'features/receivables/payments/apply-money.ts promises',
  'features/recovery/case/agenda-store.ts agendas',
  'features/recovery/case/change-recovery.ts agendas',
  'features/recovery/case/stop-messages.ts communication_invoices',
  'features/recovery/case/stop-messages.ts communications',
  'features/recovery/case/stop-messages.ts contact_slots',
  'features/recovery/case/stop-messages.ts message_codes',
  'features/recovery/case/stop-messages.ts pending_sends',
  'features/recovery/holds/hold-debtor.ts actions',
  'features/recovery/holds/hold-debtor.ts extra_messages',
  'features/recovery/holds/hold-debtor.ts recoveries',
  'features/recovery/messages/communication-store.ts extra_messages',
  'features/recovery/messages/communication-store.ts recoveries',
  'features/recovery/messages/send/reserve-message.ts agendas',
  'features/recovery/messages/send/reserve-message.ts extra_messages',
  'features/recovery/messages/send/reserve-message.ts recoveries',
  'features/recovery/messages/settle/ledger.ts agendas',
  'features/recovery/messages/settle/settle-extra.ts extra_messages',
  'features/recovery/messages/settle/settle-extra.ts recoveries',
  'features/recovery/messages/settle/settle-message.ts actions',
  'features/recovery/messages/settle/settlement-writes.ts recoveries',
  'features/recovery/receipts/apply-receipt.ts recoveries',
  'features/recovery/receipts/record-receipt.ts actions',
  'features/recovery/receipts/record-receipt.ts communications',
  'features/recovery/wake/attach-remaining.ts communication_invoices',
  'features/recovery/wake/attach-remaining.ts recoveries',
  'features/recovery/wake/store.ts agendas',
  'features/recovery/wake/write-look.ts extra_messages',
  'features/recovery/wake/write-look.ts recoveries',
]

describe('tables', () => {
  const allOwners: Readonly<Record<string, string>> = {
    ...owners.tenant,
    ...owners.platform,
    ...owners.identity,
  }
  const writes =
    /\b(?:insert\s+into\s+(\w+)\b|update\s+(\w+)(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b|delete\s+from\s+(\w+)\b)/g
  const foreign = () =>
    sources.flatMap(({ path, folder, text }) =>
      [...new Set([...text.matchAll(writes)].map(([, a, b, c]) => (a ?? b ?? c)!))]
        .filter(table => {
          const owner = allOwners[table]
          return owner && !`${folder}/`.startsWith(`features/${owner}/`) && folder !== owner
        })
        .map(table => `${path} ${table}`),
    )

  const isAcross = (line: string) => {
    const [path, table] = line.split(' ')
    return wingOf(path!) !== wingOf(`features/${allOwners[table!]}/`)
  }

  it('a table is written by the wing of its owner, or by a statement on the list', () => {
    expect(foreign().filter(isAcross).sort()).toEqual(acrossWings)
  })

  it('inside a wing a table is written by the folder that owns it, or by a statement on the list', () => {
    expect(
      foreign()
        .filter(line => !isAcross(line))
        .sort(),
    ).toEqual(withinWing)
  })

  it('every owner is a folder of the program that writes its table', () => {
    for (const [table, owner] of Object.entries(allOwners)) {
      const own = sources.filter(({ folder }) => folder === owner || folder === `features/${owner}`)
      expect(own.length, `${owner}, owner of ${table}`).toBeGreaterThan(0)
    }
  })
})
