import { pino } from 'pino'

/** Log fields are ids and facts. Names, addresses, message texts and keys are never logged. */
export interface Log {
  debug(facts: Record<string, unknown>, message: string): void
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}

/** The messages of defects. The proofs search the logs for them, so they are written once. */
export const defectMessages = {
  request: 'unhandled error',
  task: 'task failed',
  delivery: 'endpoint delivery failed',
} as const

/** Of an error, the type, code and stack are logged. The detail of a database error quotes rows, so it is left out. */
const plainError = (error: unknown) =>
  error instanceof Error
    ? { type: error.constructor.name, code: (error as { code?: unknown }).code, stack: error.stack }
    : { type: typeof error }

export const createLog = (level: string, role: string): Log =>
  pino(
    { level, base: { role }, serializers: { err: plainError }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
