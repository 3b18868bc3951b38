import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { unknownPath } from './refusals.ts'

test('an unknown path is answered with where the known ones are listed', () => {
  const request = { method: 'POST', url: '/api/v1/invoice?limit=1' } as FastifyRequest
  expect(unknownPath(request).message).toBe(
    'There is no POST /api/v1/invoice; GET /openapi.json lists the paths.',
  )
})
