import { iso } from '../../../kit/clock.ts'
import type { ApiError } from '../../../kit/errors.ts'
import { covers, type IpBlock, readBlock } from '../../../kit/ip-block.ts'
import { expiryExceedsCaller, limitedCaller, scopesExceedCaller, whitelistExceedsCaller } from './errors.ts'
import type { KeySettings } from './schema.ts'

/** What a key grants: its scopes, its expiry and the addresses it may be used from. */
export type KeyGrants = Omit<KeySettings, 'name'>

/** The readable blocks of a whitelist; an unreadable one allows no address. */
export const blocksOf = (whitelist: readonly string[]): IpBlock[] =>
  whitelist.flatMap(text => {
    const read = readBlock(text)
    return 'block' in read ? [read.block] : []
  })

export const scopesRefusal = (caller: KeyGrants, other: KeyGrants): ApiError | null =>
  other.scopes.every(scope => caller.scopes.includes(scope)) ? null : scopesExceedCaller.make(other.scopes)

function expiryRefusal(caller: KeyGrants, other: KeyGrants): ApiError | null {
  if (caller.expires_at === null) return null
  const isLonger = other.expires_at === null || other.expires_at > caller.expires_at
  return isLonger ? expiryExceedsCaller.make(iso(caller.expires_at)) : null
}

/** Each entry must be within one entry of the caller; several entries that only together cover it are not enough. */
function whitelistRefusal(caller: KeyGrants, other: KeyGrants): ApiError | null {
  if (caller.ip_whitelist.length === 0) return null
  if (other.ip_whitelist.length === 0) return whitelistExceedsCaller.make(null)
  const callerBlocks = blocksOf(caller.ip_whitelist)
  const notCovered = other.ip_whitelist.find(
    text => !blocksOf([text]).some(inner => callerBlocks.some(outer => covers(outer, inner))),
  )
  return notCovered === undefined ? null : whitelistExceedsCaller.make(notCovered)
}

/** The error when the wanted key would grant more than the caller has; else null. */
export const exceeds = (caller: KeyGrants, wanted: KeyGrants): ApiError | null =>
  scopesRefusal(caller, wanted) ?? expiryRefusal(caller, wanted) ?? whitelistRefusal(caller, wanted)

/** The error when the caller's own key has a whitelist or an expiry, for things that can have neither; else null. */
export const limitedRefusal = (caller: KeyGrants): ApiError | null =>
  caller.ip_whitelist.length > 0 || caller.expires_at !== null ? limitedCaller.make() : null
