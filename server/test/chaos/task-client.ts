import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosInstallation } from './chaos-installation.ts'
import { postUntilAnswered } from './post-until-answered.ts'

export interface Task {
  id: string
  status: string
  progress: { done: number; total: number }
  succeeded: number
  refused: number
  refusals: { code: string; message: string; count: number }[]
  /** Of an erasure: what is kept, and until when. */
  report?: { kept: { what: string; count: number; lastEnd: string | null }[] } | null
}

/** Asks until it is answered, whatever is killed meanwhile. */
export async function postTask(
  installation: ChaosInstallation,
  request: { key: string; path: string; body: unknown } | { key: string; path: string; file: Buffer },
  apiKey = installation.company.productionKey,
): Promise<Task> {
  const customer = { apiUrls: installation.apiUrls, apiKey, lockRetryMs: 60_000 }
  const outcome = await postUntilAnswered<Task>(customer, request)
  if (!outcome.data) throw new Error(`${request.path} was answered ${outcome.refusal ?? 'nothing'}`)
  return outcome.data
}

/** Reads a task at any API that answers; null while none does. */
async function read({ apiUrls }: ChaosInstallation, id: string, apiKey: string): Promise<Task | null> {
  for (const url of apiUrls)
    try {
      const response = await fetch(`${url}/api/v1/tasks/${id}`, {
        headers: { 'x-api-key': apiKey },
        signal: AbortSignal.timeout(5_000),
      })
      if (response.ok) return ((await response.json()) as { data: Task }).data
    } catch {
      // This one is dead at the moment.
    }
  return null
}

/** Waits for a status; returns what was seen of the progress on the way. */
export async function untilStatus(
  installation: ChaosInstallation,
  id: string,
  wanted: string,
  withinMs: number,
  apiKey = installation.company.productionKey,
): Promise<{ task: Task | null; seen: number[] }> {
  const giveUpAt = performance.now() + withinMs
  const seen: number[] = []
  let last: Task | null = null
  while (performance.now() < giveUpAt) {
    const task = await read(installation, id, apiKey)
    if (task) {
      last = task
      seen.push(task.progress.done)
      if (task.status === wanted || task.status === 'failed') break
    }
    await pause(100)
  }
  return { task: last, seen }
}
