import type { Debtor, Relance, RequestOptions, WorkTask } from '@relance/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useApi, useMay } from '../../lib/api.ts'
import { useAttempt } from '../../lib/attempt.ts'
import { useCommand } from '../../lib/commands.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { type Subject, subjectOfDebtor, subjectOfInvoice } from './act-fields.ts'
import ActForm from './act-form.tsx'
import { type Act, actsFor, message, nameOfAct } from './acts.ts'
import { refresh } from './perform-act.ts'
import { Refusal } from './refusal.tsx'
import ReplyForm from './reply-form.tsx'
import { type ActKey, type EndKey, words } from './words.ts'

const WriteSheet = lazyPart(() => import('./write-sheet.tsx'))

export interface TaskActsProps {
  readonly task: WorkTask
  readonly debtor: Debtor
  /** The first task of the sheet: it is open, and the keys are about it. */
  readonly isFirst: boolean
  readonly onDone: () => void
}

/** The acts that end a task, the usual one first. The API says which of them are possible. */
const endedBy: Record<Exclude<WorkTask['kind'], 'reply'>, readonly ActKey[]> = {
  promise_broken: ['message', 'promise', 'payment'],
  address_refused: ['correctAddress', 'retryAddress'],
  wrong_person: ['correctAddress'],
  dispute: ['resolve'],
  situation: ['decideSituation', 'recordInsolvency'],
  decision: ['resume', 'start', 'escalate', 'file', 'payment', 'credit', 'writeOff', 'cancel'],
  data_request: ['decideRequest'],
  claim: ['recordInsolvency'],
  unknown_message: [],
  follow_up: [],
}

interface End {
  readonly key: EndKey
  readonly operation: string
  readonly run: (api: Relance, options: RequestOptions) => PromiseLike<unknown>
}

/** Ends of a task that change nothing else. */
function endOf({ kind, id, invoiceId }: WorkTask, debtorId: string): End | null {
  if (id === null) return null
  switch (kind) {
    case 'promise_broken':
      return {
        key: 'promiseSeen',
        operation: 'invoices.acknowledgePromise',
        run: (api, options) => api.invoices.acknowledgePromise(invoiceId!, id, options),
      }
    case 'unknown_message':
      return {
        key: 'messageSeen',
        operation: 'communications.acknowledge',
        run: (api, options) => api.communications.acknowledge(id, options),
      }
    case 'follow_up':
      return {
        key: 'followedUp',
        operation: 'debtors.endComeBack',
        run: (api, options) => api.debtors.endComeBack(debtorId, id, options),
      }
    default:
      return null
  }
}

const decideRequest = (debtorId: string, requestId: string): Act => ({
  key: 'decideRequest',
  on: 'debtor',
  verdict: null,
  group: 'debtor',
  command: 'decide-request',
  fields: [
    { name: 'granting', of: 'decision', kind: 'choice', choices: language => words[language].grantings },
    { name: 'reason', kind: 'text', isOptional: true },
  ],
  async perform({ api, values, dryRun, options }) {
    // The operation has no dry run, and what it changes is said beside the choice.
    if (dryRun) return {}
    const decision = values.granting as 'granted' | 'refused'
    await api.debtors.decideDataRequest(
      debtorId,
      requestId,
      { decision, reason: values.reason || null },
      options,
    )
    return {}
  },
})

/** The acts that end a task, each as a form in its place. */
export default function TaskActs(props: TaskActsProps) {
  const { task, debtor, onDone } = props
  const api = useApi()
  const { invoiceId } = task
  const { data: invoice } = useQuery({
    queryKey: ['invoice', invoiceId, 'head'],
    queryFn: ({ signal }) => api.invoices.get(invoiceId!, { include: 'recovery' }, { signal }),
    enabled: invoiceId !== null && task.kind !== 'reply',
  })
  if (task.kind === 'reply') return <ReplyForm debtor={debtor} replyId={task.id!} onDone={onDone} />
  if (invoiceId !== null && !invoice) return <div aria-busy="true" className="min-h-72" />
  const subjects = [subjectOfDebtor(debtor), ...(invoice ? [subjectOfInvoice(invoice)] : [])]
  return <Acts {...props} subjects={subjects} />
}

function Acts({
  task,
  debtor,
  isFirst,
  onDone,
  subjects,
}: TaskActsProps & { readonly subjects: readonly Subject[] }) {
  const text = useWords(words)
  const language = useLanguage()
  const may = useMay()
  const offered = subjects.flatMap(subject =>
    actsFor(subject, may, language).flatMap(({ act, obstacle }) =>
      obstacle === undefined ? [{ act, subject }] : [],
    ),
  )
  const own =
    task.kind === 'data_request' && may('debtors.decideDataRequest')
      ? [{ act: decideRequest(debtor.id, task.id!), subject: { ...subjects[0]!, id: task.id! } }]
      : []
  const possible = endedBy[task.kind as keyof typeof endedBy].flatMap(
    key => [...own, ...offered].find(({ act }) => act.key === key) ?? [],
  )
  const [first] = possible
  // A message is written in a sheet of its own, which is not opened unasked.
  const isOpen = isFirst && task.kind !== 'decision' && first?.act.key !== message.key
  const [chosen, setChosen] = useState<ActKey | null>(isOpen ? (first?.act.key ?? null) : null)
  const shown = possible.find(({ act }) => act.key === chosen)
  const isWriting = shown?.act.key === message.key
  const end = endOf(task, debtor.id)
  const canEnd = end !== null && may(end.operation)
  const isAlone = possible.length === 1 && !canEnd
  return (
    <>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {(!isAlone || !shown) &&
          possible.map(({ act }) => (
            <Button
              key={act.key}
              aria-expanded={act.key === chosen}
              className="aria-expanded:border-brand aria-expanded:bg-calm max-md:min-h-11"
              onClick={() => setChosen(known => (known === act.key ? null : act.key))}
            >
              {nameOfAct(act, language)}
            </Button>
          ))}
        {canEnd && <EndButton end={end} hasKey={isFirst} onDone={onDone} />}
      </div>
      {possible.length === 0 && !canEnd && <p className="text-soft">{text.notYours}</p>}
      {shown && isWriting && (
        <Suspense fallback={null}>
          <WriteSheet subject={shown.subject} onClose={() => setChosen(null)} />
        </Suspense>
      )}
      {shown && !isWriting && (
        <ActForm
          key={`${shown.act.key} ${shown.subject.id}`}
          act={shown.act}
          subject={shown.subject}
          onDone={onDone}
        />
      )}
    </>
  )
}

interface EndProps {
  readonly end: End
  readonly hasKey: boolean
  readonly onDone: () => void
}

function EndButton({ end, hasKey, onDone }: EndProps) {
  const text = useWords(words)
  const api = useApi()
  const queries = useQueryClient()
  const attempt = useAttempt()
  const mutation = useMutation({
    mutationFn: async () => {
      await end.run(api, attempt(end.key))
    },
    onSuccess: () => {
      showToast({ text: text.ends[end.key].done })
      onDone()
      void refresh(queries)
    },
  })
  const run = () => {
    if (!mutation.isPending) mutation.mutate()
  }
  useCommand('work-done', hasKey ? run : null)
  return (
    <>
      <Button className="max-md:min-h-11" aria-keyshortcuts={hasKey ? 'e' : undefined} onClick={run}>
        {text.ends[end.key].name}
      </Button>
      {mutation.error && <Refusal error={mutation.error} />}
    </>
  )
}
