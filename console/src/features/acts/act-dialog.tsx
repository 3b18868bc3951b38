import { RelanceError } from '@relance/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { type Language, useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField, DateField, MoneyField, SelectField, TextField } from '../../ui/field.tsx'
import { centsOf } from '../../ui/money-text.ts'
import { PlanChange } from '../../ui/picture/plan-change.tsx'
import {
  type Choice,
  type FieldSpec,
  isComplete,
  keyOf,
  type Subject,
  shownFields,
  type Values,
} from './act-fields.ts'
import { type Act, type ActRequest, type Effect, firstValues, nameOfAct } from './acts.ts'
import { performAct, performStop } from './perform-act.ts'
import { Refusal } from './refusal.tsx'
import { words } from './words.ts'

interface Props {
  readonly act: Act
  readonly subject: Subject
  /** Initial field values, in addition to the defaults of the act. */
  readonly given?: Values
  readonly onClose: () => void
}

/** How long typing must pause before the dry run starts. */
const restMs = 300

function useDebounced<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** Shows the fields of an act and a preview of its effect, and performs the act when the button is pressed. */
export default function ActDialog({ act, subject, given: first, onClose }: Props) {
  const language = useLanguage()
  const text = useWords(words)
  const api = useApi()
  const queries = useQueryClient()
  const [values, setValues] = useState<Values>(() => ({
    ...firstValues(act, subject, language),
    ...first,
  }))
  const [hasClosed, setClosed] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const given = keyOf(act, values, language)
  const isRested = useDebounced(given) === given
  const canRehearse = isComplete(act, values, language)
  const requestOf = (dryRun: boolean, options: ActRequest['options']): ActRequest => ({
    api,
    subject,
    values,
    language,
    dryRun,
    options,
  })

  const choices = useQuery({
    queryKey: ['act', act.key, subject.id, 'choices'],
    queryFn: ({ signal }) => act.load!({ api, subject, language, options: { signal } }),
    enabled: act.load !== undefined,
    gcTime: 0,
  })
  // A single choice is preselected.
  const only = choices.data?.length === 1 ? choices.data[0]![0] : undefined
  const chosenField = act.fields.find(field => field.kind === 'choice' && !field.choices)?.name
  useEffect(() => {
    if (only !== undefined && chosenField) setValues(known => ({ [chosenField]: only, ...known }))
  }, [only, chosenField])
  const rehearsal = useQuery({
    queryKey: ['act', act.key, subject.id, given],
    queryFn: ({ signal }) => act.perform(requestOf(true, { signal })),
    enabled: canRehearse && isRested,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  // The same fields keep the same idempotency key: a retry after a lost answer does not perform the act twice.
  const attempt = useRef({ given: '', idempotencyKey: '' })
  const attemptOptions = () => {
    if (attempt.current.given !== given) attempt.current = { given, idempotencyKey: crypto.randomUUID() }
    return { idempotencyKey: attempt.current.idempotencyKey }
  }
  const mutation = useMutation({
    mutationFn: () => performAct(act, requestOf(false, attemptOptions()), queries),
    onSuccess: onClose,
  })

  const isCurrent = isRested && rehearsal.isSuccess && !rehearsal.isPlaceholderData
  // A stop does not wait for its preview.
  const isReady = canRehearse && !mutation.isPending && (act.isStop ? !rehearsal.isError : isCurrent)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady) return
    if (!act.isStop) return mutation.mutate()
    setClosed(true)
    onClose()
    void performStop(act, requestOf(false, attemptOptions()), queries)
  }
  const error = mutation.error ?? (canRehearse ? rehearsal.error : null)
  const faults = error instanceof RelanceError ? error.details : []
  const name = nameOfAct(act, language)
  return (
    <Dialog
      title={`${name} · ${subject.name}`}
      about={text.acts[act.key].about}
      isOpen={!hasClosed}
      onClose={onClose}
      {...(act.isStop && { firstFocus: button })}
    >
      <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          {shownFields(act, values).map(field => (
            <ActField
              key={field.name}
              field={field}
              subject={subject}
              value={values[field.name] ?? ''}
              onChange={value => setValues(known => ({ ...known, [field.name]: value }))}
              choices={field.choices ? undefined : choices.data}
              fault={faults.find(({ field: at }) => at === (field.of ?? field.name))?.message}
            />
          ))}
          {error === null && (
            <EffectOf
              effect={canRehearse ? rehearsal.data : undefined}
              isWorking={canRehearse && !isCurrent && !rehearsal.isError}
              subject={subject}
              language={language}
            />
          )}
          {error && <Refusal error={error} />}
        </div>
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
          <Button onClick={onClose}>{text.leaveAsIs}</Button>
          <Button
            ref={button}
            type="submit"
            tone={act.isFinal ? 'alarm' : 'brand'}
            aria-disabled={!isReady}
            className="aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
          >
            {name}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

interface FieldProps {
  readonly field: FieldSpec
  readonly subject: Subject
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly Choice[] | undefined
  readonly fault: string | undefined
}

function ActField({ field, subject, value, onChange, choices, fault }: FieldProps) {
  const { name, kind, isOptional, maxLength = 500, lines = 1 } = field
  const language = useLanguage()
  const text = useWords(words)
  const { label, hint: plainHint } = text.fields[name]
  const hint = [plainHint, kind === 'moment' ? text.hourOf(subject.timeZone) : ''].filter(Boolean).join(' ')
  const common = { label, hint: hint || undefined, error: fault, isOptional, value, onChange }
  const settled = useDeferredValue(useDebounced(value))
  switch (kind) {
    case 'text':
      return <TextField {...common} maxLength={maxLength} lines={lines} />
    case 'day':
    case 'moment':
      return <DateField {...common} withTime={kind === 'moment'} />
    case 'money': {
      const isSum = settled !== value || value.trim() === '' || centsOf(value, language) !== null
      const currency = subject.kind === 'invoice' ? subject.currency : 'EUR'
      return <MoneyField {...common} currency={currency} error={isSum ? fault : text.notASum} />
    }
    case 'choice': {
      const known = field.choices ? Object.entries(field.choices(language, subject)) : (choices ?? [])
      const isEmpty = known.length === 0 && (field.choices !== undefined || choices !== undefined)
      return <SelectField {...common} choices={[['', isEmpty ? text.noChoice : text.choose], ...known]} />
    }
    case 'check':
      return (
        <CheckField
          label={label}
          hint={common.hint}
          isChecked={value === 'yes'}
          onChange={isChecked => onChange(isChecked ? 'yes' : '')}
        />
      )
  }
}

function EffectOf({
  effect,
  isWorking,
  subject,
  language,
}: {
  readonly effect: Effect | undefined
  readonly isWorking: boolean
  readonly subject: Subject
  readonly language: Language
}) {
  const text = useWords(words)
  const { steps, channels } = names[language]
  const id = useId()
  const inFlight = effect?.inFlight ?? []
  return (
    <section aria-labelledby={id} aria-busy={isWorking} className="min-h-56">
      <h3 id={id} className="mb-2 font-medium">
        {text.effect}
      </h3>
      <div aria-live="polite" className={`flex flex-col gap-2 ${isWorking && effect ? 'opacity-40' : ''}`}>
        {effect === undefined ? (
          <p className="text-soft">{isWorking ? text.working : text.fillIn}</p>
        ) : (
          <>
            {effect.notes?.map(note => (
              <p key={note} className="font-medium">
                {note}
              </p>
            ))}
            {inFlight.length > 0 && (
              <p className="text-warn">
                {text.inFlight(
                  inFlight.map(({ action, channel }) => `${steps[action]} (${channels[channel]})`).join(', '),
                )}
              </p>
            )}
            {effect.plan ? (
              <PlanChange plans={effect.plan} timeZone={subject.timeZone} />
            ) : (
              <p className="text-soft">{text.noPlan}</p>
            )}
          </>
        )}
      </div>
    </section>
  )
}
