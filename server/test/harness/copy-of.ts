import { expect } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { eventually, type TestInstallation } from './use-installation.ts'
import { zipEntries } from './zip-entries.ts'

/** The copy of the data of a person, or their erasure, as a task that has finished. */
export async function runTask(sandbox: Sandbox, kind: 'access' | 'erase', debtorId: string): Promise<string> {
  const { id } = await sandbox.done<{ id: string }>('POST', `/api/v1/tasks/${kind}`, { debtorId })
  const ended = await eventually(
    () => sandbox.done<{ status: string }>('GET', `/api/v1/tasks/${id}`),
    ({ status }) => ['finished', 'failed'].includes(status),
  )
  expect(ended).toMatchObject({ status: 'finished' })
  return id
}

/** The files of the copy that a person may ask for. */
export async function copyOf(
  installation: TestInstallation,
  sandbox: Sandbox,
  debtorId: string,
): Promise<Map<string, Buffer>> {
  const taskId = await runTask(sandbox, 'access', debtorId)
  const parts = await installation.sql<{ bytes: Buffer }>(
    'select p.bytes from task_file_parts p join tasks t on t.file_id = p.file_id where t.id = $1 order by p.part',
    [taskId],
  )
  return zipEntries(Buffer.concat(parts.map(({ bytes }) => bytes)))
}
