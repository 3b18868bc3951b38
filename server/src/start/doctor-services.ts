import { createClient } from '@redis/client'
import { tryMailServer } from '../adapters/email/smtp.ts'
import { signingKeyFault } from '../features/access/oauth/signing-keys.ts'
import { type Keyring, keyring } from '../kit/crypto.ts'
import { queryOn } from '../kit/db/query.ts'
import { sql } from '../kit/db/statement.ts'
import { isDatabaseFault, sqlState } from '../kit/db/transaction.ts'
import { apiPool } from './company-commands.ts'
import type { Config } from './config.ts'
import { smtpOptionsOf } from './providers.ts'

export interface Finding {
  isFine: boolean
  text: string
  /** What to do, if it is not fine. */
  next?: string
  /** Fine, but worth knowing. */
  isNote?: boolean
}

/** The database does not know this login (class 28), or there is no such database. */
export const isLoginRefused = (error: unknown): boolean => /^(28...|3D000)$/.test(sqlState(error))

export const answerWithinMs = 3_000
const noAnswer = `no answer within ${answerWithinMs / 1_000} s`

/** The fault a check finds, or that it takes too long. */
export async function faultWithin(check: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve(noAnswer), answerWithinMs)
  })
  return Promise.race([check, late]).finally(() => clearTimeout(timer))
}

const runWithWorkersSettings = 'run the doctor with the settings of a worker'

async function checkMail(config: Config): Promise<Finding> {
  if (config.EMAIL_PROVIDER !== 'smtp')
    return { isFine: true, text: 'email leaves by Brevo, which was not asked' }
  if (!config.SMTP_URL)
    return {
      isFine: false,
      text: 'SMTP_URL is not set, so the mail server was not asked',
      next: `${runWithWorkersSettings}; without it none starts`,
    }
  const fault = await faultWithin(tryMailServer(smtpOptionsOf(config), answerWithinMs))
  return {
    isFine: fault === null,
    text: fault === null ? 'the mail server answers' : `the mail server does not take mail: ${fault}`,
    next: 'correct SMTP_URL, or ask whoever runs the server; messages are retried meanwhile',
  }
}

async function askRedis(url: string): Promise<string | null> {
  const redis = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: answerWithinMs, reconnectStrategy: false },
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return null
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message
  } finally {
    if (redis.isOpen) redis.destroy()
  }
}

async function checkRedis({ REDIS_URL: url }: Config): Promise<Finding> {
  if (!url)
    return { isFine: true, text: 'REDIS_URL is not set: each api process counts the limits by itself' }
  const fault = await faultWithin(askRedis(url))
  return {
    isFine: fault === null,
    text: fault === null ? 'Redis answers' : `Redis does not answer: ${fault}`,
    next: 'start it, or correct REDIS_URL; meanwhile each api process counts the limits by itself',
  }
}

// A retired key of the ring is kept for the oldest API keys; the newest show whether the ring was replaced.
const listMacNames = sql(
  'doctor.list-mac-names',
  `select distinct split_part(secret_mac, '.', 1) as name from (
     (select secret_mac from api_keys where enabled order by id limit 500)
     union all (select secret_mac from api_keys where enabled order by id desc limit 500)) sample`,
).as<{ name: string }>()

/** Whether this ring opens the sealed data of the database, and has the keys that the API keys were made with. */
async function checkRing(config: Config, ring: Keyring): Promise<Finding> {
  const pool = apiPool(config)
  try {
    const query = queryOn(pool)
    const missing = (await query(listMacNames, [])).map(({ name }) => name).filter(name => !ring.knows(name))
    const fault = await signingKeyFault(query, ring)
    if (missing.length === 0 && fault === null)
      return { isFine: true, text: 'KEYRING opens what is sealed in this database' }
    return {
      isFine: false,
      text:
        missing.length > 0
          ? `KEYRING has no key named ${missing.join(', ')}, under which API keys were made: their requests fail`
          : `KEYRING does not open what is sealed in this database: ${fault}`,
      next: 'put the key back that api and workers had before, at the end of KEYRING, and restart them',
    }
  } catch (error) {
    const hasNoSchema = ['42P01', '42501'].includes(sqlState(error))
    if (!isDatabaseFault(error) && !isLoginRefused(error) && !hasNoSchema) throw error
    return {
      isFine: false,
      text: 'KEYRING could not be tried on what is sealed in the database',
      next: hasNoSchema ? 'run `relance-server migrate`' : 'start PostgreSQL, or correct API_DATABASE_URL',
    }
  } finally {
    await pool.end()
  }
}

async function checkKeyring(config: Config): Promise<Finding> {
  const next = 'put the KEYRING of the api and the workers into the environment; without it they do not start'
  if (!config.KEYRING) return { isFine: false, text: 'KEYRING is not set', next }
  if (config.API_DATABASE_URL) return checkRing(config, keyring(config.KEYRING))
  return {
    isFine: true,
    text: 'KEYRING is well formed; API_DATABASE_URL is not set, so it was not tried on what is sealed',
  }
}

/** Checks the services around the database. */
export const checkServices = async (config: Config): Promise<Finding[]> =>
  (await Promise.all([checkMail(config), checkRedis(config), checkKeyring(config)])).flat()
