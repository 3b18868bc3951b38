import {
  listOpenStops,
  type OpenStop,
  resumeSends,
  type SendsTarget,
  stopSends,
  unparkDebtors,
  waitForSendsToEnd,
} from '../features/access/companies/operate-sends.ts'
import { iso, systemClock } from '../kit/clock.ts'
import type { CommandLine } from './command-line.ts'
import { asOperator } from './company-commands.ts'
import type { Config } from './config.ts'
import { reconcileCommand } from './reconcile-command.ts'

export async function sendsCommand(config: Config, line: CommandLine): Promise<void> {
  const { command, values } = line
  const target = { company: values.company, tenant: values.tenant, provider: values.provider }
  switch (command) {
    case 'sends stop':
      return stopCommand(config, target, values)
    case 'sends resume':
      return resumeCommand(config, target, values.by)
    case 'sends status':
      return statusCommand(config)
    case 'sends unpark': {
      const count = await asOperator(config, undefined, context => unparkDebtors(context, values.tenant))
      return console.log(`${count} parked debtors are tried again`)
    }
    case 'sends reconcile':
      return reconcileCommand(config, line)
    default:
      throw new Error(`${command} is not a command about sending`)
  }
}

async function stopCommand(config: Config, wanted: SendsTarget, { reason, by }: CommandLine['values']) {
  await asOperator(config, by, async context => {
    const { target, name, isChanged } = await stopSends(context, wanted, reason ?? '')
    const waiting = { pool: context.pool, clock: systemClock, leaseMs: config.LEASE_MS }
    await waitForSendsToEnd(waiting, target, leaving =>
      console.error(`${leaving} messages are being handed to their provider; waiting for them`),
    )
    console.log(
      isChanged ? `nothing more is sent: ${name}` : `sending was stopped already: ${name}; nothing is sent`,
    )
  })
}

async function resumeCommand(config: Config, wanted: SendsTarget, by: string | undefined) {
  const { name, ended, woken } = await asOperator(config, by, context => resumeSends(context, wanted))
  if (ended.length === 0) return console.log(`sending was not stopped: ${name}`)
  if (ended.includes('quarantine')) console.log('messages are sent from this database from now on')
  console.log(`sending goes on: ${name}; ${woken} debtors that waited are woken`)
}

const describe = ({ scope, kind, target, reason, since, stopped_by, known_until }: OpenStop): string =>
  [
    `${iso(since)}  ${scope}${scope === 'installation' ? '' : ` ${target}`}  ${kind}  by ${stopped_by}: ${reason}`,
    ...(kind === 'quarantine' && known_until !== null
      ? [`  this database knows what was sent until ${iso(known_until)}`]
      : []),
  ].join('\n')

async function statusCommand(config: Config): Promise<void> {
  let count = 0
  await asOperator(config, undefined, async context => {
    for await (const stop of listOpenStops(context)) {
      count++
      console.log(describe(stop))
    }
  })
  if (count === 0) console.log('nothing is stopped')
}
