import { expect } from 'vitest'
import { type House, invoiceInput } from './house.ts'

export interface Said {
  text: string
  toolsCalled: string[]
  conversationId: string
  confirmation?: { token: string; summary: string; expiresAt: string }
}

export interface Told {
  event: string
  data: Record<string, unknown>
}

export interface Whole {
  id: string
  messageCount: number
  lastMessage: string
  messages: { role: string; text: string; toolsCalled: string[] }[]
}

/** What tests say to the assistant, with one key. */
export function assistantCalls(house: House, keyOf: () => string = () => house.company.productionKey) {
  const chat = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    house.call<Said>('POST', '/api/v2/agent/chat', { body, key: keyOf(), headers })
  return {
    chat,
    async said(message: string, more: Record<string, unknown> = {}): Promise<Said> {
      const answer = await chat({ message, ...more })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    async refused(body: Record<string, unknown>): Promise<[number, string]> {
      const answer = await chat(body)
      return [answer.status, answer.body.error?.code]
    },
    async conversation(id: string): Promise<Whole> {
      const answer = await house.call<Whole>('GET', `/api/v2/agent/conversations/${id}`, { key: keyOf() })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    /** The same, listened to while it is said. */
    async streamed(body: Record<string, unknown>): Promise<{ status: number; type: string; told: Told[] }> {
      const response = await fetch(`${house.installation.baseUrl}/api/v2/agent/chat`, {
        method: 'POST',
        headers: { 'x-api-key': keyOf(), 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        told: text
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

/** What gives a prepared action back to be done. */
export const confirmWith = (token: string) => ({ message: 'go', context: { confirm: token } })

/** Recoveries that the assistant is asked to pause, and whether they were. */
export const pausable = (house: House) => ({
  async invoice(): Promise<string> {
    const body = invoiceInput({ dueDate: '2027-02-01' })
    return (await house.call<{ id: string }>('POST', '/api/v1/invoices', { body })).body.data.id
  },
  statusOf: async (id: string) =>
    (await house.call<{ status: string }>('GET', `/api/v1/workflow/invoice/${id}`)).body.data.status,
  async pausesOf(id: string): Promise<number> {
    const path = `/api/v1/workflow/invoice/${id}/history`
    const { body } = await house.call<{ action: string }[]>('GET', path)
    return body.data.filter(({ action }) => action === 'pause').length
  },
  pause: (invoiceId: string) => ({ name: 'workflow_trigger', args: { invoiceId, action: 'pause' } }),
})
