import { z } from 'zod'
import type { Operation } from '../operation.ts'
import type { BodyRules } from './validate.ts'

const rules = new WeakMap<Operation, BodyRules>()

const leaveItOut = 'is a field of the answer and not of the request; leave it out'

/** How the body of an operation is validated. If a client sends back a record, the error names the fields to leave out. */
export function bodyRulesOf(operation: Operation): BodyRules {
  const known = rules.get(operation)
  if (known) return known
  const { method, bodyFaults = {}, reply } = operation
  const answered = reply instanceof z.ZodObject ? Object.keys(reply.shape) : []
  const made: BodyRules = {
    missingIs: bodyFaults.missingIs,
    isUpdate: method === 'PUT',
    unknownFields: { ...Object.fromEntries(answered.map(name => [name, leaveItOut])), ...bodyFaults.unknown },
  }
  rules.set(operation, made)
  return made
}
