import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { ListFailed } from '../adapters/channel.ts'
import { requireStopped } from '../features/access/companies/operate-sends.ts'
import { OperatorError } from '../features/access/companies/require-company.ts'
import { createMetrics } from '../features/platform/metrics.ts'
import { reconcileSends } from '../features/recovery/messages/reconcile/reconcile-sends.ts'
import type { LeftOut } from '../features/recovery/messages/reconcile/reconciliation.ts'
import { iso, systemClock } from '../kit/clock.ts'
import { keyring } from '../kit/crypto.ts'
import { createPool } from '../kit/db/pool.ts'
import { createLog } from '../kit/log.ts'
import { beginsFormula } from '../kit/sheets/begins-formula.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { readInstallation } from './api.ts'
import { type CommandLine, UsageError } from './command-line.ts'
import { asOperator } from './company-commands.ts'
import { type Config, requireSetting } from './config.ts'
import { openChannels } from './providers.ts'
import { sendingContextOf } from './worker.ts'

const columns = ['because', 'channel', 'provider', 'at', 'tenant', 'debtor', 'recipient', 'provider_id']

/** RFC 4180; a cell that a spreadsheet would treat as a formula gets an apostrophe. */
const cellOf = (value: string | null): string => {
  const text = value === null ? '' : beginsFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLineOf = (left: LeftOut): string =>
  [
    left.because,
    left.channel,
    left.provider,
    iso(left.at),
    left.tenantId,
    left.debtorId,
    left.recipient,
    left.providerId,
  ]
    .map(cellOf)
    .join(',')

function readMoment({ command, values }: CommandLine, name: string): number | null {
  const given = values[name]
  if (given === undefined) return null
  const moment = Date.parse(given)
  if (Number.isNaN(moment))
    throw new UsageError(`${command}: --${name} must be a time such as 2026-11-16T09:00:00Z`)
  return moment
}

/** Opens the output of the list: a file, or stdout. */
function openList(file: string | undefined): { write(line: string): void; close(): Promise<void> } {
  if (file === undefined) return { write: line => console.log(line), close: async () => {} }
  // Other users of the machine must not read a list of debtors.
  const stream = createWriteStream(file, { flags: 'w', mode: 0o600 })
  return {
    write: line => void stream.write(`${line}\n`),
    async close() {
      stream.end()
      await once(stream, 'close')
    },
  }
}

/** Finds sent messages that this database does not know. Reports its work on stderr, and the cases for a person as CSV. */
export async function reconcileCommand(config: Config, line: CommandLine): Promise<void> {
  const until = readMoment(line, 'until') ?? systemClock.wall()
  const knownUntil = await asOperator(config, undefined, requireStopped)
  const since = readMoment(line, 'since') ?? knownUntil
  if (since === null) throw new OperatorError('Say --since: up to when this database knows what was sent.')
  if (since >= until) throw new OperatorError('--since has to be before --until.')
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const log = createLog(config.LOG_LEVEL, 'reconcile')
  const pool = createPool({
    url: requireSetting(config, 'WORKER_DATABASE_URL'),
    role: 'relance-reconcile',
    max: 2,
    statementTimeoutMs: 30_000,
  })
  const opened = openChannels(config)
  const list = openList(line.values.file)
  try {
    const { cell } = await readInstallation(config, pool, log)
    list.write(columns.join(','))
    const newId = () => uuidv7(systemClock.wall())
    let failed = 0
    const report = await reconcileSends(
      {
        ...sendingContextOf(config, cell),
        workerId: newId(),
        pool,
        clock: systemClock,
        isClockRight: () => true,
        newId,
        channelsFor: () => opened.channels,
        keyring: ring,
        log,
        metrics: createMetrics(),
      },
      { since, until },
      left => {
        if (left.because === 'failed') failed++
        list.write(csvLineOf(left))
      },
    )
    console.error(
      `${iso(since)} to ${iso(until)}: providers listed ${report.listed} messages, ${report.known} of them known; ${report.settled} settled as sent, ${report.recorded} contacts written down; ${report.suspected} debtors count as contacted because nobody can be asked`,
    )
    if (failed > 0) throw new OperatorError(`${failed} could not be reconciled; run it again.`)
  } catch (error) {
    if (!(error instanceof ListFailed)) throw error
    throw new OperatorError(`A provider did not give its list (${error.message}); run it again.`)
  } finally {
    await list.close()
    await opened.close()
    await pool.end()
  }
}
