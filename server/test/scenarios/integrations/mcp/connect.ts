import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestInstallation } from '../../../harness/use-installation.ts'

export interface Credential {
  key?: string
  token?: string
  companyId?: string
}

/** The two versions of the protocol: with a handshake first, or with self-contained requests. */
export const eras = ['legacy', 'modern'] as const
const modes = { legacy: 'legacy', modern: { pin: '2026-07-28' }, either: 'auto' } as const

export const headersOf = ({ key, token, companyId }: Credential): Record<string, string> => ({
  ...(key !== undefined && { 'x-api-key': key }),
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(companyId !== undefined && { 'x-company-id': companyId }),
})

/** An assistant, built with the protocol's official client. */
export async function connect(
  installation: TestInstallation,
  credential: Credential,
  era: keyof typeof modes,
): Promise<Client> {
  const client = new Client(
    { name: 'an-assistant', version: '1.0.0' },
    { versionNegotiation: { mode: modes[era] } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(`${installation.server.baseUrl}/mcp`), {
    requestInit: { headers: headersOf(credential) },
  })
  await client.connect(transport)
  return client
}

export interface ToolResult {
  isError: boolean
  text: string
  data: never
  error: { code: string; message: string; details?: unknown; requiredScopes?: string[] }
  pagination?: { nextCursor?: string; total: number; limit: number }
}

/** A tool's result; its text and its structured content must be the same. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [first] = content as { type: string; text: string }[]
  if (JSON.stringify(structuredContent) !== first!.text) throw new Error(`two answers: ${first!.text}`)
  return { isError: isError === true, text: first!.text, ...(structuredContent as object) } as ToolResult
}

export const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

/** One message, as it is sent. */
export async function post(
  installation: TestInstallation,
  body: unknown,
  headers: Record<string, string>,
): Promise<Posted> {
  const response = await fetch(`${installation.server.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}

export interface Posted {
  status: number
  headers: Headers
  json: {
    id?: unknown
    result: Record<string, never>
    error: { code: number | string; message: string; data?: Record<string, unknown> }
  }
}

export const codeOf = ({ status, json }: Posted) => [status, json.error.code]
