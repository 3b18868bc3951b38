import { z } from 'zod'
import type { Operation } from '../../src/kit/operation.ts'

export interface Shape {
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: unknown
  anyOf?: Shape[]
  format?: string
  type?: string
  maxLength?: number
  $ref?: string
  $defs?: Record<string, Shape>
}

/** Every object a body may consist of, but for the items of lists, with the path of names to it. */
export function objectsIn(operation: Operation): { path: string[]; shape: Shape }[] {
  const root = z.toJSONSchema(operation.body!, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Shape
  const visit = (shape: Shape, path: string[]): { path: string[]; shape: Shape }[] => {
    if (shape.$ref) return visit(root.$defs![shape.$ref.replace('#/$defs/', '')]!, path)
    return [
      ...(shape.properties ? [{ path, shape }] : []),
      ...(shape.anyOf ?? []).flatMap(option => visit(option, path)),
      ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => visit(inner, [...path, name])),
    ]
  }
  return visit(root, [])
}
