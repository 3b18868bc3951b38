import { RelanceError } from '@relance/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { faultSentence, refusalSentence } from '../../lib/refusal-words.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { words } from './people-words.ts'

interface Props {
  /** The field that has the focus first. */
  readonly first: string
  readonly save: (options: { idempotencyKey: string }) => Promise<unknown>
  readonly saved: string
  readonly onClose: () => void
  /** What is wrong with a field, in the words of the reader. */
  readonly children: (faultOf: (field: string) => string | undefined) => ReactNode
  readonly aside?: ReactNode
}

type Input = HTMLInputElement | HTMLTextAreaElement

/** A form in the place of what it edits: Enter saves, Esc leaves it as it is. */
export function EditForm({ first, save, saved, onClose, children, aside }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const attempt = useRef(crypto.randomUUID())
  useEffect(() => {
    const field = form.current?.querySelector<Input>(`[data-field="${first}"] :is(input, textarea, select)`)
    field?.focus()
    if (field && 'select' in field) field.select()
  }, [first])
  const mutation = useMutation({
    mutationFn: () => save({ idempotencyKey: attempt.current }),
    onSuccess: () => {
      showToast({ text: saved })
      onClose()
    },
    onSettled: () =>
      Promise.all(
        ['invoice', 'debtor', 'today'].map(kind => queries.invalidateQueries({ queryKey: [kind] })),
      ),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!mutation.isPending) mutation.mutate()
  }
  const details = mutation.error instanceof RelanceError ? mutation.error.details : []
  const faultOf = (name: string) => {
    const fault = details.find(({ field }) => field === name)
    return fault && faultSentence(fault.code, language)
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      // What was changed is a new request; a repetition of the same one is done once.
      onChange={() => {
        attempt.current = crypto.randomUUID()
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') onClose()
      }}
      className="flex flex-col gap-3 rounded-control bg-sunken p-3"
    >
      {children(faultOf)}
      {mutation.error && (
        <p role="alert" className="text-alarm">
          {text.notSaved}{' '}
          {refusalSentence(mutation.error, language, { marked: details.map(({ field }) => field) })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="brand" aria-disabled={mutation.isPending}>
          {text.save}
        </Button>
        <Button onClick={onClose}>{text.cancel}</Button>
        {aside}
      </div>
    </form>
  )
}
