import type { Debtor } from '@relance/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useAttempt } from '../../lib/attempt.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { daysOf, limitOf, useToday } from '../../lib/limits.ts'
import { refusalSentence } from '../../lib/refusal-words.ts'
import { Button } from '../../ui/button.tsx'
import { DateField, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { words } from './words.ts'

/** A note, and the day on which the debtor comes back to the list. */
export function NoteForm({ debtor, onClose }: { readonly debtor: Debtor; readonly onClose: () => void }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const [comeBackOn, setComeBackOn] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const attempt = useAttempt()
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const mutation = useMutation({
    mutationFn: async () => {
      const body = { text: note.trim(), ...(comeBackOn && { comeBackOn }) }
      await api.debtors.addNote(debtor.id, body, attempt(body))
    },
    onSuccess: () => {
      showToast({ text: text.noteSaved })
      onClose()
    },
    onSettled: () =>
      Promise.all(['debtor', 'work'].map(kind => queries.invalidateQueries({ queryKey: [kind] }))),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (note.trim() !== '' && !mutation.isPending) mutation.mutate()
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="mt-2 flex flex-col gap-3 rounded-control bg-sunken p-3"
    >
      <TextField
        label={text.note}
        hint={text.noteHint}
        lines={3}
        maxLength={limitOf('debtors.addNote', 'text').maxLength}
        value={note}
        onChange={setNote}
      />
      <DateField
        label={text.comeBack}
        hint={text.comeBackHint}
        isOptional
        {...daysOf(limitOf('debtors.addNote', 'comeBackOn'), useToday(debtor.timeZone ?? 'Europe/Paris'))}
        value={comeBackOn}
        onChange={setComeBackOn}
      />
      {mutation.error && (
        <p role="alert" className="text-alarm">
          {text.notSaved} {refusalSentence(mutation.error, language)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="brand" aria-disabled={note.trim() === '' || mutation.isPending}>
          {text.saveNote}
        </Button>
        <Button onClick={onClose}>{text.leave}</Button>
      </div>
    </form>
  )
}
