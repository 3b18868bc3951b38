import { z } from 'zod'
import { dateTime, hasForbiddenCharacter, note, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { messageMaxChars } from './conversation-schema.ts'

const contextMaxBytes = 8 * 1024

const Context = z
  .record(z.string(), z.unknown())
  .superRefine((context, issues) => {
    const text = JSON.stringify(context)
    if (Buffer.byteLength(text) > contextMaxBytes)
      issues.addIssue({ code: 'custom', message: `is longer than ${contextMaxBytes} bytes` })
    if (hasForbidden(context))
      issues.addIssue({ code: 'custom', message: 'contains a forbidden character', params: { format: true } })
    if (context.confirm !== undefined && typeof context.confirm !== 'string')
      issues.addIssue({ code: 'custom', path: ['confirm'], message: 'must be the token of a confirmation' })
  })
  .meta({
    description:
      'Up to 8 KB, given to the assistant as data. `confirm`: the token of a confirmation, to have exactly that done',
  })

const hasForbidden = (node: unknown): boolean =>
  typeof node === 'object' && node !== null
    ? Object.entries(node).some(([name, value]) => hasForbiddenCharacter(name) || hasForbidden(value))
    : hasForbiddenCharacter(node)

export const ChatInput = z
  .strictObject({
    message: note(messageMaxChars)
      .refine(text => text.trim() !== '', 'must not be empty')
      .meta({ minLength: 1, maxLength: messageMaxChars }),
    conversationId: optional(uuid).meta({
      description: 'Continues a conversation; without it a new one begins',
    }),
    context: optional(Context),
  })
  .meta({ id: 'ChatInput' })
export type ChatInput = z.output<typeof ChatInput>

const Confirmation = z
  .object({
    token: z.string().meta({ description: 'Given back as `context.confirm`; works once' }),
    summary: z.string().meta({ description: 'What will be done, and when the contact rules allow it' }),
    expiresAt: dateTime,
  })
  .meta({ id: 'Confirmation' })

export const ChatReply = z
  .object({
    text: z.string().meta({ description: 'Markdown; no pictures, and no links but to this service' }),
    toolsCalled: z.array(z.string()).meta({ description: 'Ids of the operations that were used, in order' }),
    conversationId: outputUuid,
    confirmation: Confirmation.optional().meta({
      description: 'Only where something needs your confirmation',
    }),
  })
  .meta({ id: 'ChatReply' })
export type ChatReply = z.input<typeof ChatReply>
