import {
  listOpenStops,
  type OpenStop,
  resumeSends,
  type SendsTarget,
  stopSends,
  unparkDebtors,
  untilNothingLeaves,
} from '../features/access/companies/operate-sends.ts'
import { iso, systemClock } from '../kit/clock.ts'
import type { CommandLine } from './command-line.ts'
import { asOperator } from './company-commands.ts'
import type { Config } from './config.ts'
import { reconcileCommand } from './reconcile-command.ts'

export const sendsUsage = `  sends stop --reason … [--company id | --tenant id | --provider name] [--by …]
                            sends nothing more for them, or for anybody; requests are answered meanwhile. It answers when
                            nothing leaves any more
  sends resume [--company id | --tenant id | --provider name] [--by …]
                            ends that stop; what waited goes on. Without a target it also ends a quarantine: messages may be
                            sent from this database
  sends status              what is stopped, since when, by whom and why
  sends unpark [--tenant id]
                            debtors whose wake-up failed eight times are tried again; mend the cause first (\`relance doctor\`)
  sends reconcile [--since time] [--until time] [--file path]
                            after a restore or a failover, while sending is stopped: asks the providers what left that this
                            database does not know, and writes it down, so that nobody is contacted again too soon. By SMTP
                            nobody can be asked: everybody who was due counts as contacted. Lists, as CSV, whom a person has
                            to look at. Needs the settings of a worker. --since is known in a quarantine; --until is when the
                            old installation had certainly ended, now if not given. Safe to run again`

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
  }
}

async function stopCommand(config: Config, wanted: SendsTarget, { reason, by }: CommandLine['values']) {
  await asOperator(config, by, async context => {
    const { target, name, isChanged } = await stopSends(context, wanted, reason ?? '')
    const waiting = { pool: context.pool, clock: systemClock, leaseMs: config.LEASE_MS }
    await untilNothingLeaves(waiting, target, leaving =>
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
