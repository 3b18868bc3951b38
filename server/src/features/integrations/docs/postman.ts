import { type ApiDocument, answerOf, type Endpoint, type Parameter } from './document.ts'
import { nounsOf, titleOfNoun } from './reference.ts'
import { exampleRequest } from './request-examples.ts'

function itemOf(document: ApiDocument, endpoint: Endpoint): object {
  const { operationId, method, path, summary, description, inPath, inQuery, status } = endpoint
  const example = exampleRequest(document, endpoint)
  const values = example.path.split('?')[0]!.split('/')
  const segments = path.split('/')
  const variables = inPath.map(({ name, description: text }) => ({
    key: name,
    value: values[segments.indexOf(`{${name}}`)],
    description: text,
  }))
  const query = inQuery.map(({ name, description: text, required }: Parameter) => ({
    key: name,
    value: '',
    description: text,
    disabled: !required,
  }))
  const withColons = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const request = {
    method,
    ...(example.needsKey ? {} : { auth: { type: 'noauth' } }),
    header: example.contentType ? [{ key: 'Content-Type', value: example.contentType }] : [],
    url: {
      raw: `{{BASE_URL}}${withColons}`,
      host: ['{{BASE_URL}}'],
      path: withColons.split('/').slice(1),
      ...(query.length > 0 && { query }),
      ...(variables.length > 0 && { variable: variables }),
    },
    ...(example.body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(example.body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
    ...(example.isFile && { body: { mode: 'file', file: {} } }),
    description: [summary, description].filter(Boolean).join('. '),
  }
  const { type, example: answer } = answerOf(endpoint)
  const response = answer !== undefined && {
    name: 'Example',
    originalRequest: request,
    code: Number(status),
    status: summary,
    header: [{ key: 'Content-Type', value: type }],
    body: JSON.stringify(answer, null, 2),
    _postman_previewlanguage: 'json',
  }
  return { name: operationId, request, response: response ? [response] : [] }
}

/** Every request of the contract, as a collection of the format 2.1. It is sent to the installation that serves it. */
export const postmanCollection = (document: ApiDocument, publicUrl: string): object => ({
  info: {
    name: `${document.info.title} ${document.info.version}`,
    description: document.info.description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: {
    type: 'apikey',
    apikey: [
      { key: 'key', value: 'X-API-Key' },
      { key: 'value', value: '{{API_KEY}}' },
      { key: 'in', value: 'header' },
    ],
  },
  variable: [
    { key: 'BASE_URL', value: publicUrl },
    { key: 'API_KEY', value: '' },
  ],
  item: nounsOf(document).map(({ name, description }) => ({
    name: titleOfNoun(name),
    description,
    item: document.endpoints
      .filter(({ tags }) => tags[0] === name)
      .map(endpoint => itemOf(document, endpoint)),
  })),
})
