import { z } from 'zod'
import type { Operation } from '../operation.ts'
import type { BodyRules } from './validate.ts'

const rules = new WeakMap<Operation, BodyRules>()

const leaveItOut = 'is a field of the answer and not of the request; leave it out'

/** How the body of an operation is judged. A client that sends back what it has read is told which fields to leave out. */
export function bodyRulesOf(operation: Operation): BodyRules {
  const known = rules.get(operation)
  if (known) return known
  const { method, missingIs, reply, unknownFields } = operation
  const answered = reply instanceof z.ZodObject ? Object.keys(reply.shape) : []
  const made: BodyRules = {
    missingIs,
    isUpdate: method === 'PUT',
    unknownFields: { ...Object.fromEntries(answered.map(name => [name, leaveItOut])), ...unknownFields },
  }
  rules.set(operation, made)
  return made
}
