import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallbackReader } from '../../../adapters/callback.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { callbackRequestOf, withRawBodies } from '../../platform/callbacks/callback-request.ts'
import { callbackForged } from '../../platform/callbacks/errors.ts'
import { providerUnavailable, unknownProvider } from './errors.ts'
import { handleProviderEvent } from './handle-provider-event.ts'

/** The reader of a provider, and the only channel its events may concern: anyone can send a mail that refers to a letter. */
interface ProviderReader {
  reader: CallbackReader
  channel: Channel
}

const usualMaxBytes = 64 * 1024

/**
 * The callback routes of message providers. They have no rate limit: a thousand delivered letters are a thousand requests from
 * one address. The provider and its secret are checked before the body is read; a signature before an event is handled.
 */
export function addProviderRoutes(
  app: FastifyInstance,
  pageContext: PageContext,
  readers: Readonly<Record<string, ProviderReader>>,
): void {
  const readerOf = (request: FastifyRequest): ProviderReader & { provider: string } => {
    const { provider } = request.params as { provider: string }
    const found = Object.hasOwn(readers, provider) ? readers[provider] : undefined
    if (!found) throw unknownProvider.make()
    return { ...found, provider }
  }
  const bodyMaxBytes = (request: FastifyRequest) => readerOf(request).reader.bodyMaxBytes ?? usualMaxBytes
  withRawBodies(app, bodyMaxBytes, scope => {
    scope.addHook('onRequest', async request => {
      const { reader, provider } = readerOf(request)
      if (!reader.hasValidSecret) return
      if (!reader.hasValidSecret(callbackRequestOf(pageContext, request))) throw callbackForged.make(provider)
      request.isKnownCaller = true
    })
    for (const path of ['/callbacks/:provider', '/callbacks/:provider/:code'])
      scope.route({
        method: ['GET', 'POST'],
        url: path,
        config: { unlimited: true },
        bodyLimit: usualMaxBytes,
        async handler(request, reply) {
          const { reader, channel, provider } = readerOf(request)
          const events = await reader.read(callbackRequestOf(pageContext, request)).catch(error => {
            pageContext.log.warn(
              { provider, requestId: request.id, err: error },
              'provider event could not be read yet',
            )
            throw providerUnavailable.make(provider)
          })
          if (events === 'forged') throw callbackForged.make(provider)
          for (const event of events) {
            const outcome = await handleProviderEvent(pageContext, { provider, channel }, event, request.id)
            if (outcome === 'unknown_code')
              pageContext.log.warn(
                { provider, requestId: request.id },
                'provider event for an unknown message',
              )
          }
          return reply.code(reader.successStatus ?? 204).send()
        },
      })
  })
}
