import { z } from 'zod'
import { newEvent } from '../../../../kit/events.ts'
import { line } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { defaultTableLimits } from '../../../../kit/sheets/sheet-error.ts'
import { storageFull } from '../../../access/stored-bytes/errors.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { taskCreated } from '../audit-events.ts'
import { fileDeleted, tooManyTasks } from '../errors.ts'
import { createFileOfCaller, deleteUnusedFile, storePartOfCaller } from '../files.ts'
import { toTask } from '../read-tasks.ts'
import { Task } from '../schema.ts'
import { createTask } from '../store.ts'
import type { ImportRequest } from './import-request.ts'

export const createImportTask = operation({
  id: 'tasks.import',
  method: 'POST',
  path: '/api/v1/tasks/import',
  summary: 'Import a file of invoices: CSV, XLSX or NDJSON, up to 50 MB',
  description:
    'Send the file itself as the body. It is read and every row is judged, then the task waits in `review`: nothing is created before `POST …/start`. Common faults of French files are corrected and listed; rows that cannot be read are refused with their line and the cause. It counts towards the `storage` of the company.',
  scopes: ['invoices:write'],
  query: z.strictObject({
    fileName: line(200)
      .optional()
      .meta({ description: 'Shown with the task; the format is detected from the content' }),
    autoStartWorkflow: z
      .enum(['true', 'false'])
      .optional()
      .meta({ default: 'true', description: 'Start the recovery of each invoice that is created' }),
    language: z
      .enum(['fr', 'en'])
      .optional()
      .meta({ default: 'en', description: 'Language of the causes and reports' }),
  }),
  upload: {
    types: [
      'text/csv',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/x-ndjson',
      'application/octet-stream',
    ],
    maxBytes: defaultTableLimits.fileBytes,
    create: createFileOfCaller,
    write: storePartOfCaller,
    discard: deleteUnusedFile,
  },
  status: 201,
  reply: Task,
  errors: [tooManyTasks, storageFull, fileDeleted],
  assistant: 'never',
  audit: [taskCreated],
  example: {
    body: 'N° facture;Client;E-mail;Date facture;Échéance;Montant TTC\nF-2026-0101;Petit & Fils;compta@petit.example;01/09/2026;01/10/2026;1 234,56\n',
  },
  async run(call) {
    const { tx, query, body } = call
    const request: ImportRequest = {
      fileName: query.fileName ?? null,
      bytes: body.bytes,
      sha256: body.sha256,
      autoStartWorkflow: query.autoStartWorkflow !== 'false',
      language: query.language ?? 'en',
    }
    const task = await createTask(call, {
      kind: 'import',
      input: request,
      scopes: ['invoices:write'],
      isDryRun: true,
      total: null,
      fileId: body.id,
    })
    const about = { taskId: task.id, kind: task.kind, action: null, isDryRun: true }
    recordAudit(tx, [newEvent(taskCreated, task.id, about)], call)
    return toTask(task, call)
  },
})
