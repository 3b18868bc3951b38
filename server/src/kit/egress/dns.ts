import { lookup, Resolver } from 'node:dns/promises'

export interface ResolvedAddress {
  address: string
  family: number
}
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

/** The system resolver, with its hosts file and search list: for our own names. */
export const resolveBySystem: Resolve = hostname => lookup(hostname, { all: true, verbatim: true })

const noSuchNameCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Queries the name servers directly: for names of customers. The system resolver would block a thread while their name server
 * does not answer, and two such names would block every other lookup of the process.
 */
export function resolveByNameServers(
  options: { timeoutMs?: number; servers?: readonly string[] } = {},
): Resolve {
  return async hostname => {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    if (options.servers) resolver.setServers(options.servers)
    const expiry = setTimeout(() => resolver.cancel(), options.timeoutMs ?? 2_500)
    const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    clearTimeout(expiry)
    const addresses = lookups.flatMap((answer, i) =>
      answer.status === 'fulfilled'
        ? answer.value.map(address => ({ address, family: i === 0 ? 4 : 6 }))
        : [],
    )
    const isConclusive = lookups.every(
      answer => answer.status === 'fulfilled' || noSuchNameCodes.has(answer.reason.code),
    )
    if (addresses.length > 0 || isConclusive) return addresses
    throw Object.assign(new Error('the name servers did not answer'), { code: 'EAI_AGAIN' })
  }
}
