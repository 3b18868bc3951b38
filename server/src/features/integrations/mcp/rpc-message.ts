import type { IncomingHttpHeaders } from 'node:http'
import { RpcError, type RpcId } from './rpc-error.ts'

/** From this revision on every request carries client and version itself; older revisions use a handshake. */
export const modern = '2026-07-28'
/** The newest first: it is offered to a client that asks for an unknown version. */
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

/** A request, or null for a notification, which is ignored. */
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

/** Whether the request uses the revision without a handshake; if so, an incomplete one is refused. */
function isModern(method: string, params: Record<string, unknown>, headers: IncomingHttpHeaders): boolean {
  const meta = isObject(params._meta) ? params._meta : {}
  const inHeader = headers['mcp-protocol-version']
  const inMeta = meta[metaName('protocolVersion')]
  const requested = inMeta ?? inHeader
  const isSupported = requested === undefined || versions.includes(String(requested))
  // In a handshake the client only proposes a version.
  if (!isSupported && method !== 'initialize')
    throw new RpcError('unsupportedVersion', `We speak MCP ${versions.join(', ')}.`, {
      data: { supported: versions, requested: String(requested) },
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

/** A proxy may have decided by the header, so it must match the body. */
function mustMatch(name: string, header: string | string[] | undefined, inBody: unknown): void {
  if (header !== inBody) throw new RpcError('headerMismatch', `${name} does not say what the body says.`)
}

const decoded = (header: string | string[] | undefined) => {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(header))?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8')
}
