import { z } from 'zod'
import { defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { taskKinds } from './schema.ts'

const about = { taskId: outputUuid, kind: z.enum(taskKinds) }

export const taskCreated = defineAuditEvent({
  type: 'task.created',
  schemaVersion: 1,
  summary: 'Task made',
  data: z.object({ ...about, action: z.string().nullable(), isDryRun: z.boolean() }),
})

export const taskStarted = defineAuditEvent({
  type: 'task.started',
  schemaVersion: 1,
  summary: 'Task started after its review',
  data: z.object(about),
})

export const columnsMapped = defineAuditEvent({
  type: 'task.columns_mapped',
  schemaVersion: 1,
  summary: 'Columns of an imported file named',
  data: z.object(about),
})

export const taskCancelled = defineAuditEvent({
  type: 'task.cancelled',
  schemaVersion: 1,
  summary: 'Task cancelled',
  data: z.object(about),
})

export const taskStopped = defineAuditEvent({
  type: 'task.stopped',
  schemaVersion: 1,
  summary: 'Task stopped, because the right of who made it has ended',
  data: z.object(about),
})

export const taskAuditEvents = [taskCreated, taskStarted, columnsMapped, taskCancelled, taskStopped]
