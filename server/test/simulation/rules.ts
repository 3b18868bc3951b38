import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Findings } from '../chaos/findings.ts'
import { kinds } from './checker.ts'
import { judgeFrom } from './judge.ts'
import { DAY, places } from './population.ts'
import { simulate } from './simulate.ts'
import { type Longest, longestUnderDefaultCaps, longestUnderFloor } from './slot-sweep.ts'
import { stepFaultKinds } from './step-checker.ts'

const domain = join(import.meta.dirname, '../../src/domain')

/** Where the address leaves the region open, the days of all regions hold: the longest rows of closed days there are. */
const everywhere = [...places, ['FR', ''], ['ES', ''], ['PT', '']] as const
const france = everywhere.filter(([country]) => country === 'FR')

/** Simulates many debtors day by day with the domain functions; an independent checker reads the log. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'debtor-days': { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '20261115' },
    },
  })
  const judge = await judgeFrom(domain)
  const start = performance.now()
  const seed = Number(values.seed)
  const outcome = simulate(judge, { debtorDays: Number(values['debtor-days']), seed })
  const seconds = (performance.now() - start) / 1000
  const { violations, faults, waits, debtorDays, debtors, wakes, contacts, perChannel } = outcome
  findings.figure('seed', seed)
  findings.figure('debtor-days', `${Math.round(debtorDays)}, ${Math.round(debtorDays / seconds)} a second`)
  findings.figure('debtors, wakes, contacts', `${debtors}, ${wakes}, ${contacts}`)
  findings.figure('contacts per channel', perChannel)
  for (const kind of kinds) {
    const found = violations.filter(violation => violation.kind === kind)
    findings.check(`nobody is contacted ${kind}`, found.length === 0, found)
  }
  for (const kind of stepFaultKinds) {
    const found = faults.filter(fault => fault.kind === kind)
    findings.check(`no step goes ${kind}`, found.length === 0, found)
  }
  const inDays = (ms: number) => Number((ms / DAY).toFixed(2))
  findings.figure('slots asked for', waits.slotsAsked)
  findings.check('simulated: a slot within 8 days in writing, by the law alone', waits.floor < 8 * DAY, {
    longestDays: inDays(waits.floor),
  })
  findings.check('simulated: within 13 days by email and SMS, default caps', waits.usual < 13 * DAY, {
    longestDays: inDays(waits.usual),
  })
  findings.check('simulated: within the bound of its caps and calendar, always', waits.share <= 1, {
    longestShareOfBound: Number(waits.share.toFixed(3)),
  })
  const sweep = (promise: string, found: Longest, daysMax: number) =>
    findings.check(`every day of every calendar: ${promise}`, found.days < daysMax, {
      longestDays: Number(found.days.toFixed(2)),
      after: found.description,
    })
  sweep(
    'a slot within 8 days in writing, by the law alone',
    longestUnderFloor(judge, everywhere, 'writing'),
    8,
  )
  sweep('within 8 days for calls in France', longestUnderFloor(judge, france, 'calls'), 8)
  sweep('within 9 days for calls anywhere', longestUnderFloor(judge, everywhere, 'calls'), 9)
  sweep('within 13 days, default caps, email and SMS', longestUnderDefaultCaps(judge, everywhere), 13)
}
