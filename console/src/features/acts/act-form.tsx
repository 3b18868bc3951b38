import { RelanceError } from '@relance/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, type SubmitEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useAttempt } from '../../lib/attempt.ts'
import { type Language, useLanguage, useWords } from '../../lib/language.tsx'
import { daysOf, type Limit, limitOf, useToday } from '../../lib/limits.ts'
import { names } from '../../lib/names.ts'
import { faultSentence } from '../../lib/refusal-words.ts'
import { Button } from '../../ui/button.tsx'
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
import { type Act, type ActRequest, type Effect, firstValues, nameOfAct, operationOf } from './acts.ts'
import { performAct, performStop } from './perform-act.ts'
import { Refusal } from './refusal.tsx'
import { SeveralField } from './several-field.tsx'
import { SplitField } from './split-field.tsx'
import { type FieldName, words } from './words.ts'

interface UseAct {
  readonly act: Act
  readonly subject: Subject
  /** Initial field values, in addition to the defaults of the act. */
  readonly given?: Values | undefined
  /** The act is done, or, if it is a stop, on its way. */
  readonly onDone: () => void
}

interface Props extends UseAct {
  /** Without it there is no way to leave: the form belongs to the page. */
  readonly onLeave?: (() => void) | undefined
  /** In the page, not in a window. */
  readonly isInline?: boolean
  /** The field that has the focus first. */
  readonly first?: string
  readonly button?: RefObject<HTMLButtonElement | null>
}

/** How long typing must pause before the dry run starts. */
const restMs = 300

export function useDebounced<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** The values of an act, its preview, and the performing of it. */
export function useAct({ act, subject, given: first, onDone }: UseAct) {
  const language = useLanguage()
  const api = useApi()
  const queries = useQueryClient()
  const [values, setValues] = useState<Values>(() => ({
    ...firstValues(act, subject, language),
    ...first,
  }))
  const given = keyOf(act, values, language)
  const isRested = useDebounced(given) === given
  const canRehearse = isComplete(act, values, language)
  const requestOf = (dryRun: boolean, options: ActRequest['options'], changes?: Values): ActRequest => ({
    api,
    subject,
    values: { ...values, ...changes },
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
  const attempt = useAttempt()
  const mutation = useMutation({
    mutationFn: (changes: Values | undefined) =>
      performAct(act, requestOf(false, attempt(given, changes ?? null), changes), queries),
    onSuccess: onDone,
  })

  const isCurrent = isRested && rehearsal.isSuccess && !rehearsal.isPlaceholderData
  const isConfirmed = rehearsal.data?.toConfirm === undefined || values.allowOverpayment === 'yes'
  // A stop does not wait for its preview.
  const isReady =
    canRehearse && isConfirmed && !mutation.isPending && (act.isStop ? !rehearsal.isError : isCurrent)
  /** Performs the act, with some of the values changed. */
  const run = (changes?: Values) => {
    if (!isReady) return
    if (!act.isStop) return mutation.mutate(changes)
    onDone()
    void performStop(act, requestOf(false, attempt(given)), queries)
  }
  const error = mutation.error ?? (canRehearse ? rehearsal.error : null)
  return {
    values,
    fieldNames: shownFields(act, values).map(({ name, of = name }) => of),
    limitOf: ({ name, of = name }: FieldSpec) => limitOf(operationOf(act), of),
    // What was confirmed was confirmed of the other values.
    set: (name: FieldName, value: string) =>
      setValues(known => ({ ...known, allowOverpayment: '', [name]: value })),
    choices: choices.data,
    effect: canRehearse ? rehearsal.data : undefined,
    isWorking: canRehearse && !isCurrent && !rehearsal.isError,
    isReady,
    error,
    run,
  }
}

/** The fields of an act and a preview of its effect; the button performs it. */
export default function ActForm({
  onLeave,
  isInline = onLeave === undefined,
  first,
  button,
  ...props
}: Props) {
  const { act, subject } = props
  const language = useLanguage()
  const text = useWords(words)
  const form = useAct(props)
  const asked = (isQuestion: boolean) =>
    shownFields(act, form.values).filter(field => (field.isQuestion ?? false) === isQuestion)
  const place = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (first === undefined) return
    const field = place.current?.querySelector<HTMLInputElement>(
      `[data-field="${first}"] :is(input, textarea)`,
    )
    field?.focus()
    field?.select()
  }, [first])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    form.run()
  }
  return (
    <form ref={place} noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <div className={`flex min-h-0 flex-1 flex-col gap-4 ${isInline ? '' : 'overflow-y-auto p-4'}`}>
        <ActFields fields={asked(false)} subject={subject} form={form} />
        {form.effect?.toConfirm !== undefined && (
          <div role="status" className="rounded-control border border-warn p-3">
            <p className="mb-2 font-medium text-warn">{form.effect.toConfirm}</p>
            <ActFields fields={asked(true)} subject={subject} form={form} />
          </div>
        )}
        <Consequence form={form} subject={subject} />
      </div>
      <footer
        className={`flex flex-wrap justify-end gap-2 ${isInline ? 'mt-3 in-[aside]:sticky in-[aside]:bottom-0 in-[aside]:bg-sheet in-[aside]:py-2' : 'border-t border-line px-4 py-3'}`}
      >
        {onLeave && <Button onClick={onLeave}>{text.leaveAsIs}</Button>}
        <Button
          ref={button}
          type="submit"
          tone={act.isFinal ? 'alarm' : 'brand'}
          aria-disabled={!form.isReady}
          className={whileNotReady}
        >
          {nameOfAct(act, language)}
        </Button>
      </footer>
    </form>
  )
}

