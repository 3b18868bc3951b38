import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { smallBodyBytes } from './body.ts'

/** The fields of a form: every value of a name, in the order they were sent. */
export type Form = ReadonlyMap<string, readonly string[]>

export const emptyForm: Form = new Map()

const fieldsMax = 200

function hasFewFields(text: string): boolean {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++fields > fieldsMax) return false
  return true
}

/**
 * Null: too large, or too many fields. They are counted first: Node needs quadratic time for names without a value.
 */
export function parseForm(body: Buffer, bytesMax = smallBodyBytes): Form | null {
  if (body.length > bytesMax) return null
  const text = body.toString('utf8')
  if (!hasFewFields(text)) return null
  const form = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = form.get(name)
    if (values) values.push(value)
    else form.set(name, [value])
  }
  return form
}

/** Accepts posted forms in a Fastify scope. */
export const acceptForms = (scope: FastifyInstance): void =>
  void scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: Readable) => {
      const { bodyLimit } = request.routeOptions
      const form = parseForm(await request.server.bodies.read(request, payload, bodyLimit), bodyLimit)
      if (!form) throw new ApiError('VAL_004', `The form has more than ${fieldsMax} fields.`)
      return form
    },
  )

/** The posted form; empty when something else was posted. */
export const formOf = ({ body }: Pick<FastifyRequest, 'body'>): Form =>
  body instanceof Map ? body : emptyForm

/** The value of a field; empty when it is missing or repeated. */
export const field = (form: Form, name: string): string => {
  const [value = '', ...more] = form.get(name) ?? []
  return more.length > 0 ? '' : value
}

export const fieldList = (form: Form, name: string): readonly string[] => form.get(name) ?? []
