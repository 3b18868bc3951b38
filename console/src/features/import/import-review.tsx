import type { MappingInput, Task } from '@relance/sdk'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { count, day } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { DataTable } from '../../ui/table.tsx'
import { Refused } from './refused.tsx'
import { type ImportField, words } from './words.ts'

interface Props {
  readonly task: Task
}

/** What the server found in the file: how it was read, what is ready, what is refused and what would leave. */
export function Review({ task }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const report = task.import
  return (
    <>
      <p role="status" className="flex flex-wrap gap-x-6 gap-y-1">
        <strong className="font-[650]">{text.ready(task.succeeded, count(task.succeeded, language))}</strong>
        {task.refused > 0 && (
          <strong className="font-[650] text-alarm">
            {text.refusedRows(task.refused, count(task.refused, language))}
          </strong>
        )}
        {report?.debtors && (
          <span className="text-soft">
            {text.debtors(count(report.debtors.matched, language), count(report.debtors.new, language))}
          </span>
        )}
      </p>
      {report && report.faults.length > 0 && (
        <Sheet title={text.faults} className="border-alarm">
          <ul className="list-disc pl-5">
            {report.faults.map(({ code, field, message }) => (
              <li key={`${code} ${field}`} className="break-words">
                {message}
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {task.isDryRun && report && (report.columns.length > 0 || report.file.sheets.length > 1) && (
        <Columns key={`${report.file.sheet} ${JSON.stringify(report.columns)}`} task={task} />
      )}
      {task.refused > 0 && (
        <Sheet title={text.refused}>
          <Causes task={task} />
          <RefusedRows task={task} />
        </Sheet>
      )}
      {report && report.healed.length > 0 && (
        <Sheet title={text.healed}>
          <ul>
            {report.healed.map(({ code, message, count: n }) => (
              <li
                key={`${code} ${message}`}
                className="flex gap-4 border-line py-1.5 break-words not-first:border-t"
              >
                <span className="min-w-0 flex-1">{message}</span>
                <span className="text-soft tabular-nums">{text.healedRows(n, count(n, language))}</span>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {report?.debtors && <FirstMessages task={task} />}
    </>
  )
}

/** The refusals by their cause, the most frequent one first. */
export function Causes({ task }: Props) {
  const language = useLanguage()
  return (
    <ul className="mb-4">
      {task.refusals.map(({ code, message, count: n }) => (
        <li key={`${code} ${message}`} className="flex gap-4 border-line py-1.5 not-first:border-t">
          <span className="w-16 text-right font-[650] tabular-nums">{count(n, language)}</span>
          <span className="min-w-0 flex-1 break-words">{message}</span>
        </li>
      ))}
    </ul>
  )
}

/** The refused lines of the file, fifty at a time. */
export function RefusedRows({ task }: Props) {
  const text = useWords(words)
  const api = useApi()
  const rows = useInfiniteQuery({
    queryKey: ['task', task.id, 'refused', task.isDryRun, task.refused],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.tasks.items(
        task.id,
        { only: 'refused', limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const shown = rows.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <div aria-busy={rows.isPending} className="min-h-24">
      <DataTable
        caption={text.refused}
        columns={[
          { key: 'line', head: text.line, isNumber: true, cell: ({ line }) => line },
          { key: 'cause', head: text.cause, cell: ({ message }) => message },
        ]}
        rows={shown}
        rowKey={({ line }) => String(line)}
        empty=""
      />
      {rows.hasNextPage && (
        <Button className="mt-2" disabled={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          {text.moreRows}
        </Button>
      )}
    </div>
  )
}

const none = ''

/** The sheet that is read and what its columns are, to be changed by a person. */
function Columns({ task }: Props) {
  const text = useWords(words)
  const api = useApi()
  const queries = useQueryClient()
  const { file, columns, headerLine } = task.import!
  const [fields, setFields] = useState(() => columns.map(({ field }) => field ?? none))
  const map = useMutation({
    mutationFn: async (body: MappingInput) => await api.tasks.map(task.id, body),
    onSuccess: mapped => queries.setQueryData(['task', mapped.id], mapped),
  })
  const isChanged = columns.some(({ field }, i) => (field ?? none) !== fields[i])
  const chosen = columns.flatMap(({ column }, i) =>
    fields[i] === none ? [] : [{ column, field: fields[i] as ImportField }],
  )
  const taken = new Set<string>(fields)
  const choicesFor = (current: string) => [
    [none, text.ignored] as const,
    ...Object.entries(text.fields).filter(([field]) => field === current || !taken.has(field)),
  ]
  return (
    <Sheet
      title={text.columns}
      aside={headerLine !== null && <p className="text-soft">{text.headerLine(headerLine)}</p>}
    >
      <div className="flex flex-col gap-4">
        {file.sheets.length > 1 && (
          <div className="max-w-80">
            <SelectField
              label={text.sheet}
              value={file.sheet ?? none}
              onChange={sheet => map.mutate({ sheet })}
              choices={file.sheets.map(({ name, hidden }) => [name, hidden ? text.hiddenSheet(name) : name])}
            />
          </div>
        )}
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
          {columns.map(({ column, title, field, confidence }, i) => (
            <SelectField
              key={column}
              label={title}
              hint={field !== null && confidence < 1 ? text.toCheck : undefined}
              value={fields[i] ?? none}
              onChange={value => setFields(known => known.with(i, value as ImportField))}
              choices={choicesFor(fields[i] ?? none)}
            />
          ))}
        </div>
        {headerLine !== null && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              className="max-md:min-h-11"
              disabled={!isChanged || chosen.length === 0 || map.isPending}
              onClick={() => map.mutate({ columns: chosen })}
            >
              {text.apply}
            </Button>
            <span className="text-soft">{text.columnsHint}</span>
          </div>
        )}
        <Refused error={map.error} />
      </div>
    </Sheet>
  )
}

/** The first message to each new debtor, by day and channel. */
function FirstMessages({ task }: Props) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const rows = task.import?.firstMessages ?? []
  return (
    <Sheet title={text.messages} aside={<p className="text-soft">{text.messagesHint}</p>}>
      <DataTable
        caption={text.messages}
        columns={[
          { key: 'day', head: text.day, cell: ({ date }) => day(date, language) },
          { key: 'channel', head: text.channel, cell: ({ channel }) => known.channels[channel] },
          { key: 'count', head: text.many, isNumber: true, cell: ({ count: n }) => count(n, language) },
        ]}
        rows={rows}
        rowKey={({ date, channel }) => `${date} ${channel}`}
        empty={text.noMessages}
      />
    </Sheet>
  )
}
