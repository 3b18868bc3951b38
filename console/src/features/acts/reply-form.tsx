import type { Debtor, ReplyClosing } from '@relance/sdk'
import { type SubmitEvent, useId } from 'react'
import { useMay } from '../../lib/api.ts'
import { type CommandId, useCommand } from '../../lib/commands.ts'
import { momentText, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { momentIn, shownFields, subjectOfDebtor, textOf, type Values } from './act-fields.ts'
import { ActFields, Consequence, useAct, whileNotReady } from './act-form.tsx'
import type { Act } from './acts.ts'
import { type Outcome, outcomes, words } from './words.ts'

const isOutcome =
  (...some: Outcome[]) =>
  ({ replyOutcome }: Values) =>
    some.some(one => one === replyOutcome)

/** Nobody is written to at an address of somebody else. */
const mayAnswer = ({ replyOutcome }: Values) => replyOutcome !== 'wrong_person'

/** The outcome of a reply, and the answer to it, in one act. */
const closeReply = (debtorId: string, replyId: string): Act => ({
  key: 'closeReply',
  on: 'debtor',
  verdict: null,
  group: 'debtor',
  command: 'close-reply',
  fields: [
    {
      name: 'replyOutcome',
      of: 'outcome',
      kind: 'choice',
      choices: language => words[language].replyOutcomes,
    },
    { name: 'invoice', of: 'invoiceIds', kind: 'choice', when: isOutcome('promise', 'dispute') },
    { name: 'date', kind: 'day', when: isOutcome('promise') },
    { name: 'heldUntil', of: 'until', kind: 'day', isOptional: true, when: isOutcome('says_paid') },
    { name: 'saying', of: 'reason', kind: 'text', lines: 2, when: isOutcome('dispute') },
    {
      name: 'replyText',
      of: 'answer.text',
      kind: 'text',
      lines: 5,
      isOptional: true,
      when: mayAnswer,
    },
  ],
  async load({ api, language, options }) {
    const { data } = await api.invoices.list(
      { debtorId, sortBy: 'due_date', sortOrder: 'asc', limit: 100 },
      { signal: options.signal },
    )
    const open = data.filter(({ balanceCents }) => balanceCents > 0)
    const all = open.map(({ id }) => id).join(',')
    return [
      ...(open.length > 1 ? [[all, words[language].allInvoices] as const] : []),
      ...open.map(
        ({ id, invoiceNumber, balanceCents, currency }) =>
          [id, `${invoiceNumber} · ${money(balanceCents, currency, language)}`] as const,
      ),
    ]
  },
  async perform(request) {
    const { api, values, dryRun, options } = request
    const text = mayAnswer(values) ? textOf(values, 'replyText') : undefined
    const shown = (name: keyof Values, ...some: Outcome[]) =>
      isOutcome(...some)(values) ? textOf(values, name) : undefined
    // Several are one choice.
    const invoice = shown('invoice', 'promise', 'dispute')
    const body: ReplyClosing = {
      outcome: values.replyOutcome as Outcome,
      invoiceIds: invoice === undefined ? undefined : invoice.split(','),
      date: shown('date', 'promise'),
      until: isOutcome('says_paid')(values) ? momentIn(request, 'heldUntil') : undefined,
      reason: shown('saying', 'dispute'),
      answer: text === undefined ? undefined : { text },
      dryRun,
    }
    const { plan, inFlight, answerAt } = await api.debtors.closeReply(debtorId, replyId, body, options)
    return { plan, inFlight, answerAt }
  },
})

/** What was typed and not sent yet, by reply: it is there again when the sheet is opened again. */
const drafts = new Map<string, Values>()

interface Props {
  readonly debtor: Debtor
  readonly replyId: string
  readonly onDone: () => void
}

/** What comes of a reply: its outcome, an answer, and the moment at which the answer leaves. */
export default function ReplyForm({ debtor, replyId, onDone }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const may = useMay()
  const id = useId()
  const act = closeReply(debtor.id, replyId)
  const subject = { ...subjectOfDebtor(debtor), id: replyId }
  const form = useAct({
    act,
    subject,
    given: drafts.get(replyId),
    onDone: () => {
      drafts.delete(replyId)
      onDone()
    },
  })
  const { values, effect, isReady } = form
  const set: typeof form.set = (name, value) => {
    drafts.set(replyId, { ...values, [name]: value })
    form.set(name, value)
  }
  const hasText = mayAnswer(values) && textOf(values, 'replyText') !== undefined
  const closeOnly = () => form.run({ replyText: '' })
  const send = () => {
    if (hasText) form.run()
  }
  useCommand('close-reply', hasText && isReady ? send : null)
  useCommand('work-done', isReady && !hasText ? closeOnly : null)
  if (!may('debtors.closeReply')) return <p className="text-soft">{text.notYours}</p>
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (hasText) send()
    else closeOnly()
  }
  const fields = shownFields(act, values).filter(({ name }) => name !== 'replyOutcome')
  const answer = fields.filter(({ name }) => name === 'replyText')
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {outcomeCommands.map((command, index) => (
        <Key key={command} id={command} onRun={() => set('replyOutcome', outcomes[index]!)} />
      ))}
      <fieldset>
        <legend className="mb-2 font-[650]">{text.followUp}</legend>
        <div className="flex flex-wrap gap-2">
          {outcomes.map((outcome, index) => (
            <label
              key={outcome}
              title={String(index + 1)}
              className="inline-flex min-h-8 items-center gap-2 rounded-control border border-edge px-3 font-medium hover:bg-calm has-checked:border-brand has-checked:bg-calm has-checked:text-brand has-checked:outline-1 has-checked:outline-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-md:min-h-11"
            >
              <input
                type="radio"
                name={id}
                className="sr-only"
                aria-keyshortcuts={String(index + 1)}
                checked={values.replyOutcome === outcome}
                onChange={() => set('replyOutcome', outcome)}
              />
              {text.replyOutcomes[outcome]}
            </label>
          ))}
        </div>
      </fieldset>
      <ActFields
        fields={fields.filter(field => !answer.includes(field))}
        subject={subject}
        form={{ ...form, set }}
      />
      {values.replyOutcome && <Consequence form={form} subject={subject} />}
      <ActFields fields={answer} subject={subject} form={{ ...form, set }} />
      <footer className="sticky bottom-0 -mx-4 -mb-4 flex min-h-16 flex-wrap items-center justify-end gap-2 border-t border-line bg-sheet px-4 py-3">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {hasText && effect?.answerAt
            ? text.answerLeaves(momentText(effect.answerAt, subject.timeZone, language))
            : ''}
        </p>
        <Button aria-disabled={!isReady} className={`${whileNotReady} max-md:min-h-11`} onClick={closeOnly}>
          {text.closeOnly}
        </Button>
        <Button
          type="submit"
          tone="brand"
          aria-keyshortcuts="Control+Enter"
          aria-disabled={!isReady || !hasText}
          className={`${whileNotReady} max-md:min-h-11`}
        >
          {text.sendAndClose}
        </Button>
      </footer>
    </form>
  )
}

const outcomeCommands = ['outcome-1', 'outcome-2', 'outcome-3', 'outcome-4', 'outcome-5'] as const

function Key({ id, onRun }: { readonly id: CommandId; readonly onRun: () => void }) {
  useCommand(id, onRun)
  return null
}
