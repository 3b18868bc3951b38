const health = {
  type: 'object',
  required: ['status', 'version', 'timestamp'],
  properties: {
    status: { type: 'string' },
    version: { type: 'string' },
    timestamp: { type: 'string', format: 'date-time' },
    reason: { type: 'string', description: 'What is missing, while the service is not ready' },
  },
}
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } }

const route = (operationId: string, summary: string, responses: object) => ({
  get: { operationId, tags: ['health'], summary, security: [], responses },
})

export const healthSchemas = { Health: health }

/** Liveness is not about the database: a process that waits for it must not be restarted. */
export const healthRoutes = {
  '/health': route('health.get', 'Is the service alive', {
    '200': { description: 'It runs', content },
  }),
  '/health/ready': route('health.ready', 'Can the service take requests', {
    '200': { description: 'It can', content },
    '503': {
      description: 'The database does not answer',
      headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      content,
    },
  }),
}
