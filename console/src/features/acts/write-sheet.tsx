import { Dialog as Base } from '@base-ui/react/dialog'
import type { Channel, MessageRequest, RequestedMessage } from '@relance/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { useApi, usePlace } from '../../lib/api.ts'
import { useAttempt } from '../../lib/attempt.ts'
import { momentText, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { daysOf, limitOf, useToday } from '../../lib/limits.ts'
import { names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, DateField, SelectField, TextField } from '../../ui/field.tsx'
import { instantOf, type Subject } from './act-fields.ts'
import { useDebounced, whileNotReady } from './act-form.tsx'
import { type Act, message } from './acts.ts'
import { MailPreview } from './mail-preview.tsx'
import { performAct } from './perform-act.ts'
import { Refusal } from './refusal.tsx'
import { words as actWords } from './words.ts'
import { type TemplateName, words } from './write-words.ts'

interface Values {
  readonly invoiceId: string
  readonly channel: Channel
  readonly template: TemplateName
  readonly subject: string
  readonly text: string
  /** By the clock on the debtor's wall. */
  readonly at: string
  readonly isInstead: boolean
}

/** What was typed and not sent, by debtor or invoice: it is there again when the sheet is opened again. */
const drafts = new Map<string, Values>()

const nothingWritten: Omit<Values, 'invoiceId'> = {
  channel: 'email',
  template: 'written_message',
  subject: '',
  text: '',
  at: '',
  isInstead: false,
}

/** A letter and a call have words of ours only, and a list of invoices goes by email. */
const templatesOf = (channel: Channel): readonly TemplateName[] => {
  if (channel === 'email') return ['written_message', 'extra_message', 'account_statement']
  return channel === 'sms' ? ['written_message', 'extra_message'] : ['extra_message']
}
const templateOf = ({ channel, template }: Values): TemplateName => {
  const possible = templatesOf(channel)
  return possible.includes(template) ? template : possible[0]!
}
const hasText = (values: Values) => templateOf(values) !== 'extra_message'
const hasSubject = (values: Values) => hasText(values) && values.channel === 'email'

function bodyOf(values: Values, timeZone: string): MessageRequest {
  const text = hasText(values) && values.text.trim() !== '' ? values.text : undefined
  const subject = hasSubject(values) && values.subject.trim() !== '' ? values.subject : undefined
  return {
    channel: values.channel,
    template: templateOf(values),
    subject,
    text,
    at: values.at === '' ? undefined : instantOf(values.at, timeZone),
    replaceNextStep: values.isInstead,
  }
}

interface Props {
  readonly subject: Subject
  readonly given?: { readonly channel?: Channel; readonly at?: string } | undefined
  readonly onClose: () => void
}

/** A message that a person writes: its words, the message as it will be read, and its true moment before the button. */
export default function WriteSheet({ subject, given, onClose }: Props) {
  const text = useWords(words)
  const acts = useWords(actWords)
  const known = useWords(names)
  const language = useLanguage()
  const api = useApi()
  const { environment } = usePlace()
  const queries = useQueryClient()
  const { timeZone } = subject
  const today = useToday(timeZone)
  const isDebtor = subject.kind === 'debtor'
  const debtorId = isDebtor ? subject.id : subject.debtorId
  const [values, setValues] = useState<Values>(() => ({
    ...nothingWritten,
    invoiceId: isDebtor ? '' : subject.id,
    ...drafts.get(subject.id),
    ...given,
  }))
  const set = (changes: Partial<Values>) => {
    const next = { ...values, ...changes }
    drafts.set(subject.id, next)
    setValues(next)
  }
  const { data: debtor } = useQuery({
    queryKey: ['debtor', debtorId, 'write', language],
    queryFn: ({ signal }) => api.debtors.get(debtorId, { include: 'people', language }, { signal }),
  })
  const { data: invoices } = useQuery({
    queryKey: ['debtor', debtorId, 'in-recovery'],
    queryFn: async ({ signal }) => {
      const { data } = await api.invoices.list(
        { debtorId, workflowStatus: 'in_recovery', sortBy: 'due_date', sortOrder: 'asc', limit: 100 },
        { signal },
      )
      return data
    },
    enabled: isDebtor,
  })
  const { data: offered } = useQuery({
    queryKey: ['templates'],
    queryFn: async ({ signal }) => (await api.templates.list({ limit: 100 }, { signal })).data,
  })
  const invoiceId = values.invoiceId || (invoices?.[0]?.id ?? '')
  const body = bodyOf(values, timeZone)
  const isComplete = invoiceId !== '' && (body.template !== 'written_message' || body.text !== undefined)
  const what = JSON.stringify([invoiceId, body])
  const isRested = useDebounced(what) === what
  const rehearsal = useQuery({
    queryKey: ['act', 'message', what],
    queryFn: ({ signal }) => api.workflow.communicate(invoiceId, { ...body, dryRun: true }, { signal }),
    enabled: isComplete && isRested,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const attempt = useAttempt()
  const mutation = useMutation({
    mutationFn: () => {
      const about: Subject = { ...subject, id: invoiceId }
      const act: Act = {
        ...message,
        async perform() {
          const { id, scheduledAt } = await api.workflow.communicate(invoiceId, body, attempt(what))
          return { id, notes: [acts.leaves(momentText(scheduledAt, timeZone, language))] }
        },
      }
      return performAct(
        act,
        { api, subject: about, values: {}, language, dryRun: false, options: {} },
        queries,
      )
    },
    onSuccess: () => {
      drafts.delete(subject.id)
      onClose()
    },
  })
  const tried = isComplete ? rehearsal.data : undefined
  const findings = tried?.findings ?? []
  const isCurrent = isRested && rehearsal.isSuccess && !rehearsal.isPlaceholderData
  const isReady = isComplete && isCurrent && findings.length === 0 && !mutation.isPending
  const send = () => {
    if (isReady) mutation.mutate()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
  }
  const faultOf = (field: 'subject' | 'text') =>
    findings
      .filter(finding => finding.field === field)
      .map(({ code, found }) => text.findings[code](found ?? ''))
      .join(' ') || undefined
  const error = mutation.error ?? (isComplete ? rehearsal.error : null)
  const main = debtor?.people?.people.find(({ mainFor }) => mainFor.some(one => one === values.channel))
  const hasOthers = (debtor?.people?.people ?? []).some(one => one !== main)
  const address = values.channel === 'email' ? debtor?.email : debtor?.phone
  const models = (offered ?? []).filter(
    ({ channel, language: of, step }) =>
      channel === values.channel && of === (debtor?.language ?? 'fr') && step !== 'account_statement',
  )
  const download = useMutation({
    mutationFn: async () => {
      const file = URL.createObjectURL(await api.debtors.statement(debtorId))
      const link = document.createElement('a')
      link.href = file
      link.download = `${debtor?.name ?? ''} ${text.templates.account_statement}.pdf`.trim()
      link.click()
      // The browser reads it after this.
      setTimeout(() => URL.revokeObjectURL(file), 60_000)
    },
  })
  return (
    <Base.Root open onOpenChange={isOpen => isOpen || onClose()}>
      <Base.Portal>
        <Base.Popup
          className={`fixed right-0 bottom-0 z-40 flex w-full flex-col border-l border-line bg-sheet text-ink shadow-float md:w-140 print:hidden ${
            environment === 'sandbox' ? 'top-6' : 'top-0'
          }`}
        >
          <header className="flex min-h-12 items-center border-b border-line py-2 pr-14 pl-4">
            <Base.Title className="min-w-0 text-section font-[650] break-words">
              {`${text.write} · ${subject.name}`}
            </Base.Title>
          </header>
          <form noValidate onSubmit={submit} onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
            <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
              <div className="grid grid-cols-2 gap-3">
                <SelectField
                  label={text.channel}
                  value={values.channel}
                  onChange={channel => set({ channel: channel as Channel })}
                  choices={Object.entries(acts.channels)}
                />
                <SelectField
                  label={text.template}
                  value={templateOf(values)}
                  onChange={template => set({ template: template as TemplateName })}
                  choices={templatesOf(values.channel).map(one => [one, text.templates[one]])}
                />
              </div>
              {isDebtor && (
                <SelectField
                  label={text.invoice}
                  value={invoiceId}
                  onChange={id => set({ invoiceId: id })}
                  choices={
                    invoices?.length === 0
                      ? [['', text.noInvoice]]
                      : (invoices ?? []).map(one => [
                          one.id,
                          `${one.invoiceNumber}, ${money(one.balanceCents, one.currency, language)}`,
                        ])
                  }
                />
              )}
              <div className="flex flex-col gap-1">
                <p className="flex gap-3">
                  <span className="text-soft">{text.to}</span>
                  <span className="min-w-0 font-medium break-words">
                    {[main?.name, address].filter(Boolean).join(' · ') || '–'}
                  </span>
                </p>
                {hasOthers && <p className="text-mark text-soft">{text.mainOnly}</p>}
              </div>
              {templateOf(values) === 'written_message' && models.length > 0 && (
                <SelectField
                  label={text.from}
                  isOptional
                  value=""
                  onChange={id => {
                    const model = models.find(one => one.id === id)
                    if (model) set({ text: model.opening, subject: model.subject ?? '' })
                  }}
                  choices={[
                    ['', text.none],
                    ...models.map(
                      ({ id, step, isOwn }) =>
                        [id, isOwn ? text.own(known.steps[step]) : known.steps[step]] as const,
                    ),
                  ]}
                />
              )}
              {hasSubject(values) && (
                <TextField
                  label={text.subject}
                  hint={text.subjectHint}
                  isOptional
                  error={faultOf('subject')}
                  value={values.subject}
                  onChange={typed => set({ subject: typed })}
                  maxLength={limitOf('workflow.communicate', 'subject').maxLength}
                />
              )}
              {hasText(values) && (
                <TextField
                  label={text.text}
                  hint={templateOf(values) === 'account_statement' ? text.listHint : text.textHint}
                  isOptional={templateOf(values) === 'account_statement'}
                  error={faultOf('text')}
                  value={values.text}
                  onChange={typed => set({ text: typed })}
                  maxLength={limitOf('workflow.communicate', 'text').maxLength}
                  lines={6}
                />
              )}
              {templateOf(values) === 'account_statement' && (
                <div>
                  <Button onClick={() => download.mutate()}>{text.download}</Button>
                </div>
              )}
              <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
                <DateField
                  label={text.at}
                  hint={text.atHint(timeZone)}
                  isOptional
                  withTime
                  {...daysOf({ ...limitOf('workflow.communicate', 'at'), isMoment: false }, today)}
                  value={values.at}
                  onChange={at => set({ at })}
                />
                <div className="md:pt-6">
                  <CheckField
                    label={text.instead}
                    hint={text.insteadHint}
                    isChecked={values.isInstead}
                    onChange={isInstead => set({ isInstead })}
                  />
                </div>
              </div>
              {error || download.error ? (
                <Refusal error={(error ?? download.error)!} />
              ) : (
                <Shown tried={tried} channel={values.channel} isWorking={isComplete && !isCurrent} />
              )}
            </div>
            <footer className="flex min-h-16 flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">
              <p
                role="status"
                className={`min-w-0 flex-1 font-medium break-words ${(tried?.shifts.length ?? 0) > 0 ? 'text-warn' : ''}`}
              >
                {tried && !error && momentOf(tried)}
              </p>
              <Button
                type="submit"
                tone="brand"
                aria-keyshortcuts="Control+Enter"
                aria-disabled={!isReady}
                className={`${whileNotReady} max-md:min-h-11`}
              >
                {text.send}
              </Button>
            </footer>
          </form>
          <Base.Close
            aria-label={text.close}
            className="absolute top-2 right-3 size-8 rounded-control hover:bg-calm"
          >
            <span aria-hidden>✕</span>
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )

  function momentOf({ scheduledAt, shifts }: RequestedMessage): string {
    const when = momentText(scheduledAt, timeZone, language)
    const rules = [...new Set(shifts.map(({ because }) => known.reasons[because]))]
    return rules.length === 0 ? text.leaves(when) : text.waits(when, rules.join(', '))
  }
}

/** The message as it will be read. */
function Shown({
  tried,
  channel,
  isWorking,
}: {
  readonly tried: RequestedMessage | undefined
  readonly channel: Channel
  readonly isWorking: boolean
}) {
  const text = useWords(words)
  const shown = tried?.shown
  return (
    <section aria-label={text.preview} aria-busy={isWorking} className="flex flex-col gap-2">
      <h3 className="flex justify-between gap-2 font-medium">
        {text.preview}
        {shown?.parts != null && <span className="font-normal text-soft">{text.parts(shown.parts)}</span>}
      </h3>
      {shown ? (
        <article
          className={`flex flex-col rounded-sheet border border-line bg-sunken p-3 ${isWorking ? 'opacity-60' : ''}`}
        >
          {shown.subject !== null && (
            <p className="mb-2 border-b border-line pb-2 font-[650] break-words">{shown.subject}</p>
          )}
          {shown.html === null ? (
            <p className="break-words whitespace-pre-wrap">{shown.text.trimEnd()}</p>
          ) : (
            <MailPreview title={shown.subject ?? text.preview} html={shown.html} />
          )}
        </article>
      ) : (
        <p className="text-soft">
          {channel === 'email' || channel === 'sms' ? text.noPreview : text.onPaper}
        </p>
      )}
    </section>
  )
}
