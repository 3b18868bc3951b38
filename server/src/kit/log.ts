import { pino } from 'pino'

/** Facts with ids, once, at the edge: no names, addresses, message texts or keys ever reach this. */
export interface Log {
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}

/** An error keeps its kind, code and stack; a database error's detail quotes rows, so it is left behind. */
const plainError = (error: unknown) =>
  error instanceof Error
    ? { type: error.constructor.name, code: (error as { code?: unknown }).code, stack: error.stack }
    : { type: typeof error }

export const createLog = (level: string, role: string): Log =>
  pino(
    { level, base: { role }, serializers: { err: plainError }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
