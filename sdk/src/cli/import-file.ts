import { basename } from 'node:path'
import type { MappingInput, Relance, Task } from '../index.ts'
import { printable, RefusedError, UsageError } from './errors.ts'
import { fileToSend } from './operations.ts'
import { note, print, progressBar } from './output.ts'

export interface ImportOptions {
  file: string | undefined
  /** Continues a task of an earlier run. */
  task: string | undefined
  map: readonly string[]
  isDryRun: boolean
  startsWorkflow: boolean
  language: 'fr' | 'en' | undefined
  isJson: boolean
  signal: AbortSignal
}

const shownRefusals = 20

/** `Montant=amount`, by the title or the number of the column; it overrides the mapping that the server found. */
function mappingOf({ columns }: NonNullable<Task['import']>, given: readonly string[]): MappingInput {
  type Column = NonNullable<MappingInput['columns']>[number]
  const chosen = new Map<number, Column['field']>()
  for (const { column, field } of columns) if (field) chosen.set(column, field)
  for (const pair of given) {
    const at = pair.lastIndexOf('=')
    const [title, field] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim() as Column['field']]
    if (at < 1)
      throw new UsageError(
        `--map takes Title=field, as in --map "Montant=amount"; it was ${JSON.stringify(pair)}.`,
      )
    const found = columns.filter(
      one => one.title.trim().toLowerCase() === title.toLowerCase() || String(one.column) === title,
    )
    if (found.length !== 1)
      throw new UsageError(
        `${found.length === 0 ? 'No column is' : 'Several columns are'} called ${JSON.stringify(title)}; the columns are ${columns.map(one => `${one.column} ${one.title}`).join(', ')}.`,
      )
    for (const [column, other] of chosen) if (other === field) chosen.delete(column)
    if (field) chosen.set(found[0]!.column, field)
    else chosen.delete(found[0]!.column)
  }
  return { columns: [...chosen].map(([column, field]) => ({ column, field })) }
}

/** What the server has found out about the file. */
function showReview(task: Task): void {
  const { import: read } = task
  if (!read) return
  for (const { title, field } of read.columns)
    print(printable(`  ${title.padEnd(28)} ${field ?? '(not read)'}`))
  for (const { message } of read.faults) print(printable(`  fault: ${message}`))
  print(`${task.succeeded} rows can be imported, ${task.refused} cannot`)
  if (read.debtors) print(`${read.debtors.matched} debtors are known, ${read.debtors.new} are new`)
  const [message] = read.firstMessages
  if (message) print(`first messages: ${message.count} by ${message.channel} on ${message.date}`)
}

async function showRefusals(relance: Relance, { id, refused }: Task, signal: AbortSignal): Promise<void> {
  if (refused === 0) return
  let shown = 0
  for await (const { line, message, code } of relance.tasks.items(
    id,
    { only: 'refused', limit: shownRefusals },
    { signal },
  )) {
    if (shown++ === shownRefusals) break
    print(printable(`  line ${line ?? '?'}: ${message} (${code})`))
  }
  if (refused > shownRefusals)
    print(`  and ${refused - shownRefusals} more: relance tasks items ${id} --only refused --all`)
}

/** Imports a file of invoices as a task: upload, review, then creation. After an interruption `--task` continues it. */
export async function importFile(relance: Relance, options: ImportOptions): Promise<void> {
  const { file, map, isDryRun, isJson, signal } = options
  const bar = progressBar()
  const say = isJson ? () => {} : note
  let id = options.task
  if (id === undefined) {
    if (file === undefined)
      throw new UsageError('invoices import needs a file: relance invoices import <file>')
    say(`sending ${file}`)
    const { data, warnings } = await relance.tasks
      .import(
        await fileToSend(file),
        {
          ...(file !== '-' && { fileName: basename(file) }),
          ...(options.startsWorkflow ? {} : { autoStartWorkflow: false }),
          ...(options.language && { language: options.language }),
        },
        { signal },
      )
      .withResponse()
    id = data.id
    for (const { message } of warnings) note(`warning: ${printable(message)}`)
  }
  const taskId = id
  note(`task ${taskId}`)
  const wait = async (label: string) => {
    try {
      return await relance.tasks.wait(taskId, {
        signal,
        maxRetries: 8,
        pollMs: 1_000,
        onProgress: ({ progress: { done, total } }) => bar.show(label, done, total),
      })
    } finally {
      bar.end()
    }
  }
  try {
    let task = await wait('reading')
    if (task.kind !== 'import') throw new UsageError(`Task ${taskId} is no import.`)
    if (map.length > 0 && task.status === 'review') {
      await relance.tasks.map(taskId, mappingOf(task.import!, map), { signal })
      task = await wait('reading')
    }
    if (task.status === 'review') {
      if (!isJson) showReview(task)
      const faults = task.import?.faults ?? []
      if (!isDryRun && faults.length > 0)
        throw new RefusedError(
          `The columns cannot be read: ${printable(faults[0]!.message)} Say which one it is: relance invoices import --task ${taskId} --map "Title=${faults[0]!.field ?? 'field'}"`,
        )
      if (isDryRun) {
        if (isJson) return print(JSON.stringify(task, null, 2))
        await showRefusals(relance, task, signal)
        return print(`nothing was created; to import: relance invoices import --task ${taskId}`)
      }
      await relance.tasks.start(taskId, { signal })
      task = await wait('creating')
    }
    if (isJson) print(JSON.stringify(task, null, 2))
    else {
      print(`${task.status}: ${task.succeeded} invoices created, ${task.refused} rows refused`)
      await showRefusals(relance, task, signal)
    }
    if (task.status === 'failed') throw new RefusedError(printable(task.failure ?? 'The task failed.'))
    if (task.status === 'cancelled') throw new RefusedError('The task was cancelled.')
    if (task.refused > 0)
      throw new RefusedError(`${task.refused} rows were refused; the others are imported.`)
  } catch (error) {
    if (signal.aborted)
      note(`\nThe task goes on by itself. To see it through: relance invoices import --task ${taskId}`)
    throw error
  }
}
