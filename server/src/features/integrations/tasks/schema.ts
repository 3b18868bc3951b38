import { z } from 'zod'
import type { Actor, Scope } from '../../../kit/actor.ts'
import { dateTime, outputUuid, uuid } from '../../../kit/fields.ts'
import { ImportReport } from './import/schema.ts'

/** What a cursor may be: it is stored as JSON. */
export type Cursor = string | number | { readonly [key: string]: string | number | boolean | null }

export const taskKinds = ['bulk', 'import', 'undo', 'export', 'erase', 'access'] as const
export type TaskKind = (typeof taskKinds)[number]

export const taskStatuses = ['waiting', 'running', 'review', 'finished', 'failed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

const Refusals = z
  .array(
    z.object({
      code: z.string(),
      message: z.string(),
      count: z.int(),
    }),
  )
  .meta({ description: 'Why items were refused, the most frequent cause first; at most 50 causes' })

const counts = {
  succeeded: z.int().meta({ description: 'Items that were done; of a dry run, that would be done' }),
  refused: z.int(),
  refusals: Refusals,
}
export const TaskCounts = z.object({ succeeded: counts.succeeded, refused: counts.refused })

export const Task = z
  .object({
    id: outputUuid,
    kind: z.enum(taskKinds),
    status: z.enum(taskStatuses).meta({
      description:
        '`waiting` for its turn; `running`; `review`: judged, or stopped on the way because the right of its maker has ended, and waits for start; then `finished`, `failed` or `cancelled`',
    }),
    isDryRun: z.boolean().meta({ description: 'It judges only; start does it' }),
    progress: z.object({
      done: z.int(),
      total: z.int().nullable().meta({ description: 'Null while the number is not known' }),
    }),
    ...counts,
    review: z
      .object(counts)
      .nullable()
      .meta({ description: 'What the dry run had found, once the task was started' }),
    import: ImportReport.nullable().meta({
      description: 'Of an import: how the file is read, and what it would bring',
    }),
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed, or was stopped on the way, and what to do' }),
    file: z
      .object({
        url: z.string().nullable().meta({
          format: 'uri',
          description:
            'Works without an API key: whoever has the link can download the file, as long as the credential that made it has the right to it. Only for who made the task, and for a person only within ten minutes of signing in, which is how long it works then. Null for everybody else, and for an assistant, because its model provider would read it',
        }),
        expiresAt: dateTime.meta({ description: 'A day of real time after the end of the task' }),
        rows: z.int().nullable().meta({ description: 'Null where the file is no table' }),
      })
      .nullable()
      .meta({ description: 'What a finished task made; null where it makes none, and after a day' }),
    request: z.record(z.string(), z.unknown()).meta({ description: 'What was asked for' }),
    report: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'What this kind of task tells beside its counts' }),
    createdAt: dateTime,
    startedAt: dateTime.nullable(),
    endedAt: dateTime.nullable().meta({ description: 'It is kept for 30 days after this' }),
  })
  .meta({ id: 'Task' })

export const taskInPath = z.strictObject({ id: uuid })

/** The maker of the task, who created or started it: its items are judged with the scopes of this actor. */
export type TaskActor = Pick<Actor, 'kind' | 'id' | 'companyId' | 'environment' | 'scopes' | 'onBehalfOf'>

export interface Refusal {
  code: string
  message: string
  count: number
}

export interface TaskRow {
  id: string
  kind: TaskKind
  status: TaskStatus
  input: Record<string, unknown>
  actor: TaskActor
  scopes: Scope[]
  request_id: string
  is_dry_run: boolean
  attempt: number
  chunk: number
  cursor: Cursor | null
  total: number | null
  succeeded: number
  refused: number
  refusals: Refusal[]
  review: { succeeded: number; refused: number; refusals: Refusal[] } | null
  failure: string | null
  file_id: string | null
  /** When the day of its file begins, in real time; null without a file. */
  file_at: number | null
  report: Record<string, unknown> | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

export const taskColumns = `id, kind, status, input, actor, scopes, request_id, is_dry_run, attempt, chunk, cursor,
  total, succeeded, refused, refusals, review, failure, file_id, report, created_at, started_at, ended_at,
  (select f.created_at from task_files f where f.tenant_id = tasks.tenant_id and f.id = tasks.file_id) as file_at`
