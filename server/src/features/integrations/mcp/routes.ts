import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reader } from '../../../kit/db/reader.ts'
import { unavailable } from '../../../kit/http/answer.ts'
import type { Site } from '../../../kit/http/site.ts'
import { askerOf, toolsOf, useTool } from '../../../kit/http/tool.ts'
import { followUpMostMs, type Operation } from '../../../kit/operation.ts'
import { answerRequest, type Caller, type Host } from './answer-request.ts'
import { readMessage } from './message.ts'
import { RpcError, rpcFailure } from './rpc-error.ts'

const path = '/mcp'
/** RFC 9728 §3.1: with the path of the resource at its end. */
const wellKnown = '/.well-known/oauth-protected-resource'

/** Longer than the longest operation: its own words come first. */
const patientMs = followUpMostMs + 20_000
/** What goes around the arguments of a call. */
const wrappingBytes = 64 * 1024

/**
 * RFC 9728. An access token opens the whole of this server, of which MCP is a part. No scopes are named: a client would ask for all of
 * them and be refused, where it gets all it may have when it asks for none.
 */
const metadata = (resource: string, site: Site) => ({
  resource,
  authorization_servers: [site.publicUrl],
  bearer_methods_supported: ['header'],
  resource_name: 'Relance',
})

/** A page of somebody else, in a browser that was told our name leads elsewhere, says whose page it is. */
function refuseForeignPages(site: Site, { headers: { origin } }: FastifyRequest): void {
  if (origin !== undefined && origin !== new URL(site.publicUrl).origin)
    throw new RpcError('invalidRequest', 'Requests from web pages of others are refused.', { status: 403 })
}

function callerOf(app: FastifyInstance, site: Site, request: FastifyRequest): Caller {
  const { principal, startedAt } = request
  if (!principal) throw unavailable()
  return {
    actor: principal.actor,
    stillStands: () => reader(site.pool, principal.entry(startedAt)).offsetMs(),
    use: (tool, args) => useTool(app, askerOf(request), tool, args, { isPaid: true }),
  }
}

/** The operations as tools of somebody's own assistant: MCP over Streamable HTTP, without sessions or streams. */
export function addMcpRoutes(
  app: FastifyInstance,
  site: Site,
  operations: readonly Operation[],
  version: string,
): void {
  const host: Host = { tools: toolsOf(operations), version }
  const bodyLimit = Math.max(...operations.map(operation => operation.bodyLimitBytes ?? 1024 * 1024))
  const challenge = `resource_metadata="${site.publicUrl}${wellKnown}${path}"`

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = readMessage(request.body, request.headers)
    if (!asked) return reply.code(202).send()
    request.raw.socket.setTimeout(patientMs)
    try {
      const result = await answerRequest(host, callerOf(app, site, request), asked)
      return await reply.send({ jsonrpc: '2.0', id: asked.id, result })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return reply.code(error.status).send(rpcFailure(error, asked.id))
    }
  }

  app.register((scope, _, done) => {
    scope.addHook('onSend', async (_request, reply) => {
      const asked = reply.getHeader('www-authenticate')
      if (asked !== undefined) reply.header('www-authenticate', `${asked}, ${challenge}`)
    })
    scope.setErrorHandler(async (error, _request, reply) => {
      if (!(error instanceof RpcError)) throw error
      return reply.code(error.status).send(rpcFailure(error))
    })
    scope.post(
      path,
      {
        config: { forCallers: true, guard: request => refuseForeignPages(site, request) },
        bodyLimit: bodyLimit + wrappingBytes,
        handlerTimeout: patientMs,
      },
      answer,
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
      [wellKnown, site.publicUrl],
      [wellKnown + path, site.publicUrl + path],
    ] as const)
      scope.get(url, { config: { open: true } }, async () => metadata(resource, site))
    done()
  })
}
