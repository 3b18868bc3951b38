import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inheritedEnv } from '../../dev/relance-args.ts'
import { startChild } from '../../src/kit/child-process.ts'
import { startChaosInstallation } from '../chaos/chaos-installation.ts'
import type { Findings } from '../chaos/findings.ts'

const program = join(import.meta.dirname, '../../../sdk/src/cli/relance.ts')

const csvOf = (rows: number, prefix: string): string =>
  [
    'N° facture;Client;E-mail;Date facture;Échéance;Somme;Remarque',
    ...Array.from(
      { length: rows },
      (_, i) =>
        `${prefix}-${i};Client ${i % 500} SARL;compta@client-${i % 500}.example;01/09/2026;01/10/2026;1 234,${String(i % 100).padStart(2, '0')};livraison`,
    ),
  ].join('\n')

interface Run {
  code: number
  out: string
  err: string
  peakMb: number
}

/** Runs the command line to its end, or until it has said `until`: then it gets what Ctrl-C sends. */
function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  interruptAt?: (err: string) => boolean,
): Promise<Run> {
  const child = startChild(process.execPath, [program, ...args], { env, stdio: 'pipe' })
  let [out, err, peakMb] = ['', '', 0]
  child.stdout!.setEncoding('utf8').on('data', text => {
    out += text
  })
  child.stderr!.setEncoding('utf8').on('data', text => {
    err += text
  })
  const timer = setInterval(() => {
    try {
      const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peakMb = Math.max(peakMb, Number(kb) / 1024)
    } catch {
      // It has ended.
    }
    if (interruptAt?.(err)) {
      interruptAt = undefined
      child.kill('SIGINT')
    }
  }, 50)
  return new Promise(resolve =>
    child.once('close', code => {
      clearInterval(timer)
      resolve({ code: code ?? -1, out, err, peakMb: Math.round(peakMb) })
    }),
  )
}

/** A long file imported by the command line, which is interrupted while it is judged and while it is created. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '50000' } } })
  const rows = Number(values.rows)
  const folder = await mkdtemp(join(tmpdir(), 'relance-cli-'))
  const installation = await startChaosInstallation({ apis: 1, workers: 1, leaseMs: 10_000 })
  try {
    const env = {
      ...inheritedEnv(),
      XDG_CONFIG_HOME: folder,
      BASE_URL: installation.apiUrls[0]!,
      API_KEY: installation.company.sandboxKey,
    }
    const [few, many] = [join(folder, 'few.csv'), join(folder, 'many.csv')]
    await writeFile(few, csvOf(100, 'FEW'))
    await writeFile(many, csvOf(rows, 'MANY'))
    const short = await run(['invoices', 'import', few, '--map', 'Somme=amount'], env)
    findings.check('a short file is imported', short.code === 0, short)

    const startedAt = performance.now()
    const first = await run(['invoices', 'import', many, '--map', 'Somme=amount'], env, err =>
      /^task /m.test(err),
    )
    const [, task = ''] = /^task (\S+)/m.exec(first.err) ?? []
    findings.check(
      'Ctrl-C ends the command with 130 and says how to go on',
      first.code === 130 && first.err.includes(`--task ${task}`),
      first,
    )
    const again = ['invoices', 'import', '--task', task, '--map', 'Somme=amount']
    const createdSome = async () => {
      const [row] = await installation.query<{ n: number }>(
        `select count(*)::int as n from invoices where number like 'MANY-%'`,
      )
      return row!.n
    }
    let isCreating = false
    const poll = setInterval(async () => {
      isCreating = (await createdSome()) > 0
    }, 200)
    const second = await run(again, env, () => isCreating)
    clearInterval(poll)
    const half = await createdSome()
    findings.check(
      'interrupted again while invoices are created',
      second.code === 130 && half > 0 && half < rows,
      { half, code: second.code },
    )
    const third = await run(['invoices', 'import', '--task', task], env)
    findings.figure('took', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    findings.check(
      'the third command sees it through',
      third.code === 0 && third.out.includes(`finished: ${rows} invoices created, 0 rows refused`),
      third,
    )
    const [counted] = await installation.query<{ n: number; numbers: number }>(
      `select count(*)::int as n, count(distinct number)::int as numbers from invoices where number like 'MANY-%'`,
    )
    findings.check('every row is one invoice', counted!.n === rows && counted!.numbers === rows, counted)
    const peaks = { few: short.peakMb, many: Math.max(first.peakMb, second.peakMb, third.peakMb) }
    findings.figure('MB at most, of 100 rows and of all', peaks)
    findings.check('its memory does not grow with the file', peaks.many - peaks.few < 40, peaks)
  } finally {
    await installation.close(false)
    await rm(folder, { recursive: true, force: true })
  }
}
