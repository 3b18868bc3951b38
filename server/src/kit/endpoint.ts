import type { z } from 'zod'
import type { Access } from './actor.ts'

export type Shape = z.ZodType | undefined

/** How an operation is reached, by whom, and with what. */
export interface Endpoint<P extends Shape = Shape, Q extends Shape = Shape, B extends Shape = Shape>
  extends Access {
  /** `noun.verb`; also the name of the CLI command and of the assistant's tool. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
}
