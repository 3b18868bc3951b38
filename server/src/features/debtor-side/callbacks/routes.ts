import type { FastifyInstance } from 'fastify'
import type { CallbackReader } from '../../../adapters/callback.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { defineError } from '../../../kit/errors.ts'
import type { Site } from '../../../kit/http/site.ts'
import { knockOf, withRawBodies } from '../../platform/callbacks/knock.ts'
import { takeHeard } from './take-news.ts'

const forgedNews = defineError(
  'WH_003',
  (provider: string) =>
    `This callback is not signed by ${provider}. Check the secret that both sides were given, and that the address is exactly the one registered there.`,
)
const providerAway = defineError(
  'SVC_001',
  (provider: string) =>
    `What this means has to be asked of ${provider}, which does not answer. Tell it again later.`,
)
const unknownProvider = defineError('RES_001', () => 'No provider of that name calls back here.')

/** Who reads what a provider says, and which messages it can speak of: anybody may write a mail, and name a letter in it. */
interface Listener {
  reader: CallbackReader
  channel: Channel
}

/** A message comes with its headers and perhaps the one it answers; nobody tells us more than that. */
const bodyMost = 2 * 1024 * 1024

/**
 * Where providers tell what became of messages. They are not counted: a thousand letters delivered on one morning are a thousand
 * calls from one address, and each is judged by its signature before anything else is done.
 */
export function addProviderRoutes(
  app: FastifyInstance,
  site: Site,
  readers: Readonly<Record<string, Listener>>,
): void {
  withRawBodies(app, bodyMost, scope => {
    for (const path of ['/callbacks/:provider', '/callbacks/:provider/:code'])
      scope.route({
        method: ['GET', 'POST'],
        url: path,
        config: { unlimited: true },
        async handler(request, reply) {
          const { provider } = request.params as { provider: string }
          const listener = Object.hasOwn(readers, provider) ? readers[provider] : undefined
          if (!listener) throw unknownProvider.make()
          const { reader, channel } = listener
          const heard = await reader.read(knockOf(site, request)).catch(error => {
            site.log.warn({ provider, requestId: request.id, err: error }, 'news could not be understood yet')
            throw providerAway.make(provider)
          })
          if (heard === 'forged') throw forgedNews.make(provider)
          for (const news of heard) {
            const taken = await takeHeard(site, { provider, channel }, news, request.id)
            if (taken === 'unknown_code')
              site.log.warn({ provider, requestId: request.id }, 'news of no message of ours')
          }
          return reply.code(reader.thanks ?? 204).send()
        },
      })
  })
}
