import { type ReactNode, useId } from 'react'
import { money } from '../lib/format.ts'
import { defineWords, useLanguage, useWords } from '../lib/language.tsx'
import { centsOf } from './money-text.ts'

const words = defineWords({ optional: 'facultatif' }, { optional: 'optional' })

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly isOptional?: boolean | undefined
}

interface ControlProps {
  readonly id: string
  readonly required: boolean
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

const boxClass =
  'min-h-9 w-full rounded-control border border-edge bg-sheet px-3 py-1.5 text-body text-ink aria-invalid:border-alarm max-md:min-h-11 max-md:text-section'

/** A control with its label, its hint and its error. */
function Field({
  label,
  hint,
  error,
  isOptional = false,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ReactNode }) {
  const { optional } = useWords(words)
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-head font-medium">
        {label} {isOptional && <span className="font-normal text-soft">({optional})</span>}
      </label>
      {children({
        id,
        required: !isOptional,
        'aria-invalid': error !== undefined,
        'aria-describedby': described.join(' ') || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-mark text-soft">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-mark text-alarm">
          {error}
        </p>
      )}
    </div>
  )
}

interface Value {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function TextField({
  value,
  onChange,
  maxLength,
  lines = 1,
  ...field
}: FieldProps & Value & { readonly maxLength?: number | undefined; readonly lines?: number }) {
  return (
    <Field {...field}>
      {control =>
        lines > 1 ? (
          <textarea
            {...control}
            rows={lines}
            maxLength={maxLength}
            className={boxClass}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
        ) : (
          <input
            {...control}
            type="text"
            autoComplete="off"
            maxLength={maxLength}
            className={boxClass}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

/** A day, `2026-11-16`, or a day and an hour, `2026-11-16T08:15`. */
export function DateField({
  value,
  onChange,
  withTime = false,
  min,
  max,
  ...field
}: FieldProps &
  Value & {
    readonly withTime?: boolean
    /** The first and the last day. */
    readonly min?: string | undefined
    readonly max?: string | undefined
  }) {
  return (
    <Field {...field}>
      {control => (
        <input
          {...control}
          type={withTime ? 'datetime-local' : 'date'}
          min={withTime && min ? `${min}T00:00` : min}
          max={withTime && max ? `${max}T23:59` : max}
          className={`${boxClass} max-w-64`}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** The native select: phones and screen readers support it best. */
export function SelectField({
  value,
  onChange,
  choices,
  ...field
}: FieldProps & Value & { readonly choices: readonly (readonly [value: string, words: string])[] }) {
  return (
    <Field {...field}>
      {control => (
        <select
          {...control}
          className={boxClass}
          value={value}
          onChange={event => onChange(event.target.value)}
        >
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** An amount as typed, formatted when the field loses the focus. The caller gets the text and parses it with `centsOf`. */
export function MoneyField({
  value,
  onChange,
  currency,
  ...field
}: FieldProps & Value & { readonly currency: string }) {
  const language = useLanguage()
  const format = () => {
    const cents = centsOf(value, language)
    if (cents !== null) onChange(money(cents, currency, language))
  }
  return (
    <Field {...field}>
      {control => (
        <input
          {...control}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={40}
          className={`${boxClass} max-w-64 text-right`}
          value={value}
          onChange={event => onChange(event.target.value)}
          onBlur={format}
        />
      )}
    </Field>
  )
}

export function CheckField({
  label,
  hint,
  isChecked,
  onChange,
}: {
  readonly label: string
  readonly hint?: string | undefined
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}) {
  const id = useId()
  return (
    <div>
      <label className="flex min-h-6 items-center gap-2 text-body">
        <input
          type="checkbox"
          className="size-4 accent-brand"
          aria-describedby={hint === undefined ? undefined : id}
          checked={isChecked}
          onChange={event => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="ml-6 text-mark text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
