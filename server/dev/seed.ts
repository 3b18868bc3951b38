import { readFile } from 'node:fs/promises'
import { Relance } from '../../sdk/src/index.ts'
import { playSamplePortfolio } from '../../sdk/src/sample-portfolio.ts'
import { UsageError } from '../src/start/command-line.ts'
import { devFile } from './dev.ts'
import { readOptions, runScript } from './script.ts'

const usage = `npm run seed

Fills the empty sandbox of a running \`npm run dev\`, or of BASE_URL with API_KEY, a sandbox key: 68 clients in every
state, after nine weeks, on a Monday at 08:45.`

/** The running development installation, unless the environment names another. */
async function readTarget(): Promise<{
  baseUrl: string
  sandboxKey: string
  companyId?: string
  signInUrl?: string
}> {
  const { BASE_URL, API_KEY } = process.env
  if (BASE_URL && API_KEY) return { baseUrl: BASE_URL, sandboxKey: API_KEY }
  const text = await readFile(devFile, 'utf8').catch(() => {
    throw new UsageError('Start `npm run dev` in another terminal, or set BASE_URL and API_KEY')
  })
  return JSON.parse(text)
}

async function main(): Promise<void> {
  readOptions(usage, { options: {} })
  const { baseUrl, sandboxKey, companyId, signInUrl } = await readTarget()
  const relance = new Relance({ apiKey: sandboxKey, baseUrl })
  const { data: known } = await relance.invoices.list({ limit: 1 })
  if (known.length > 0)
    throw new UsageError(
      'There are invoices in the sandbox already: empty it with POST /api/v1/sandbox/reset',
    )
  for (const { name, invoiceId } of await playSamplePortfolio(relance)) {
    const { invoiceNumber, status } = await relance.invoices.get(invoiceId)
    const link = companyId
      ? `${baseUrl.replace('127.0.0.1', 'localhost')}/console/${companyId}/sandbox/invoices/${invoiceId}`
      : invoiceId
    console.log([invoiceNumber.padEnd(12), status.padEnd(12), name.padEnd(30), link].join(' '))
  }
  if (signInUrl) console.log(`\nSign in first: ${signInUrl}`)
}

if (import.meta.main) await runScript(main)
