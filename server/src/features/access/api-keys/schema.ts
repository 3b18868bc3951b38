import { z } from 'zod'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { blockText, readBlock } from '../../../kit/ip-block.ts'
import type { Role } from '../roles.ts'
import { scopes } from '../scopes.ts'

export const environments = ['production', 'sandbox'] as const satisfies readonly Environment[]

/** How many keys of one tenant may be enabled at a time. */
export const keysMax = 100
const ipBlocksMax = 100

const settings = {
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  environment: z.enum(environments),
  ipWhitelist: z.array(z.string()).meta({ description: 'Empty: any address may use the key' }),
  expiresAt: dateTime.nullable(),
  createdAt: dateTime,
}
const prefix = z.string().meta({ description: 'First and last characters of the key' })

export const ApiKey = z
  .object({
    id: outputUuid,
    prefix,
    ...settings,
    enabled: z.boolean().meta({ description: 'False once it was deleted or rotated' }),
    lastUsedAt: dateTime.nullable().meta({ description: 'To about a minute' }),
  })
  .meta({ id: 'ApiKey' })

export const NewApiKey = z
  .object({
    id: outputUuid,
    apiKey: z.string().meta({ description: 'The whole key, in this answer only' }),
    prefix,
    ...settings,
  })
  .meta({ id: 'NewApiKey' })

/** Each scope once, in the order of the list of scopes. */
export const scopeList = z
  .array(z.enum(scopes))
  .min(1)
  .max(100)
  .transform(given => scopes.filter(scope => given.includes(scope)))

const ipBlock = z
  .string()
  .max(60)
  .transform((text, context) => {
    const read = readBlock(text)
    if ('block' in read) return blockText(read.block)
    const message =
      read.because === 'not_an_address'
        ? 'must be an IPv4 or IPv6 address, or a range such as 192.0.2.0/24'
        : `is an address inside ${blockText(read.network)}; send that range, or the address without a length`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

/** Each address or range once, in its normalised form. */
export const whitelist = z
  .array(ipBlock)
  .max(ipBlocksMax)
  .transform(given => [...new Set(given)])

export interface KeySettings {
  name: string
  scopes: readonly Scope[]
  ip_whitelist: readonly string[]
  expires_at: number | null
}

/** The person behind a key or an application, and their role when it was made. Null: the operator made it. */
export interface Maker {
  made_by: string | null
  maker_role: Role | null
}

export interface KeyRow extends KeySettings, Maker {
  id: string
  prefix: string
  enabled: boolean
  created_at: number
  last_used_at: number | null
}

const isoOrNull = (at: number | null) => (at === null ? null : iso(at))

const toSettings = (row: KeyRow, environment: Environment) => ({
  name: row.name,
  scopes: [...row.scopes],
  environment,
  ipWhitelist: [...row.ip_whitelist],
  expiresAt: isoOrNull(row.expires_at),
  createdAt: iso(row.created_at),
})

export const toApiKey = (row: KeyRow, environment: Environment): z.input<typeof ApiKey> => ({
  id: row.id,
  prefix: row.prefix,
  ...toSettings(row, environment),
  enabled: row.enabled,
  lastUsedAt: isoOrNull(row.last_used_at),
})

export const toNewApiKey = (
  row: KeyRow,
  apiKey: string,
  environment: Environment,
): z.input<typeof NewApiKey> => ({ id: row.id, apiKey, prefix: row.prefix, ...toSettings(row, environment) })
