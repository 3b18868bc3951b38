import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDev } from '../../dev/dev.ts'
import { mondayMorning } from '../chaos/chaos-installation.ts'
import type { Findings } from '../chaos/findings.ts'
import { installSdk } from '../clients/prove-sdk.ts'
import { type Page, pages, root } from './commands.ts'
import { runOperatorPages } from './operator.ts'
import { commandsOf, type Ran, runPages } from './run-pages.ts'

/** Each page with a company of its own, in an empty folder that has the packed SDK if the page needs it. */
export async function runDeveloperPages(
  chosen: readonly Page[],
  report: (ran: readonly Ran[]) => void = () => undefined,
): Promise<Ran[]> {
  const folder = await mkdtemp(join(tmpdir(), 'relance-docs-'))
  const dev = await startDev({ now: mondayMorning, logLevel: 'silent' })
  try {
    const texts = (await Promise.all(chosen.map(commandsOf))).flat().map(({ text }) => text)
    const needsSdk = texts.some(text => /^(npx )?relance /.test(text))
    const project = join(folder, 'project')
    await mkdir(project)
    if (needsSdk) await installSdk(folder, project)
    const ran: Ran[] = []
    for (const page of chosen) {
      const { sandboxKey, companyId } = await dev.installation.createCompany({
        name: 'Atelier Martin',
        ownerEmail: 'comptabilite@atelier-martin.example',
        tier: 'pro',
        sellsTo: 'business',
      })
      const path = [join(project, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(':')
      const env = {
        PATH: path,
        BASE_URL: dev.installation.baseUrl,
        API_KEY: sandboxKey,
        COMPANY_ID: companyId,
        RECEIVER_URL: dev.pages.receiverUrl,
        ...(process.env.DATABASE_URL && { DATABASE_URL: process.env.DATABASE_URL }),
      }
      const done = await runPages([page], { cwd: page.inClone ? root : project, env })
      report(done)
      ran.push(...done)
    }
    return ran
  } finally {
    await dev.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const transcriptOf = (ran: readonly Ran[]) =>
  ran
    .map(
      ({ file, line, text, output, status, seconds }) =>
        `# ${file}:${line}\n$ ${text}\n${output.trimEnd()}\n[exit ${status}, ${seconds.toFixed(1)} s]\n`,
    )
    .join('\n')

/** Every command of the documentation that can run here does what its page says. `--only install` runs one page. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, transcript: { type: 'string' } },
  })
  const wanted = ({ file }: Page) =>
    values.only === undefined || [file, basename(file, '.md')].includes(values.only)
  const chosen = pages.filter(wanted)
  findings.check('there is such a page', chosen.length > 0, values.only ?? 'all pages')
  const at = (place: Page['place']) => chosen.filter(page => page.place === place)
  const report = (ran: readonly Ran[]) => {
    for (const { file, line, text, output, fault, seconds } of ran)
      findings.check(
        `${file}:${line} (${seconds.toFixed(1)} s): ${text.split('\n')[0]!.slice(0, 90)}`,
        fault === null,
        fault === null ? undefined : `${fault}\n${output}`,
      )
  }
  const ran: Ran[] = []
  if (at('developer').length > 0) ran.push(...(await runDeveloperPages(at('developer'), report)))
  if (at('operator').length > 0) {
    const done = await runOperatorPages(at('operator'), findings)
    report(done)
    ran.push(...done)
  }
  if (values.transcript) await writeFile(values.transcript, transcriptOf(ran))
}
