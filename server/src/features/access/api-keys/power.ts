import { iso } from '../../../kit/clock.ts'
import type { ApiError } from '../../../kit/errors.ts'
import { covers, type IpBlock, readBlock } from '../../../kit/ip-block.ts'
import type { KeySettings } from './api-key.ts'
import { limitedCaller, outlivesCaller, reachesBeyondCaller, scopesBeyondCaller } from './errors.ts'

/** What one can do with a key: do what, until when, from where. */
export type Power = Omit<KeySettings, 'name'>

/** Blocks that can be read; one that cannot lets nobody in. */
export const blocksOf = (whitelist: readonly string[]): IpBlock[] =>
  whitelist.flatMap(text => {
    const read = readBlock(text)
    return 'block' in read ? [read.block] : []
  })

export const lacksScopes = (caller: Power, other: Power): ApiError | null =>
  other.scopes.every(scope => caller.scopes.includes(scope)) ? null : scopesBeyondCaller.make(other.scopes)

function outlives(caller: Power, other: Power): ApiError | null {
  if (caller.expires_at === null) return null
  const isLonger = other.expires_at === null || other.expires_at > caller.expires_at
  return isLonger ? outlivesCaller.make(iso(caller.expires_at)) : null
}

/** Each entry has to lie in one of the caller's: several that only together cover it are not enough. */
function reachesFurther(caller: Power, other: Power): ApiError | null {
  if (caller.ip_whitelist.length === 0) return null
  if (other.ip_whitelist.length === 0) return reachesBeyondCaller.make(null)
  const mine = blocksOf(caller.ip_whitelist)
  const outside = other.ip_whitelist.find(
    text => !blocksOf([text]).some(inner => mine.some(outer => covers(outer, inner))),
  )
  return outside === undefined ? null : reachesBeyondCaller.make(outside)
}

/** Why the caller may not hand out a key like this one: it would give more than it has. */
export const beyond = (caller: Power, wanted: Power): ApiError | null =>
  lacksScopes(caller, wanted) ?? outlives(caller, wanted) ?? reachesFurther(caller, wanted)

/** Why the caller may hand out nothing that has no end and no address: it has one itself. */
export const isLimited = (caller: Power): ApiError | null =>
  caller.ip_whitelist.length > 0 || caller.expires_at !== null ? limitedCaller.make() : null
