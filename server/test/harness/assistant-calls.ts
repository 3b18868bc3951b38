import { expect } from 'vitest'
import { invoiceInput, type TestInstallation } from './use-installation.ts'

export interface ChatReply {
  text: string
  toolsCalled: string[]
  conversationId: string
  confirmation?: { token: string; summary: string; expiresAt: string }
}

export interface StreamedEvent {
  event: string
  data: Record<string, unknown>
}

export interface ConversationReply {
  id: string
  messageCount: number
  lastMessage: string
  messages: { role: string; text: string; toolsCalled: string[] }[]
}

/** Calls of the assistant with one API key. */
export function assistantCalls(
  installation: TestInstallation,
  keyOf: () => string = () => installation.company.productionKey,
) {
  const chat = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    installation.call<ChatReply>('POST', '/api/v2/agent/chat', { body, key: keyOf(), headers })
  return {
    chat,
    async sendMessage(message: string, more: Record<string, unknown> = {}): Promise<ChatReply> {
      const answer = await chat({ message, ...more })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    async refused(body: Record<string, unknown>): Promise<[number, string]> {
      const answer = await chat(body)
      return [answer.status, answer.body.error?.code]
    },
    async conversation(id: string): Promise<ConversationReply> {
      const answer = await installation.call<ConversationReply>('GET', `/api/v2/agent/conversations/${id}`, {
        key: keyOf(),
      })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    /** The same as a stream of events. */
    async streamMessage(
      body: Record<string, unknown>,
    ): Promise<{ status: number; type: string; events: StreamedEvent[] }> {
      const response = await fetch(`${installation.server.baseUrl}/api/v2/agent/chat`, {
        method: 'POST',
        headers: { 'x-api-key': keyOf(), 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        events: text
          .split('\n\n')
          .filter(part => part.startsWith('event: '))
          .map(part => {
            const [event, data] = part.split('\n')
            return { event: event!.slice(7), data: JSON.parse(data!.slice(6)) }
          }),
      }
    },
  }
}

/** The chat message that confirms a prepared action. */
export const confirmWith = (token: string) => ({ message: 'go', context: { confirm: token } })

/** Recoveries that the assistant is asked to pause, and whether they were. */
export const pausableInvoices = (installation: TestInstallation) => ({
  async invoice(): Promise<string> {
    const body = invoiceInput({ dueDate: '2027-02-01' })
    return (await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body })).body.data.id
  },
  statusOf: async (id: string) =>
    (await installation.call<{ status: string }>('GET', `/api/v1/workflow/invoice/${id}`)).body.data.status,
  async pausesOf(id: string): Promise<number> {
    const path = `/api/v1/workflow/invoice/${id}/history`
    const { body } = await installation.call<{ action: string }[]>('GET', path)
    return body.data.filter(({ action }) => action === 'pause').length
  },
  pause: (invoiceId: string) => ({ name: 'workflow_trigger', args: { invoiceId, action: 'pause' } }),
})
