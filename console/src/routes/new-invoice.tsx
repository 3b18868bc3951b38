import { type DebtorType, type InvoiceInput, RelanceError } from '@relance/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { words } from '../features/import/invoice-words.ts'
import { companyQuery, useApi, useMay, usePlace, useRole } from '../lib/api.ts'
import { useAttempt } from '../lib/attempt.ts'
import { useLanguage, useWords } from '../lib/language.tsx'
import { limitOf } from '../lib/limits.ts'
import { names } from '../lib/names.ts'
import { faultSentence, refusalSentence } from '../lib/refusal-words.ts'
import { useTitle } from '../lib/title.ts'
import { Button } from '../ui/button.tsx'
import { DateField, MoneyField, SelectField, TextField } from '../ui/field.tsx'
import { centsOf } from '../ui/money-text.ts'
import { Sheet } from '../ui/sheet.tsx'
import { showToast } from '../ui/toast.tsx'

const nothing = {
  invoiceNumber: '',
  amountCents: '',
  issueDate: '',
  dueDate: '',
  description: '',
  name: '',
  email: '',
  phone: '',
  siret: '',
  address: '',
  postalCode: '',
  city: '',
}
type Name = keyof typeof nothing

/** What the API is asked for without the fields that were left empty. */
const filled = <Values extends Readonly<Record<string, string>>>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))

/** One invoice, typed in. A debtor that is known already by its email or SIRET is found by the API. */
export default function NewInvoice() {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const api = useApi()
  const may = useMay()
  const isKnown = useRole() !== undefined
  const place = usePlace()
  const navigate = useNavigate()
  useTitle(text.title)
  const { data: company } = useQuery(companyQuery(api))
  const [values, setValues] = useState(nothing)
  const [type, setType] = useState<DebtorType>('business')
  const set = (name: Name) => (value: string) => setValues(before => ({ ...before, [name]: value }))
  const amountCents = centsOf(values.amountCents, language)
  const attempt = useAttempt()
  const save = useMutation({
    mutationFn: async () => {
      const { invoiceNumber, issueDate, dueDate, description, amountCents: _, ...debtor } = values
      // The API says which fields are missing.
      const body = {
        ...filled({ invoiceNumber, issueDate, dueDate, description }),
        ...(amountCents !== null && { amountCents }),
        debtor: { type, ...filled(debtor) },
      } as InvoiceInput
      return api.invoices.create(body, attempt(body))
    },
    onSuccess: ({ id }) => {
      showToast({ text: text.saved })
      void navigate({
        to: '/$company/$environment/invoices/$id',
        params: { company: place.company, environment: place.environment, id },
      })
    },
  })
  const details = save.error instanceof RelanceError ? save.error.details : []
  const faultOf = (name: string) => {
    const fault = details.find(({ field }) => field === name)
    return fault && faultSentence(fault.code, language)
  }
  const textField = (name: Name, field = `debtor.${name}`, isOptional = true) => (
    <TextField
      label={text.fields[name]}
      isOptional={isOptional}
      value={values[name]}
      onChange={set(name)}
      maxLength={limitOf('invoices.create', field).maxLength}
      error={faultOf(field)}
    />
  )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <div className="flex max-w-[60rem] flex-col gap-4">
      <h1 className="text-screen font-[650]">{text.title}</h1>
      {!isKnown ? (
        <div aria-busy="true" className="min-h-[45rem]" />
      ) : may('invoices.create') ? (
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Sheet title={text.invoice}>
            <div className="grid gap-3 md:grid-cols-2">
              {textField('invoiceNumber', 'invoiceNumber', false)}
              <MoneyField
                label={text.fields.amountCents}
                value={values.amountCents}
                onChange={set('amountCents')}
                currency={company?.currency ?? 'EUR'}
                error={
                  values.amountCents !== '' && amountCents === null ? text.noSum : faultOf('amountCents')
                }
              />
              <DateField
                label={text.fields.issueDate}
                value={values.issueDate}
                onChange={set('issueDate')}
                error={faultOf('issueDate')}
              />
              <DateField
                label={text.fields.dueDate}
                value={values.dueDate}
                onChange={set('dueDate')}
                error={faultOf('dueDate')}
              />
              <div className="md:col-span-2">{textField('description', 'description')}</div>
            </div>
          </Sheet>
          <Sheet title={text.debtor} aside={<p className="text-soft">{text.debtorHint}</p>}>
            <div className="grid gap-3 md:grid-cols-2">
              {textField('name', 'debtor.name', false)}
              {textField('email', 'debtor.email', false)}
              <SelectField
                label={text.type}
                value={type}
                onChange={value => setType(value as DebtorType)}
                choices={Object.entries(known.debtorTypes)}
              />
              {textField('phone')}
              {type !== 'consumer' && textField('siret')}
              {textField('address')}
              {textField('postalCode')}
              {textField('city')}
            </div>
          </Sheet>
          <p className="text-soft">{text.start}</p>
          {save.error && (
            <p role="alert" className="text-alarm">
              {refusalSentence(save.error, language, { marked: details.map(({ field }) => field) })}
            </p>
          )}
          <div>
            <Button type="submit" tone="brand" className="max-md:min-h-11" aria-disabled={save.isPending}>
              {text.save}
            </Button>
          </div>
        </form>
      ) : (
        <p className="text-soft">{text.notYours}</p>
      )}
    </div>
  )
}
