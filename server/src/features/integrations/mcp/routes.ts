import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reader } from '../../../kit/db/reader.ts'
import { unavailable } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { toolCallerOf, toolsOf, useTool } from '../../../kit/http/tool.ts'
import { followUpMaxMs, type Operation } from '../../../kit/operation.ts'
import { answerRequest, type Caller, type Host } from './answer-request.ts'
import { RpcError, rpcFailure } from './rpc-error.ts'
import { readMessage } from './rpc-message.ts'

const path = '/mcp'
/** RFC 9728 §3.1: the path of the resource is appended. */
const wellKnown = '/.well-known/oauth-protected-resource'

/** Longer than the longest operation, so that its own error comes first. */
const requestTimeoutMs = followUpMaxMs + 20_000
/** Room for the JSON-RPC envelope around the arguments. */
const envelopeBytes = 64 * 1024

/**
 * RFC 9728. An access token is valid for the whole server, not only for MCP. No scopes are listed: a client would request all of
 * them and be refused; if it requests none, it gets all it may have.
 */
const metadata = (resource: string, pageContext: PageContext) => ({
  resource,
  authorization_servers: [pageContext.publicUrl],
  bearer_methods_supported: ['header'],
  resource_name: 'Relance',
})

/** Protects against DNS rebinding: a browser sends the origin of the foreign page. */
function refuseForeignOrigins(pageContext: PageContext, { headers: { origin } }: FastifyRequest): void {
  if (origin !== undefined && origin !== new URL(pageContext.publicUrl).origin)
    throw new RpcError('invalidRequest', 'Requests from web pages of others are refused.', { status: 403 })
}

function callerOf(app: FastifyInstance, pageContext: PageContext, request: FastifyRequest): Caller {
  const { principal, startedAt } = request
  if (!principal) throw unavailable()
  return {
    actor: principal.actor,
    verifyCredential: () => reader(pageContext.pool, principal.entry(startedAt)).offsetMs(),
    use: (tool, args) => useTool(app, toolCallerOf(request), tool, args, { isPaid: true }),
  }
}

/** The operations as MCP tools, over Streamable HTTP without sessions or streams. */
export function addMcpRoutes(
  app: FastifyInstance,
  pageContext: PageContext,
  operations: readonly Operation[],
  version: string,
): void {
  const host: Host = { tools: toolsOf(operations), version }
  const bodyLimit = Math.max(...operations.map(operation => operation.bodyLimitBytes ?? 1024 * 1024))
  const challenge = `resource_metadata="${pageContext.publicUrl}${wellKnown}${path}"`

  const handleRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const rpcRequest = readMessage(request.body, request.headers)
    if (!rpcRequest) return reply.code(202).send()
    request.raw.socket.setTimeout(requestTimeoutMs)
    try {
      const result = await answerRequest(host, callerOf(app, pageContext, request), rpcRequest)
      return await reply.send({ jsonrpc: '2.0', id: rpcRequest.id, result })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return reply.code(error.status).send(rpcFailure(error, rpcRequest.id))
    }
  }

  app.register((scope, _, done) => {
    scope.addHook('onSend', async (_request, reply) => {
      const existingChallenge = reply.getHeader('www-authenticate')
      if (existingChallenge !== undefined)
        reply.header('www-authenticate', `${existingChallenge}, ${challenge}`)
    })
    scope.setErrorHandler(async (error, _request, reply) => {
      if (!(error instanceof RpcError)) throw error
      return reply.code(error.status).send(rpcFailure(error))
    })
    scope.post(
      path,
      {
        config: { requiresCredential: true, guard: request => refuseForeignOrigins(pageContext, request) },
        bodyLimit: bodyLimit + envelopeBytes,
        handlerTimeout: requestTimeoutMs,
      },
      handleRequest,
    )
    scope.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: path,
      handler: (_request, reply) =>
        reply
          .code(405)
          .header('allow', 'POST')
          .send(
            rpcFailure(new RpcError('invalidRequest', 'Use POST: there are no sessions and no streams.')),
          ),
    })
    for (const [url, resource] of [
      [wellKnown, pageContext.publicUrl],
      [wellKnown + path, pageContext.publicUrl + path],
    ] as const)
      scope.get(url, { config: { open: true } }, async () => metadata(resource, pageContext))
    done()
  })
}
