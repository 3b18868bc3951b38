import { useNavigate, useSearch } from '@tanstack/react-router'
import { ImportStart } from '../features/import/import-start.tsx'
import { ImportTask } from '../features/import/import-task.tsx'
import { words } from '../features/import/words.ts'
import { useMay, useRole } from '../lib/api.ts'
import { useWords } from '../lib/language.tsx'
import { useTitle } from '../lib/title.ts'

/** A file of invoices, from the file to its invoices. Its task is in the URL, so a reload goes on where it was. */
export default function Import() {
  const text = useWords(words)
  const may = useMay()
  const isKnown = useRole() !== undefined
  useTitle(text.title)
  const { task } = useSearch({ from: '/$company/$environment/import' })
  const navigate = useNavigate({ from: '/$company/$environment/import' })
  const open = (id?: string) => void navigate({ search: id === undefined ? {} : { task: id } })
  return (
    <div className="flex max-w-[75rem] flex-col gap-4">
      <h1 className="text-screen font-[650]">{text.title}</h1>
      {!isKnown ? (
        <div aria-busy="true" className="min-h-[45rem]" />
      ) : !may('tasks.import') ? (
        <p className="text-soft">{text.notYours}</p>
      ) : task === undefined ? (
        <ImportStart onOpen={open} />
      ) : (
        <ImportTask key={task} id={task} onOpen={open} />
      )}
    </div>
  )
}
