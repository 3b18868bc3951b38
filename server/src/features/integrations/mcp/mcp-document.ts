const message = (required: readonly string[], properties: object) => ({
  type: 'object',
  required: ['jsonrpc', ...required],
  properties: { jsonrpc: { const: '2.0' }, id: { type: ['string', 'integer', 'null'] }, ...properties },
})

export const mcpSchemas = {
  McpRequest: message(['method'], {
    method: { type: 'string', description: '`initialize`, `tools/list`, `tools/call` and others' },
    params: { type: 'object' },
  }),
  McpResponse: message(['id'], {
    result: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  }),
}

const ref = (name: keyof typeof mcpSchemas) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
})
const refused = (description: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        anyOf: [{ $ref: '#/components/schemas/ErrorResponse' }, { $ref: '#/components/schemas/McpResponse' }],
      },
    },
  },
})

/** MCP in the OpenAPI document. MCP itself lists the tools. */
export const mcpPaths = {
  '/mcp': {
    post: {
      operationId: 'mcp.send',
      tags: ['mcp'],
      summary: 'Send a message of the Model Context Protocol: the operations as tools of another assistant',
      description:
        'Streamable HTTP without sessions and streams. A tool call is checked like the request it stands for: scopes, limits and input.',
      security: [{ apiKey: [] }, { oauth2: [] }],
      requestBody: { required: true, content: ref('McpRequest') },
      responses: {
        '200': { description: 'The answer to a request', content: ref('McpResponse') },
        '202': { description: 'A notification was taken' },
        '400': refused('The message is wrong'),
        '401': refused('The credential is missing or not valid'),
      },
    },
  },
}
