import { expect } from 'vitest'
import type { ApiResponse, TestInstallation } from './use-installation.ts'

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

interface RequestOptions {
  /** The key of the request; the installation's production key by default. */
  key?: string
  /** The address it comes from, where the proxy is trusted. */
  from?: string
  headers?: Record<string, string>
}

const path = '/api/v1/api-keys'

/** API calls for tests of keys. */
export function keyCalls(installation: TestInstallation) {
  const call = <Data>(
    method: string,
    requestPath: string,
    body: unknown,
    { key, from, headers }: RequestOptions,
  ) =>
    installation.call<Data>(method, requestPath, {
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
      headers: { ...(from !== undefined && { 'x-forwarded-for': from }), ...headers },
    })
  const create = (
    body: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<ApiResponse<NewKey>> => call<NewKey>('POST', path, body, options)
  return {
    create,
    async newKey(body: Record<string, unknown> = {}, options: RequestOptions = {}): Promise<NewKey> {
      const answer = await create({ name: 'A key', ...body }, options)
      expect(answer.status, answer.text).toBe(201)
      return answer.body.data
    },
    rotate: (id: string, options: RequestOptions = {}) =>
      call<NewKey>('POST', `${path}/${id}/rotate`, undefined, options),
    remove: (id: string, options: RequestOptions = {}) => call('DELETE', `${path}/${id}`, undefined, options),
    async list(options: RequestOptions = {}): Promise<ListedKey[]> {
      const answer = await call<ListedKey[]>('GET', path, undefined, options)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    /** 200 if the key is accepted, otherwise the error code. */
    async tryKey(key: string, from?: string): Promise<number | string> {
      const answer = await call('GET', path, undefined, { key, ...(from !== undefined && { from }) })
      return answer.status === 200 ? 200 : answer.body.error.code
    },
  }
}

export const refusal = (answer: ApiResponse<unknown>) => [answer.status, answer.body.error?.code]
