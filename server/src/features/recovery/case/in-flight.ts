import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { outputUuid } from '../../../kit/fields.ts'

/** The messages that were too late to stop, in the form used by every reply. */
export const inFlightMessages = z
  .array(z.object({ communicationId: outputUuid, channel: z.enum(channels), action: z.string() }))
  .meta({ description: 'Messages already handed to a provider, which no stop can call back' })
