import { userInfo } from 'node:os'
import { z } from 'zod'
import { CompanyInput, createCompany } from '../features/access/companies/create-company.ts'
import { addRate, listRates } from '../features/access/companies/late-payment-rates.ts'
import { endMandate, recordMandate } from '../features/access/companies/mandate.ts'
import {
  changeCompany,
  changeDailyLimit,
  changeStorageQuota,
  closeCompany,
  listCompanies,
  makeKey,
  type OperatorContext,
  openCompany,
  showCompany,
} from '../features/access/companies/operate.ts'
import { setPayout } from '../features/access/companies/set-payout.ts'
import { inviteOwner } from '../features/access/people/invite-owner.ts'
import { iso, systemClock } from '../kit/clock.ts'
import { keyring } from '../kit/crypto.ts'
import { createPool, type Pool } from '../kit/db/pool.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { missingCollectorSettings } from './collector.ts'
import { type CommandLine, readCount, requireValue, UsageError } from './command-line.ts'
import { type Config, requireSetting } from './config.ts'

export const operatorPool = (config: Config): Pool =>
  createPool({
    url: requireSetting(config, 'OPERATOR_DATABASE_URL'),
    role: 'relance-operator',
    max: 2,
    statementTimeoutMs: 30_000,
  })

/** For commands about people and signing keys, which the operator's role has no rights on. */
export const apiPool = (config: Config): Pool =>
  createPool({
    url: requireSetting(config, 'API_DATABASE_URL'),
    role: 'relance-api',
    max: 1,
    statementTimeoutMs: 30_000,
  })

/** In a container a user id may have no name. */
export function accountName(read: () => { username: string } = userInfo): string {
  try {
    return read().username
  } catch {
    return `uid ${process.getuid!()}`
  }
}

export async function asOperator<T>(
  config: Config,
  by: string | undefined,
  work: (context: OperatorContext) => Promise<T>,
): Promise<T> {
  const pool = operatorPool(config)
  const wall = systemClock.wall()
  const context = { pool, wall, newId: () => uuidv7(wall), by: by ?? accountName() }
  return work(context).finally(() => pool.end())
}

export async function companyCommand(config: Config, line: CommandLine): Promise<void> {
  const { command, values } = line
  if (command === 'company create') return createCommand(config, line)
  if (command === 'company invite') return inviteOwnerCommand(config, line)
  await asOperator(config, values.by, async context => {
    switch (command) {
      case 'company list':
        for await (const { id, name, tier, sells_to, state, created_at } of listCompanies(context))
          console.log(
            [id, state.padEnd(10), tier.padEnd(10), sells_to.padEnd(11), iso(created_at), name].join('  '),
          )
        return
      case 'company open': {
        const { name, isChanged, woken } = await openCompany(context, requireValue(line, 'company'))
        return console.log(
          isChanged ? `${name} is open; ${woken} debtors that waited are woken` : `${name} was open already`,
        )
      }
      case 'company close': {
        const companyId = requireValue(line, 'company')
        const { name, isChanged } = await closeCompany(context, { companyId, reason: values.reason ?? '' })
        return console.log(
          isChanged
            ? `${name} is closed; what a provider has taken already cannot be called back`
            : `${name} was closed already`,
        )
      }
      case 'company key': {
        const ring = keyring(requireSetting(config, 'KEYRING'))
        const environment = requireValue(line, 'environment')
        const { name, key } = await makeKey(
          { ...context, keyring: ring },
          { companyId: requireValue(line, 'company'), environment, scopes: values.scopes?.split(',') },
        )
        return console.log(`${name}\n  ${environment} key  ${key}\nIt is shown this once; keep it safe.`)
      }
      case 'company set':
        return setCommand(context, line)
      case 'company tier': {
        const { name } = await changeCompany(context, requireValue(line, 'company'), {
          tier: values.tier as 'starter',
          requestsPerMinute: readCount(line, 'requests-per-minute'),
          inFlight: readCount(line, 'in-flight'),
        })
        return console.log(`${name} is changed`)
      }
      case 'company limits': {
        const { name } = await changeDailyLimit(context, {
          companyId: requireValue(line, 'company'),
          channel: requireValue(line, 'channel'),
          messages: readCount(line, 'messages'),
          cents: readCount(line, 'cents'),
        })
        return console.log(`${name} is changed; the new limit holds from the next message on`)
      }
      case 'company storage': {
        const { name } = await changeStorageQuota(context, {
          companyId: requireValue(line, 'company'),
          megabytes: readCount(line, 'megabytes'),
        })
        return console.log(`${name} is changed; the new quota holds from the next upload on`)
      }
      case 'company mandate':
        return mandateCommand(config, context, line)
      case 'company show':
        return console.log(JSON.stringify(await showCompany(context, requireValue(line, 'company')), null, 2))
      default:
        throw new Error(`${command} is not a command about a company`)
    }
  })
}

