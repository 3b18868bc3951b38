import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import { outputUuid } from '../../../kit/fields.ts'

/** The messages that were too late to stop, in the form used by every reply. */
export const inFlightMessages = z
  .array(z.object({ communicationId: outputUuid, channel: z.enum(channels), action: z.enum(messageNames) }))
  .meta({
    id: 'InFlightMessages',
    description:
      'Messages that were being handed to a provider already: they may still arrive. Every other message is stopped',
  })
