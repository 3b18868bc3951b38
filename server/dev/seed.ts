import { readFile } from 'node:fs/promises'
import { Relance } from '../../sdk/src/index.ts'
import { UsageError } from '../src/start/command-line.ts'
import { devFile } from './dev.ts'
import { readOptions, runScript } from './script.ts'

const DAY = 86_400_000

/** Invoice numbers are unique, so they contain this id of the run. */
const run = Date.now().toString(36)

interface Stage {
  relance: Relance
  /** Creates an invoice that was due `dueDaysAgo` days ago; returns its id. */
  invoice(name: string, amountCents: number, dueDaysAgo: number): Promise<string>
  advance(days: number): Promise<void>
}

interface Scenario {
  tells: string
  play(stage: Stage): Promise<string[]>
}

/** Prepared situations in the sandbox. Each returns the invoices worth opening. */
const scenarios: Record<string, Scenario> = {
  'late-payers': {
    tells: 'twelve debtors, from two days to a year late, after ten days of recovery',
    async play({ invoice, advance }) {
      const late = [2, 5, 9, 14, 21, 30, 45, 60, 90, 120, 200, 365]
      const ids: string[] = []
      for (const [i, days] of late.entries())
        ids.push(await invoice(`Débiteur ${String(i + 1).padStart(2, '0')} SARL`, 25_000 * (i + 1), days))
      await advance(10)
      return ids
    },
  },
  answers: {
    tells: 'a promise, a dispute, a part payment, a reply, a wrong person and an opt-out',
    async play({ relance, invoice, advance }) {
      const names = ['Promesse', 'Litige', 'Acompte', 'Réponse', 'Erreur', 'Opposition']
      const ids: string[] = []
      for (const name of names) ids.push(await invoice(`${name} SARL`, 90_000, 20))
      await advance(1)
      const [promise, dispute, payment, reply, wrong, optOut] = ids.map(invoiceId => ({ invoiceId }))
      const debtorOf = async (given: { invoiceId: string }) => ({
        debtorId: (await relance.invoices.get(given.invoiceId)).debtor.id!,
      })
      const { sandbox } = relance
      await sandbox.simulatePromise(promise!)
      await sandbox.simulateDispute(dispute!)
      await sandbox.simulatePayment({ ...payment!, amountCents: 30_000 })
      await sandbox.simulateReply(reply!)
      await sandbox.simulateWrongPerson({ ...(await debtorOf(wrong!)), point: 'email' })
      await sandbox.simulateOptOut({ ...(await debtorOf(optOut!)), channel: 'email' })
      return ids
    },
  },
  'two-months': {
    tells:
      'one invoice played through the whole cascade: emails, SMS, letter, call, and what is left to decide',
    async play({ invoice, advance }) {
      const id = await invoice('Durand SARL', 120_000, 30)
      for (let week = 0; week < 9; week++) await advance(7)
      return [id]
    },
  },
}

/** Plays a scenario in a sandbox, through the API only; returns the ids of its invoices. */
export async function playScenario(relance: Relance, name: string): Promise<string[]> {
  const { now } = await relance.sandbox.clock()
  const dayBefore = (days: number) => new Date(Date.parse(now) - days * DAY).toISOString().slice(0, 10)
  let count = 0
  return scenarios[name]!.play({
    relance,
    async invoice(debtor, amountCents, dueDaysAgo) {
      count++
      const { id } = await relance.invoices.create({
        invoiceNumber: `SEED-${run}-${count}`,
        amountCents,
        issueDate: dayBefore(dueDaysAgo + 30),
        dueDate: dayBefore(dueDaysAgo),
        debtor: {
          name: debtor,
          type: 'business',
          email: `compta-${run}-${count}@debiteur.example`,
          phone: `+336${String(39_980_000 + count).padStart(8, '0')}`,
          address: `${count} rue des Tanneurs`,
          postalCode: '69005',
          city: 'Lyon',
        },
      })
      return id
    },
    async advance(days) {
      await relance.sandbox.advance({ advance: `P${days}D` })
    },
  })
}

const usage = `npm run seed -- <scenario>

Fills the sandbox of a running \`npm run dev\`, or of BASE_URL with API_KEY, a sandbox key.

${Object.entries(scenarios)
  .map(([name, { tells }]) => `  ${name.padEnd(14)} ${tells}`)
  .join('\n')}`

/** The running development installation, unless the environment names another. */
async function readTarget() {
  const { BASE_URL, API_KEY } = process.env
  if (BASE_URL && API_KEY) return { baseUrl: BASE_URL, sandboxKey: API_KEY, companyId: null }
  const text = await readFile(devFile, 'utf8').catch(() => {
    throw new UsageError('Start `npm run dev` in another terminal, or set BASE_URL and API_KEY')
  })
  return JSON.parse(text) as { baseUrl: string; sandboxKey: string; companyId: string; signInUrl: string }
}

async function main(): Promise<void> {
  const { positionals } = readOptions(usage, { allowPositionals: true, options: {} })
  const [name = ''] = positionals
  if (!(name in scenarios)) throw new UsageError(`There is no scenario ${JSON.stringify(name)}\n\n${usage}`)
  const target = await readTarget()
  const relance = new Relance({ apiKey: target.sandboxKey, baseUrl: target.baseUrl })
  for (const id of await playScenario(relance, name)) {
    const { invoiceNumber, status, debtor } = await relance.invoices.get(id)
    const link = target.companyId
      ? `${target.baseUrl.replace('127.0.0.1', 'localhost')}/console/${target.companyId}/sandbox/invoices/${id}`
      : id
    console.log([invoiceNumber.padEnd(20), status.padEnd(12), (debtor.name ?? '').padEnd(22), link].join(' '))
  }
  if ('signInUrl' in target) console.log(`\nSign in first: ${target.signInUrl}`)
}

if (import.meta.main) await runScript(main)
