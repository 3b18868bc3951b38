import type { FastifyInstance } from 'fastify'
import type { CallbackReader } from '../../../adapters/callback.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { defineError } from '../../../kit/errors.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { callbackRequestOf, withRawBodies } from '../../platform/callbacks/callback-request.ts'
import { handleProviderEvent } from './handle-provider-event.ts'

const callbackForged = defineError(
  'WH_003',
  (provider: string) =>
    `This callback is not signed by ${provider}. Check the secret that both sides were given, and that the address is exactly the one registered there.`,
)
const providerUnavailable = defineError(
  'SVC_001',
  (provider: string) =>
    `What this means has to be asked of ${provider}, which does not answer. Tell it again later.`,
)
const unknownProvider = defineError('RES_001', () => 'No provider of that name calls back here.')

/** The reader of a provider, and the only channel its events may concern: anybody can write a mail that names a letter. */
interface ProviderReader {
  reader: CallbackReader
  channel: Channel
}

/** Enough for a mail with headers and the quoted original. */
const bodyMaxBytes = 2 * 1024 * 1024

/**
 * The callback routes of message providers. They have no rate limit: a thousand delivered letters are a thousand requests from
 * one address. The signature of each is checked before anything else.
 */
export function addProviderRoutes(
  app: FastifyInstance,
  pageContext: PageContext,
  readers: Readonly<Record<string, ProviderReader>>,
): void {
  withRawBodies(app, bodyMaxBytes, scope => {
    for (const path of ['/callbacks/:provider', '/callbacks/:provider/:code'])
      scope.route({
        method: ['GET', 'POST'],
        url: path,
        config: { unlimited: true },
        async handler(request, reply) {
          const { provider } = request.params as { provider: string }
          const providerReader = Object.hasOwn(readers, provider) ? readers[provider] : undefined
          if (!providerReader) throw unknownProvider.make()
          const { reader, channel } = providerReader
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
