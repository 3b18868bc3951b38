import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild } from '../../src/kit/child-process.ts'
import type { LoadedInvoices } from './data.ts'
import type { BenchInstallation } from './environment.ts'
import { type HttpTapes, serialMark } from './http-tape.ts'
import { splitAtMarks, type Tape } from './tape.ts'

export const hasPgbench = !spawnSync('pgbench', ['--version']).error

/** SQL expressions to put where the marks stand. */
type Expressions = Record<string, string>

// pgbench takes a colon before a letter for a variable, inside literals too.
const literal = (text: string) => `'${text.replaceAll("'", "''").replace(/:(?=[a-z_])/gi, ': ')}'`

function sqlValue(value: unknown, expressions: Expressions): string {
  if (Array.isArray(value)) return `array[${value.map(item => sqlValue(item, expressions)).join(', ')}]`
  if (typeof value !== 'string') return String(value)
  const pieces = splitAtMarks(value, Object.keys(expressions))
    .map((piece, i) => (i % 2 === 1 ? expressions[piece]! : literal(piece)))
    .filter((piece, _, { length }) => length === 1 || piece !== "''")
  const isId = /^[0-9a-f-]{36}$/.test(value)
  return isId ? `(${pieces[0]})::uuid` : pieces.length === 1 ? pieces[0]! : `(${pieces.join(' || ')})`
}

/** The tape as a pgbench script: the same statements in the same pipelines, with the values in the text. */
function script(tape: Tape, expressions: Expressions): string {
  const statement = ({ text, values = [] }: Tape[number][number][number]) =>
    `${text.replace(/\s+/g, ' ').replace(/\$(\d+)/g, (_, n) => sqlValue(values[n - 1], expressions))};`
  return tape
    .flat()
    .map(pipeline => ['\\startpipeline', ...pipeline.map(statement), '\\endpipeline'].join('\n'))
    .join('\n')
}

export function readScript(tapes: HttpTapes, invoiceId: string, loaded: LoadedInvoices): string {
  const expressions = { [invoiceId]: `'${loaded.invoiceIdPrefix}' || lpad(:i::text, 12, '0')` }
  const first = `\\set i random(${loaded.first}, ${loaded.first + loaded.count - 1})\n`
  return `${first}${script(tapes.read, expressions)}\n`
}

/** Ids with the time of `wall` and this client's next number: unique, and where the events' partition expects them. */
export function createScript(tapes: HttpTapes, series: number): string {
  const serial = `lpad(:n::text, 12, '0')`
  const time = Date.now().toString(16).padStart(12, '0')
  const ids = tapes.ids.all.map((id, kind): [string, string] => [
    id,
    `'${time.slice(0, 8)}-${time.slice(8)}-7${String(kind).padStart(3, '0')}-9000-' || ${serial}`,
  ])
  const expressions = { ...Object.fromEntries(ids), [serialMark]: serial, [tapes.lockMark]: ':n::bigint' }
  const first = `\\set count :count + 1\n\\set n (${series % 100} * 100 + :client_id) * 100000000 + :count\n`
  return `${first}${script(tapes.create, expressions)}\n`
}

export async function pgbench(
  installation: BenchInstallation,
  text: string,
  options: { clients: number; seconds: number },
): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'relance-pgbench-'))
  try {
    const file = join(dir, 'script.sql')
    await writeFile(file, text)
    const settings = ['-n', '-M', 'prepared', '-D', 'count=0', '-j', '1', '-c', String(options.clients)]
    const { stdout } = await runChild('pgbench', [
      ...settings,
      ...['-T', String(options.seconds), '-f', file, installation.env.API_DATABASE_URL!],
    ])
    const found = /tps = ([\d.]+)/.exec(stdout)
    if (!found) throw new Error(`pgbench gave no figure:\n${stdout}`)
    return Number(found[1])
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
