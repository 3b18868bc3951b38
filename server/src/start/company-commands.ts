import { userInfo } from 'node:os'
import { z } from 'zod'
import { CompanyInput, createCompany } from '../features/access/companies/create-company.ts'
import { addRate, listRates } from '../features/access/companies/late-payment-rates.ts'
import { endMandate, recordMandate } from '../features/access/companies/mandate.ts'
import {
  changeCompany,
  changeDailyLimit,
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

export async function asOperator<T>(
  config: Config,
  by: string | undefined,
  work: (context: OperatorContext) => Promise<T>,
): Promise<T> {
  const pool = operatorPool(config)
  const wall = systemClock.wall()
  const context = { pool, wall, newId: () => uuidv7(wall), by: by ?? userInfo().username }
  return work(context).finally(() => pool.end())
}

export const companyUsage = `  company create --name … --owner-email … [--tier starter|pro|enterprise] [--sells-to consumer|business|public_body]
                 [--country FR] [--language fr|en] [--requests-per-minute n] [--in-flight n] [--json]
                            makes a company, open, with a production and a sandbox key, shown once. It sells to consumers
                            unless --sells-to says otherwise: what a debtor without a SIRET is taken for
  company open --company id [--by …]
                            opens a company that signed itself up, or that was closed; what waited goes on
  company close --company id --reason … [--by …]
                            sends nothing more for it, refuses its credentials, and shows no way to pay it
  company key --company id --environment production|sandbox [--scopes a,b]
                            makes a key, shown once; with all scopes unless some are named
  company set --company id [--sells-to …] [--tier …] [--requests-per-minute n] [--in-flight n]
                            changes what was said at its creation
  company set --company id [--iban …] [--account-holder …] [--reply-email …] [--telephone …] [--legal-name …]
                 [--payment-account …] [--at-once]
                            sets where its money goes in production; '' clears a field. All owners are told by mail. A first
                            value counts at once, a change after 24 hours; --at-once is for an account that was taken over
  company set-limits --company id --channel email|sms|lrar|voice [--messages n] [--cents n]
                            the most that leaves for it on a channel in a UTC day; what is not given is the tier's again
  company mandate --company id --signed-on 2026-11-02 --reference … [--by …]
                            records the written mandate to collect for it, and where it is kept: its messages then speak as
                            the collector. Needs all settings COLLECTOR_…
  company mandate --company id --end [--by …]
                            the mandate is over: its messages speak as the company again
  company invite-owner --company id --email …
                            mails somebody the link to become an owner; keys and applications cannot
  company list | show --company id
                            the companies and their state; one company with its stops
  rates add --from 2026-07-01 --rate-bps n --source … [--kind ecb|legal] [--replace] [--by …]
                            adds the rate of a half-year, in hundredths of a percent: of the European Central Bank's main
                            refinancing, or the legal rate of professionals. Interest for its days is claimed from then on
  rates list                the rates that are known; for other half-years no interest is claimed`

export async function companyCommand(config: Config, line: CommandLine): Promise<void> {
  const { command, values } = line
  if (command === 'company create') return createCommand(config, line)
  if (command === 'company invite-owner') return inviteOwnerCommand(config, line)
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
      case 'company set-limits': {
        const { name } = await changeDailyLimit(context, {
          companyId: requireValue(line, 'company'),
          channel: requireValue(line, 'channel'),
          messages: readCount(line, 'messages'),
          cents: readCount(line, 'cents'),
        })
        return console.log(`${name} is changed; the new limit holds from the next message on`)
      }
      case 'company mandate':
        return mandateCommand(config, context, line)
      case 'company show':
        return console.log(JSON.stringify(await showCompany(context, requireValue(line, 'company')), null, 2))
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
  console.log(`the mandate of ${name} is recorded; its messages speak as ${config.COLLECTOR_NAME}`)
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
  const limits = {
    sellsTo: values['sells-to'] as 'business',
    tier: values.tier as 'starter',
    requestsPerMinute: readCount(line, 'requests-per-minute'),
    inFlight: readCount(line, 'in-flight'),
  }
  const isGiven = (value: unknown) => value !== undefined
  const setsPayout = Object.values(payout).some(isGiven)
  if (!setsPayout || Object.values(limits).some(isGiven)) {
    const { name } = await changeCompany(context, companyId, limits)
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
