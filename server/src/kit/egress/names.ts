import { lookup, Resolver } from 'node:dns/promises'

export interface ResolvedAddress {
  address: string
  family: number
}
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

/** As every program of this machine resolves a name, with its hosts file and search list: for names of ours. */
export const asThisMachine: Resolve = hostname => lookup(hostname, { all: true, verbatim: true })

const thereIsNone = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Asks the name servers and nothing else: for names of customers. The machine's own way would hold a thread for as long as
 * their name server keeps silent, and two silent names would stop every other lookup of the process.
 */
export function byNameServers(options: { mostMs?: number; servers?: readonly string[] } = {}): Resolve {
  return async hostname => {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    if (options.servers) resolver.setServers(options.servers)
    const expiry = setTimeout(() => resolver.cancel(), options.mostMs ?? 2_500)
    const asked = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    clearTimeout(expiry)
    const addresses = asked.flatMap((answer, i) =>
      answer.status === 'fulfilled'
        ? answer.value.map(address => ({ address, family: i === 0 ? 4 : 6 }))
        : [],
    )
    const isSure = asked.every(answer => answer.status === 'fulfilled' || thereIsNone.has(answer.reason.code))
    if (addresses.length > 0 || isSure) return addresses
    throw Object.assign(new Error('the name servers do not say'), { code: 'EAI_AGAIN' })
  }
}