export const whileNotReady = 'aria-disabled:cursor-not-allowed aria-disabled:opacity-50'

type Form = ReturnType<typeof useAct>

interface FieldsProps {
  readonly fields: readonly FieldSpec[]
  readonly subject: Subject
  readonly form: Form
}

export function ActFields({ fields, subject, form }: FieldsProps) {
  const language = useLanguage()
  const { obstacles } = useWords(words)
  const faults = form.error instanceof RelanceError ? form.error.details : []
  const faultOf = (name: string) => {
    const fault = faults.find(({ field }) => field === name)
    return fault && faultSentence(fault.code, language, obstacles)
  }
  return fields.map(field => (
    <div key={field.name} data-field={field.name} className="min-w-0">
      <ActField
        field={field}
        subject={subject}
        value={form.values[field.name] ?? ''}
        onChange={value => form.set(field.name, value)}
        choices={field.choices ? undefined : form.choices}
        effect={form.effect}
        limit={form.limitOf(field)}
        fault={faultOf(field.of ?? field.name)}
      />
    </div>
  ))
}

/** The preview, or why the API refuses. */
export function Consequence({ form, subject }: Pick<FieldsProps, 'form' | 'subject'>) {
  const { effect, isWorking, error } = form
  const language = useLanguage()
  if (error) return <Refusal error={error} marked={form.fieldNames} />
  return <EffectOf effect={effect} isWorking={isWorking} subject={subject} language={language} />
}

interface FieldProps {
  readonly field: FieldSpec
  readonly subject: Subject
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly Choice[] | undefined
  readonly effect: Effect | undefined
  readonly limit: Limit
  readonly fault: string | undefined
}

function ActField({ field, subject, value, onChange, choices, effect, limit, fault }: FieldProps) {
  const { name, kind, isOptional, lines = 1 } = field
  const language = useLanguage()
  const text = useWords(words)
  const { label, hint } = text.fields[name]
  const today = useToday(subject.timeZone)
  const common = { label, hint: hint || undefined, error: fault, isOptional, value, onChange }
  const settled = useDeferredValue(useDebounced(value))
  switch (kind) {
    case 'text':
      return <TextField {...common} maxLength={limit.maxLength} lines={lines} />
    case 'day': {
      const { toDay = 0 } = limit
      const within = toDay > 0 ? text.within(toDay) : undefined
      return <DateField {...common} {...daysOf(limit, today)} hint={common.hint ?? within} />
    }
    case 'money': {
      const cents = settled === value && value.trim() !== '' ? centsOf(value, language) : 0
      const isTooMuch = cents !== null && cents > (limit.maxCents ?? Number.POSITIVE_INFINITY)
      const error =
        cents === null ? text.notASum : isTooMuch ? faultSentence('amount_range', language) : fault
      return <MoneyField {...common} currency={subject.currency} error={error} />
    }
    case 'choice': {
      const known = field.choices ? Object.entries(field.choices(language, subject)) : (choices ?? [])
      const isEmpty = known.length === 0 && (field.choices !== undefined || choices !== undefined)
      return <SelectField {...common} choices={[['', isEmpty ? text.noChoice : text.choose], ...known]} />
    }
    case 'several':
      return <SeveralField label={label} value={value} onChange={onChange} choices={choices ?? []} />
    case 'split':
      return (
        <SplitField
          label={label}
          hint={common.hint}
          currency={subject.currency}
          value={value}
          onChange={onChange}
          rows={effect?.split}
          isRefused={fault !== undefined}
        />
      )
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
    <section aria-labelledby={id} aria-busy={isWorking} className="min-h-56 in-[aside]:min-h-0">
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
