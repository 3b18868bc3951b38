import { refusalOf } from './error.ts'
import { eventsOf } from './events.ts'
import { AgentResource } from './generated/resources.ts'
import type { ChatInput, ChatReply, Confirmation } from './generated/types.ts'
import type { RequestOptions } from './options.ts'

export type ChatEvent =
  /** A part of the answer, as it is written. */
  | { readonly event: 'text'; readonly data: { readonly text: string } }
  /** The operation that the assistant calls. */
  | { readonly event: 'tool'; readonly data: { readonly operation: string } }
  /** An act that needs your confirmation. */
  | { readonly event: 'confirmation'; readonly data: Confirmation }
  /** The whole answer; the last event. */
  | { readonly event: 'done'; readonly data: ChatReply }

const turnMs = 90_000

export class Agent extends AgentResource {
  /** `chat`, event by event. Throws if the answer ends with a refusal. */
  async *chatStream(
    body: ChatInput,
    options: RequestOptions = {},
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const response = await this.call.stream('POST', '/api/v2/agent/chat', options, body, turnMs)
    const { status, headers } = response
    // The answer is plain JSON if nothing was streamed, for example when it is repeated for the same idempotency key.
    if (!headers.get('content-type')?.startsWith('text/event-stream')) {
      yield { event: 'done', data: JSON.parse(await response.text()).data }
      return
    }
    for await (const { event, data } of eventsOf(response, options.signal)) {
      if (event === 'error') throw refusalOf(status, headers, data)
      const parsed = JSON.parse(data)
      yield { event, data: event === 'done' ? parsed.data : parsed } as ChatEvent
    }
  }
}
