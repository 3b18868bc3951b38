import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { dateTime, line } from '../../../kit/fields.ts'
import { randomAlphanumeric } from '../../../kit/random-alphanumeric.ts'
import { scopes } from '../scopes.ts'
import { type GrantType, grantTypes } from './client.ts'
import { faultInRedirectUri } from './redirect-uri.ts'

/** How many applications of one tenant may be enabled at a time. */
export const clientsMax = 100
const redirectUrisMax = 10

const redirectUri = z
  .string()
  .superRefine((text, context) => {
    const fault = faultInRedirectUri(text)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({ format: 'uri', maxLength: 500 })

const inListOrder = <T extends string>(all: readonly T[], given: readonly T[]): T[] =>
  all.filter(one => given.includes(one))

export const clientFields = {
  name: line(100).meta({ description: 'Shown to those who are asked for their consent' }),
  redirectUris: z
    .array(redirectUri)
    .max(redirectUrisMax)
    .transform(given => [...new Set(given)])
    .meta({
      maxItems: redirectUrisMax,
      description:
        'Where people may be sent back to, compared letter by letter; at least one for `authorization_code`',
    }),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(100)
    .transform(given => inListOrder(scopes, given))
    .meta({
      minItems: 1,
      description: 'Scopes that you have yourself: the application cannot give anybody more',
    }),
  grantTypes: z
    .array(z.enum(grantTypes))
    .min(1)
    .max(10)
    .transform(given => inListOrder(grantTypes, given))
    .meta({ minItems: 1, description: '`refresh_token` only with `authorization_code`' }),
}

const clientReplyFields = {
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.enum(scopes)),
  grantTypes: z.array(z.enum(grantTypes)),
  environment: z
    .enum(['production', 'sandbox'])
    .meta({ description: 'Where all its tokens act: that of the credential that registered it' }),
  enabled: z.boolean().meta({ description: 'False once it was deleted' }),
  createdAt: dateTime,
}

export const OAuthClient = z.object(clientReplyFields).meta({ id: 'OAuthClient' })
export const NewOAuthClient = z
  .object({
    ...clientReplyFields,
    clientSecret: z.string().meta({ description: 'The whole secret, in this answer only' }),
  })
  .meta({ id: 'NewOAuthClient' })

export const clientInPath = z.strictObject({
  id: z
    .string()
    .regex(/^oc_[a-z0-9]{2}[0-9A-Za-z]{20}$/, 'must be the id of an OAuth client, as in oc_e1…')
    .meta({ description: 'The `clientId`; case-sensitive' }),
})

export interface ClientSettings {
  name: string
  redirect_uris: readonly string[]
  scopes: readonly Scope[]
  grant_types: readonly GrantType[]
}

export interface ClientRow extends ClientSettings {
  id: string
  environment: Environment
  enabled: boolean
  created_at: number
}

export const clientColumns = 'id, name, redirect_uris, scopes, grant_types, environment, enabled, created_at'

export const toClient = (row: ClientRow): z.input<typeof OAuthClient> => ({
  clientId: row.id,
  name: row.name,
  redirectUris: [...row.redirect_uris],
  scopes: [...row.scopes],
  grantTypes: [...row.grant_types],
  environment: row.environment,
  enabled: row.enabled,
  createdAt: iso(row.created_at),
})

/** The first contradiction between the settings: the field and the reason; else null. */
export function faultInSettings({
  redirectUris = [],
  grantTypes: given,
}: {
  redirectUris?: readonly string[] | undefined
  grantTypes: readonly GrantType[]
}): { field: 'redirectUris' | 'grantTypes'; message: string } | null {
  if (given.includes('refresh_token') && !given.includes('authorization_code'))
    return {
      field: 'grantTypes',
      message: 'has refresh_token without authorization_code, which gives the first one',
    }
  if (given.includes('authorization_code') && redirectUris.length === 0)
    return { field: 'redirectUris', message: 'must name at least one address for authorization_code' }
  return null
}

export const newClientId = (cell: string) => `oc_${cell}${randomAlphanumeric(20)}`
export const newClientSecret = (cell: string) => `ocs_${cell}${randomAlphanumeric(43)}`

/** The UUID that identifies a client as the subject of events. */
export function clientSubjectId(clientId: string): string {
  const bytes = createHash('sha256').update(clientId).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
