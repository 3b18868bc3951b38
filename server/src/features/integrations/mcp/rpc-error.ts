/** JSON-RPC 2.0 §5.1, and what MCP adds to it. */
const codes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

export type RpcId = string | number

/** An error of the protocol. A refusal by an operation is a normal result, not a protocol error. */
export class RpcError extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown
  constructor(
    kind: keyof typeof codes,
    message: string,
    { status = 400, data }: { status?: number; data?: unknown } = {},
  ) {
    super(message)
    this.code = codes[kind]
    this.status = status
    this.data = data
  }
}

export const rpcFailure = ({ code, message, data }: RpcError, id?: RpcId) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code, message, ...(data !== undefined && { data }) },
})