async function mandateCommand(config: Config, context: OperatorContext, line: CommandLine): Promise<void> {
  const companyId = requireValue(line, 'company')
  if (line.flags.includes('end')) {
    const { name } = await endMandate(context, companyId)
    return console.log(`the mandate of ${name} is over; its messages speak as the company`)
  }
  const { name } = await recordMandate(context, {
    companyId,
    signedOn: requireValue(line, 'signed-on'),
    reference: requireValue(line, 'reference'),
    missing: missingCollectorSettings(config),
  })
  console.log(
    `the mandate of ${name} is recorded; its messages speak as ${config.COLLECTOR_NAME}, for the invoices in its lists of claims`,
  )
}

async function inviteOwnerCommand(config: Config, line: CommandLine): Promise<void> {
  const email = requireValue(line, 'email')
  const pool = apiPool(config)
  const wall = systemClock.wall()
  const context = {
    pool,
    keyring: keyring(requireSetting(config, 'KEYRING')),
    wall,
    newId: () => uuidv7(wall),
  }
  await inviteOwner(context, requireValue(line, 'company'), email).finally(() => pool.end())
  console.log(`${email} was sent a link, good for seven days`)
}

async function setCommand(context: OperatorContext, line: CommandLine): Promise<void> {
  const { values, flags } = line
  const companyId = requireValue(line, 'company')
  const payout = {
    iban: values.iban,
    accountHolder: values['account-holder'],
    replyEmail: values['reply-email'],
    telephone: values.telephone,
    legalName: values['legal-name'],
    paymentAccount: values['payment-account'],
  }
  const setsPayout = Object.values(payout).some(value => value !== undefined)
  const sellsTo = values['sells-to'] as 'business' | undefined
  if (!setsPayout || sellsTo !== undefined) {
    const { name } = await changeCompany(context, companyId, { sellsTo })
    console.log(`${name} is changed`)
  }
  if (!setsPayout) return
  const { pending } = await setPayout(context, { companyId, atOnce: flags.includes('at-once'), ...payout })
  for (const { field, effectiveAt } of pending) console.log(`${field} changes at ${iso(effectiveAt)}`)
  console.log('all owners are told by mail')
}

async function createCommand(config: Config, line: CommandLine): Promise<void> {
  const { values, flags } = line
  const input = {
    name: values.name ?? '',
    ownerEmail: values['owner-email'] ?? '',
    ...(values.tier && { tier: values.tier as 'starter' }),
    ...(values['sells-to'] && { sellsTo: values['sells-to'] as 'business' }),
    ...(values.country && { country: values.country }),
    ...(values.language && { language: values.language as 'fr' }),
    requestsPerMinute: readCount(line, 'requests-per-minute'),
    inFlight: readCount(line, 'in-flight'),
  }
  const read = CompanyInput.safeParse(input)
  if (!read.success) throw new UsageError(`company create: ${z.prettifyError(read.error)}`)
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const created = await asOperator(config, undefined, context =>
    createCompany({ ...context, keyring: ring }, input),
  )
  console.log(
    flags.includes('json')
      ? JSON.stringify(created)
      : `${created.name} (${created.companyId}), sells to: ${read.data.sellsTo}\n  production key  ${created.productionKey}\n  sandbox key     ${created.sandboxKey}\nThe keys are shown this once; keep them safe.`,
  )
}

export async function ratesCommand(config: Config, line: CommandLine): Promise<void> {
  const { command, values, flags } = line
  await asOperator(config, values.by, async context => {
    if (command === 'rates list') {
      for (const { kind, starts_on, rate_bps, verified_on, source } of await listRates(context.pool))
        console.log(
          `${kind.padEnd(5)}  ${starts_on}  ${(rate_bps / 100).toFixed(2).padStart(5)} %  checked ${verified_on}  ${source}`,
        )
      return
    }
    const startsOn = requireValue(line, 'from')
    requireValue(line, 'rate-bps')
    const rate = {
      kind: values.kind ?? 'ecb',
      startsOn,
      bps: readCount(line, 'rate-bps')!,
      source: values.source ?? '',
    }
    const { isChanged, replacedBps } = await addRate(context, rate, { replaces: flags.includes('replace') })
    console.log(
      !isChanged
        ? `the rate from ${startsOn} was known already, with this value`
        : replacedBps === null
          ? `the rate from ${startsOn} is known; it holds from the next message on`
          : `the rate from ${startsOn} is replaced, it was ${replacedBps}; it holds from the next message on`,
    )
  })
}
