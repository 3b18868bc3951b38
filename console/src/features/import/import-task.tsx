import type { Task } from '@relance/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi, useMay, usePlace } from '../../lib/api.ts'
import { useAttempt } from '../../lib/attempt.ts'
import { count } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Causes, RefusedRows, Review } from './import-review.tsx'
import { nameOf } from './import-start.tsx'
import { isUnderWay, taskQuery } from './queries.ts'
import { Refused } from './refused.tsx'
import { words } from './words.ts'

const useTask = (id: string) => useQuery(taskQuery(useApi(), id))

interface Props {
  readonly id: string
  readonly onOpen: (id?: string) => void
}

/** An import, wherever it stands: it is read, it is reviewed, it creates invoices, it has ended. */
export function ImportTask({ id, onOpen }: Props) {
  const text = useWords(words)
  const { data: task, error, refetch } = useTask(id)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!task) return <div aria-busy="true" className="min-h-[45rem]" />
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 text-section break-words">{nameOf(task)}</span>
        <span className="text-soft">{text.statuses[task.status]}</span>
        <Button className="ml-auto max-md:min-h-11" onClick={() => onOpen()}>
          {text.other}
        </Button>
      </p>
      {isUnderWay(task) ? <UnderWay task={task} /> : <Stopped task={task} />}
    </>
  )
}

/** A change of a task; the same attempt keeps its idempotency key. */
function useChange(task: Task, change: (options: { idempotencyKey: string }) => PromiseLike<Task>) {
  const queries = useQueryClient()
  const attempt = useAttempt()
  return useMutation({
    mutationFn: async () => await change(attempt(task.id)),
    onSuccess: changed => {
      queries.setQueryData(['task', changed.id], changed)
      void queries.invalidateQueries({ queryKey: ['task', task.id] })
    },
  })
}

function UnderWay({ task }: { readonly task: Task }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const { done, total } = task.progress
  const stop = useChange(task, options => api.tasks.cancel(task.id, options))
  const shown = count(done, language)
  return (
    <Sheet title={task.isDryRun ? text.reading : text.creating}>
      <div className="flex flex-col gap-3">
        <progress
          className="h-2 w-full accent-brand"
          aria-label={task.isDryRun ? text.reading : text.creating}
          {...(total !== null && total > 0 && { max: total, value: done })}
        />
        <p role="status">
          {total === null ? text.rowsRead(shown) : text.created(shown, count(total, language))}
        </p>
        <p className="text-soft">{text.canLeave}</p>
        <div>
          <Button className="max-md:min-h-11" disabled={stop.isPending} onClick={() => stop.mutate()}>
            {task.isDryRun ? text.discard : text.stop}
          </Button>
        </div>
        <Refused error={stop.error} />
      </div>
    </Sheet>
  )
}

function Stopped({ task }: { readonly task: Task }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const start = useChange(task, options => api.tasks.start(task.id, options))
  const discard = useChange(task, options => api.tasks.cancel(task.id, options))
  if (task.status === 'review')
    return (
      <>
        <Review task={task} />
        <footer className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-ground py-3 max-md:static">
          <Refused error={start.error ?? discard.error} />
          <Button className="max-md:min-h-11" onClick={() => discard.mutate()}>
            {text.discard}
          </Button>
          <Button
            tone="brand"
            className="max-md:min-h-11"
            disabled={start.isPending || task.succeeded === 0 || (task.import?.faults.length ?? 0) > 0}
            onClick={() => start.mutate()}
          >
            {task.isDryRun ? text.import(task.succeeded, count(task.succeeded, language)) : text.goOn}
          </Button>
        </footer>
      </>
    )
  if (task.status === 'failed')
    return (
      <Sheet title={text.failed}>
        {task.failure !== null && <p className="break-words">{task.failure}</p>}
        {task.isDryRun && <p className="mt-2 text-soft">{text.failedHint}</p>}
        {!task.isDryRun && <Ended task={task} />}
      </Sheet>
    )
  return (
    <Sheet title={text.statuses[task.status]}>
      <Ended task={task} />
    </Sheet>
  )
}

/** What an import has created, and how it is undone. */
function Ended({ task }: { readonly task: Task }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const may = useMay()
  const { company, environment } = usePlace()
  const undoing = useChange(task, options => api.tasks.undo(task.id, options))
  const undoId = task.import?.undoTaskId ?? null
  if (task.isDryRun) return null
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        {text.imported(task.succeeded, count(task.succeeded, language))}
        {task.refused > 0 && `, ${text.refusedRows(task.refused, count(task.refused, language))}`}
      </p>
      {undoId !== null ? (
        <Undone id={undoId} />
      ) : (
        task.succeeded > 0 && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Link
              to="/$company/$environment/invoices"
              params={{ company, environment }}
              className={`${buttonClass('brand')} max-md:min-h-11`}
            >
              {text.toInvoices}
            </Link>
            {may('tasks.undo') && (
              <>
                <Button
                  className="max-md:min-h-11"
                  disabled={undoing.isPending}
                  onClick={() => undoing.mutate()}
                >
                  {text.undo}
                </Button>
                <span className="text-soft">{text.undoHint}</span>
              </>
            )}
          </div>
        )
      )}
      <Refused error={undoing.error} />
      {task.refused > 0 && (
        <>
          <Causes task={task} />
          <RefusedRows task={task} />
        </>
      )}
    </div>
  )
}

/** The undoing, which is a task of its own. */
function Undone({ id }: { readonly id: string }) {
  const text = useWords(words)
  const language = useLanguage()
  const { data: undo } = useTask(id)
  if (!undo) return <p aria-busy="true" className="min-h-5" />
  return (
    <p role="status">
      {isUnderWay(undo)
        ? `${text.undoing} ${count(undo.progress.done, language)}`
        : text.undone(undo.succeeded, count(undo.succeeded, language))}
      {!isUnderWay(undo) && undo.refused > 0 && `. ${text.kept(undo.refused, count(undo.refused, language))}`}
    </p>
  )
}
