import type { Task } from '@relance/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useId, useRef, useState } from 'react'
import { companyQuery, useApi, usePlace } from '../../lib/api.ts'
import { count, momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { refusalSentence } from '../../lib/refusal-words.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { importsQuery } from './queries.ts'
import { words } from './words.ts'

const bytesMax = 50_000_000
const pastedMax = 1_000_000

/** Cells of a spreadsheet are copied with tabs between them; the file says so by its separator. */
const fileOf = (pasted: string, name: string) => new File([pasted], `${name}.csv`, { type: 'text/csv' })

/** Takes a file, or cells from the clipboard, and names the imports before it. */
export function ImportStart({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const { company, environment } = usePlace()
  const [starts, setStarts] = useState(true)
  const [isPasting, setPasting] = useState(false)
  const [pasted, setPasted] = useState('')
  const [isOver, setOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const hint = useId()
  const upload = useMutation({
    mutationFn: (file: File) =>
      api.tasks.import(file, {
        fileName: file.name.slice(0, 200),
        autoStartWorkflow: starts,
        language,
      }),
    onSuccess: ({ id }) => onOpen(id),
  })
  const { data: settings } = useQuery(companyQuery(api))
  const { data: before = [] } = useQuery(importsQuery(api))
  const [isTooLarge, setTooLarge] = useState(false)
  const take = (file: File | undefined) => {
    if (!file || upload.isPending) return
    setTooLarge(file.size > bytesMax)
    if (file.size <= bytesMax) upload.mutate(file)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <>
      <section
        aria-label={text.drop}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`flex flex-col items-center gap-3 rounded-sheet border-2 border-dashed p-8 text-center max-md:p-4 ${
          isOver ? 'border-brand bg-calm' : 'border-edge bg-sheet'
        }`}
      >
        <p className="text-section font-[650]">{text.drop}</p>
        <p id={hint} className="text-soft">
          {text.dropHint}
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button
            tone="brand"
            className="max-md:min-h-11"
            aria-describedby={hint}
            disabled={upload.isPending}
            onClick={() => picker.current?.click()}
          >
            {text.choose}
          </Button>
          <Button
            className="max-md:min-h-11"
            aria-expanded={isPasting}
            onClick={() => setPasting(open => !open)}
          >
            {text.paste}
          </Button>
          <Link
            to="/$company/$environment/invoices/new"
            params={{ company, environment }}
            className={`${buttonClass('quiet')} max-md:min-h-11`}
          >
            {text.oneInvoice}
          </Link>
        </div>
        <input
          ref={picker}
          type="file"
          aria-label={text.choose}
          tabIndex={-1}
          accept=".csv,.txt,.tsv,.xlsx,.ndjson"
          className="sr-only"
          onChange={event => {
            take(event.target.files?.[0])
            // The same file can be chosen again after it was mended.
            event.target.value = ''
          }}
        />
        <div className="text-left">
          <CheckField label={text.start} hint={text.startHint} isChecked={starts} onChange={setStarts} />
        </div>
        {isPasting && (
          <div className="flex w-full flex-col gap-2 text-left">
            <TextField
              label={text.paste}
              hint={text.pasteHint}
              value={pasted}
              onChange={setPasted}
              maxLength={pastedMax}
              lines={8}
            />
            <div>
              <Button
                disabled={pasted.trim() === '' || upload.isPending}
                onClick={() => take(fileOf(pasted, text.pastedName))}
              >
                {text.pasted}
              </Button>
            </div>
          </div>
        )}
        <p role="status" className="min-h-5">
          {upload.isPending && text.sending}
        </p>
        {(isTooLarge || upload.error) && (
          <p role="alert" className="text-alarm">
            {isTooLarge ? text.tooLarge : refusalSentence(upload.error, language)}
          </p>
        )}
      </section>
      {before.length > 0 && (
        <Sheet title={text.before}>
          <ul>
            {before.map(task => (
              <li key={task.id} className="border-line not-first:border-t">
                <button
                  type="button"
                  className="flex min-h-9 w-full flex-wrap items-center gap-x-4 px-2 text-left hover:bg-calm max-md:min-h-11"
                  onClick={() => onOpen(task.id)}
                >
                  <span className="min-w-0 flex-1 truncate text-brand">{nameOf(task)}</span>
                  <span>
                    {text[task.isDryRun ? 'ready' : 'imported'](
                      task.succeeded,
                      count(task.succeeded, language),
                    )}
                  </span>
                  <span className="text-soft">{text.statuses[task.status]}</span>
                  <span className="text-soft">
                    {settings && momentText(task.createdAt, settings.timeZone, language)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </>
  )
}

/** The name of its file. */
export const nameOf = ({ request, id }: Pick<Task, 'request' | 'id'>): string =>
  typeof request.fileName === 'string' ? request.fileName : id
