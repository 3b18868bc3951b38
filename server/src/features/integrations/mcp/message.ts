import type { IncomingHttpHeaders } from 'node:http'
import { RpcError, type RpcId } from './rpc-error.ts'

/** Since this revision every request says for itself who speaks and in which version; before it, a handshake did. */
export const modern = '2026-07-28'
/** The newest first: it is what a client gets who asks for one we do not speak. */
export const legacy = ['2025-11-25', '2025-06-18'] as const
export const versions: readonly string[] = [modern, ...legacy]

export interface RpcRequest {
  readonly id: RpcId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly isModern: boolean
}

const metaName = (name: string) => `io.modelcontextprotocol/${name}`
export const serverInfoKey = metaName('serverInfo')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request to be answered, or null for a notification: we act on none of those. */
export function readMessage(body: unknown, headers: IncomingHttpHeaders): RpcRequest | null {
  if (!isObject(body) || body.jsonrpc !== '2.0' || typeof body.method !== 'string')
    throw new RpcError('invalidRequest', 'Send one JSON-RPC 2.0 request or notification; no batch.')
  const { id, method, params = {} } = body
  if (id === undefined && method.startsWith('notifications/')) return null
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    throw new RpcError('invalidRequest', 'id must be a text or a whole number.')
  if (!isObject(params)) throw new RpcError('invalidParams', 'params must be an object.')
  return { id: id as RpcId, method, params, isModern: isModern(method, params, headers) }
}

/** Whether a request is of the revision without a handshake; it is then whole, or refused. */
function isModern(method: string, params: Record<string, unknown>, headers: IncomingHttpHeaders): boolean {
  const meta = isObject(params._meta) ? params._meta : {}
  const inHeader = headers['mcp-protocol-version']
  const inMeta = meta[metaName('protocolVersion')]
  const asked = inMeta ?? inHeader
  const isSpoken = asked === undefined || versions.includes(String(asked))
  // In a handshake the version is proposed, and answered with one we speak.
  if (!isSpoken && method !== 'initialize')
    throw new RpcError('unsupportedVersion', `We speak MCP ${versions.join(', ')}.`, {
      data: { supported: versions, requested: String(asked) },
    })
  if (inMeta !== modern && inHeader !== modern) return false
  if (inMeta === undefined || !isObject(meta[metaName('clientCapabilities')]))
    throw new RpcError(
      'invalidParams',
      `_meta must have ${metaName('protocolVersion')} and ${metaName('clientCapabilities')}.`,
    )
  mustMatch('MCP-Protocol-Version', inHeader, inMeta)
  mustMatch('Mcp-Method', headers['mcp-method'], method)
  if (method === 'tools/call') mustMatch('Mcp-Name', decoded(headers['mcp-name']), params.name)
  return true
}

/** Whoever stands between may have judged by the header: it has to be what is done. */
function mustMatch(name: string, header: string | string[] | undefined, inBody: unknown): void {
  if (header !== inBody) throw new RpcError('headerMismatch', `${name} does not say what the body says.`)
}

const decoded = (header: string | string[] | undefined) => {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(header))?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8')
}
