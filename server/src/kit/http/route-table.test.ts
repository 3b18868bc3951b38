import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { routeTableOf } from './route-table.ts'

const id = '01a19b50-b868-7000-8000-93b1c70d52ea'

function tableOf(urls: readonly string[]) {
  let add: (route: object) => void = () => {}
  const table = routeTableOf(
    { addHook: (_: string, hook: typeof add) => (add = hook) } as unknown as FastifyInstance,
    1,
  )
  for (const url of urls) add({ method: 'GET', url, config: { door: 'api' } })
  add({ method: 'GET', url: '/api/console/me', config: { door: 'console' } })
  return table
}

const table = tableOf([
  '/api/v1/invoices',
  '/api/v1/invoices/:id',
  '/api/v1/invoices/search',
  '/api/v1/invoices/:id/credits',
  '/api/v1/workflow/:id/pause',
])

it.each([
  ['/api/v1/invoice', '/api/v1/invoices'],
  ['/v1/invoices', '/api/v1/invoices'],
  ['/invoices', '/api/v1/invoices'],
  ['/api/invoices', '/api/v1/invoices'],
  ['/api/v2/Invoices/', '/api/v1/invoices'],
  [`/api/v1/invoice/${id}`, `/api/v1/invoices/${id}`],
  ['/api/v1/invoice/search', '/api/v1/invoices/search'],
  [`/v1/invoices/${id}/credit`, `/api/v1/invoices/${id}/credits`],
  [`/api/v1/workflows/${id}/pause`, `/api/v1/workflow/${id}/pause`],
])('%s means %s', (path, meant) => expect(table.nearestTo(path)).toBe(meant))

it.each([
  '/',
  '/api/v1',
  '/api/v1/customers',
  '/api/console/mee',
  '/a'.repeat(8_000),
  `/api/v1/${'i'.repeat(16_000)}`,
])('%.40s means none of them', path => expect(table.nearestTo(path)).toBeUndefined())
