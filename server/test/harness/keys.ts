import { expect } from 'vitest'
import type { Answer, House } from './house.ts'

export interface ListedKey {
  id: string
  prefix: string
  name: string
  scopes: string[]
  environment: string
  ipWhitelist: string[]
  expiresAt: string | null
  createdAt: string
  enabled: boolean
  lastUsedAt: string | null
}

export type NewKey = Omit<ListedKey, 'enabled' | 'lastUsedAt'> & { apiKey: string }

interface As {
  /** Whose request it is; the house's own production key unless said otherwise. */
  key?: string
  /** The address it comes from, where the proxy is trusted. */
  from?: string
  headers?: Record<string, string>
}

const path = '/api/v1/api-keys'

/** What tests of keys ask for. */
export function keyCalls(house: House) {
  const call = <Data>(method: string, at: string, body: unknown, { key, from, headers }: As) =>
    house.call<Data>(method, at, {
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
      headers: { ...(from !== undefined && { 'x-forwarded-for': from }), ...headers },
    })
  const create = (body: Record<string, unknown>, as: As = {}): Promise<Answer<NewKey>> =>
    call<NewKey>('POST', path, body, as)
  return {
    create,
    async made(body: Record<string, unknown> = {}, as: As = {}): Promise<NewKey> {
      const answer = await create({ name: 'A key', ...body }, as)
      expect(answer.status, answer.text).toBe(201)
      return answer.body.data
    },
    rotate: (id: string, as: As = {}) => call<NewKey>('POST', `${path}/${id}/rotate`, undefined, as),
    remove: (id: string, as: As = {}) => call('DELETE', `${path}/${id}`, undefined, as),
    async list(as: As = {}): Promise<ListedKey[]> {
      const answer = await call<ListedKey[]>('GET', path, undefined, as)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    /** Whether a key is let in, and if not why. */
    async tried(key: string, from?: string): Promise<number | string> {
      const answer = await call('GET', path, undefined, { key, ...(from !== undefined && { from }) })
      return answer.status === 200 ? 200 : answer.body.error.code
    },
  }
}

export const refusal = (answer: Answer<unknown>) => [answer.status, answer.body.error?.code]
