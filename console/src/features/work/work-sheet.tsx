import type { Debtor, TimelineEntry, WorkLine, WorkTask } from '@relance/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useApi, useMay, usePlace } from '../../lib/api.ts'
import { useCommand } from '../../lib/commands.ts'
import { count, momentText, money } from '../../lib/format.ts'
import { isTyping } from '../../lib/keys.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { messageNameOf } from '../../lib/message-name.ts'
import { nameOf, names } from '../../lib/names.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { InCharge } from './in-charge.tsx'
import { NoteForm } from './note-form.tsx'
import { TaskChip } from './task-chip.tsx'
import { ReplyThread } from './thread.tsx'
import { words } from './words.ts'

/** What ends a task is a part of the acts; the route hands it in. */
export type Finish = ComponentType<{
  readonly task: WorkTask
  readonly debtor: Debtor
  readonly isFirst: boolean
  readonly onDone: () => void
}>

interface Props {
  readonly debtorId: string
  /** Undefined if nothing is to be done for the debtor, or as long as it is not known. */
  readonly row: WorkLine | undefined
  /** Its place in the list. */
  readonly place: { readonly index: number; readonly total: number } | null
  readonly now: string
  readonly timeZone: string
  readonly finish: Finish
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** So much of the history is read for the facts and the tasks. */
const linesRead = 30

const keyOf = ({ kind, id, invoiceId, because }: WorkTask) => [kind, because, id ?? invoiceId].join(' ')

/** Everything that is to be done for one debtor, beside the list: it has no veil, and the list stays usable. */
export default function WorkSheet({ debtorId, row, place, now, timeZone, ...rest }: Props) {
  const { finish: FinishTask, onPrevious, onNext, onClose } = rest
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const { environment } = usePlace()
  const may = useMay()
  const sheet = useRef<HTMLElement>(null)
  const [isNoting, setNoting] = useState(false)
  const {
    data: debtor,
    error,
    refetch,
  } = useQuery({
    queryKey: ['debtor', debtorId, 'work', language],
    queryFn: ({ signal }) => api.debtors.get(debtorId, { include: 'account,people', language }, { signal }),
  })
  const { data: past } = useQuery({
    queryKey: ['debtor', debtorId, 'past', language],
    queryFn: async ({ signal }) =>
      await api.debtors.timeline(debtorId, { lang: language, limit: linesRead }, { signal }),
  })
  const name = row?.name ?? debtor?.name
  const tasks = row?.tasks ?? []
  const [first] = tasks
  const shown = `${debtorId} ${tasks.map(keyOf).join(',')}`
  // The button that ended a task is gone with it: the focus stays in the sheet. What has the focus there and is still there keeps it.
  useEffect(() => {
    if (shown && !sheet.current?.contains(document.activeElement))
      sheet.current?.focus({ preventScroll: true })
  }, [shown])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const { activeElement } = document
      if (activeElement?.closest('[role="dialog"], [role="menu"]')) return
      // From a field the first Esc leaves the field, so that nothing typed is lost by one key.
      if (isTyping(activeElement)) sheet.current?.focus()
      else onClose()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onClose])
  useCommand('note', may('debtors.addNote') ? () => setNoting(true) : null)
  const done = () => sheet.current?.focus({ preventScroll: true })
  return (
    <aside
      ref={sheet}
      tabIndex={-1}
      aria-labelledby="work-sheet"
      className={`fixed right-0 bottom-0 z-30 flex w-full flex-col border-l border-line bg-sheet shadow-float outline-none md:w-140 print:hidden ${
        environment === 'sandbox' ? 'top-6' : 'top-0'
      }`}
    >
      <header className="flex min-h-12 items-center gap-2 border-b border-line py-1 pr-2 pl-4">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id="work-sheet" className="min-w-0 text-section font-[650] break-words">
            {name === undefined ? '–' : <DebtorLink id={debtorId}>{name}</DebtorLink>}
          </h2>
          {first && <TaskChip task={first} now={now} timeZone={timeZone} />}
        </div>
        {place && (
          <span className="text-head whitespace-nowrap text-soft">
            {text.place(count(place.index + 1, language), count(place.total, language))}
          </span>
        )}
        <Arrow label={text.previous} onClick={onPrevious}>
          ‹
        </Arrow>
        <Arrow label={text.next} onClick={onNext}>
          ›
        </Arrow>
        <Arrow label={text.close} onClick={onClose}>
          ✕
        </Arrow>
      </header>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {error && !debtor && (
          <div className="p-4">
            <Failure error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {debtor && (
          <>
            <div className="p-4">
              <DebtorFacts debtor={debtor} past={past?.data} />
              <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
                <InCharge key={debtorId} debtor={debtor} />
                {may('debtors.addNote') && !isNoting && (
                  <Button tone="quiet" aria-keyshortcuts="n" onClick={() => setNoting(true)}>
                    {text.addNote}
                  </Button>
                )}
              </div>
              {isNoting && <NoteForm debtor={debtor} onClose={() => setNoting(false)} />}
            </div>
            {tasks.length === 0 && <p className="border-t border-line p-4 text-soft">{text.nothingLeft}</p>}
            {tasks.map((task, index) => (
              <section
                key={keyOf(task)}
                aria-label={text.reasons[task.kind]('').trim()}
                className="flex flex-col gap-3 border-t border-line p-4"
              >
                <TaskHead
                  task={task}
                  row={row!}
                  past={past?.data ?? []}
                  isAlone={tasks.length === 1}
                  now={now}
                  timeZone={timeZone}
                />
                {task.kind === 'reply' && task.id !== null && (
                  <ReplyThread debtor={debtor} replyId={task.id} />
                )}
                <Suspense fallback={<div className="min-h-72" />}>
                  <FinishTask task={task} debtor={debtor} isFirst={index === 0} onDone={done} />
                </Suspense>
              </section>
            ))}
          </>
        )}
      </div>
    </aside>
  )
}

function Arrow({
  label,
  onClick,
  children,
}: {
  readonly label: string
  readonly onClick: (() => void) | undefined
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={!onClick}
      onClick={onClick}
      className={`${buttonClass('quiet')} w-8 px-0! max-md:min-h-11`}
    >
      <span aria-hidden>{children}</span>
    </button>
  )
}

function DebtorLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const { company, environment } = usePlace()
  return (
    <Link
      to="/$company/$environment/debtors/$id"
      params={{ company, environment, id }}
      className="hover:underline"
    >
      {children}
    </Link>
  )
}

/** Which invoice and sum a task is about, and what the history says of it. Alone, it has its reason in the head of the sheet. */
function TaskHead({
  task,
  row,
  past,
  isAlone,
  now,
  timeZone,
}: {
  readonly task: WorkTask
  readonly row: WorkLine
  readonly past: readonly TimelineEntry[]
  readonly isAlone: boolean
  readonly now: string
  readonly timeZone: string
}) {
  const text = useWords(words)
  const language = useLanguage()
  const { invoiceId, invoiceNumber, invoices, amountCents, said, kind } = task
  const { company, environment } = usePlace()
  const about = [
    invoices > 1 && text.openInvoices(invoices, count(invoices, language)),
    amountCents !== null && money(amountCents, row.currency, language),
  ].filter(Boolean)
  const code = toldBy[kind]
  const told = past.find(
    line => line.code !== null && line.code === code && (line.invoiceId ?? invoiceId) === invoiceId,
  )
  const sentence = told?.sentence ?? (said !== null && kind !== 'reply' ? text.said[said] : null)
  if (isAlone && invoiceNumber === null && about.length === 0 && sentence === null) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {!isAlone && <TaskChip task={task} now={now} timeZone={timeZone} />}
      {invoiceId !== null && invoiceNumber !== null && (
        <Link
          to="/$company/$environment/invoices/$id"
          params={{ company, environment, id: invoiceId }}
          className="font-medium underline"
        >
          {invoiceNumber}
        </Link>
      )}
      {about.length > 0 && <span className="text-soft">{about.join(' · ')}</span>}
      {sentence !== null && <p className="w-full break-words whitespace-pre-line">{sentence}</p>}
    </div>
  )
}

/** The line of the history that says more of a task. */
const toldBy: Partial<Record<WorkTask['kind'], TimelineEntry['code']>> = {
  dispute: 'disputed',
  promise_broken: 'promise_broken',
  situation: 'situation_reported',
  data_request: 'data_requested',
  address_refused: 'address_refused',
  wrong_person: 'wrong_person',
  unknown_message: 'message_unknown',
  decision: 'awaiting_decision',
}

function DebtorFacts({
  debtor,
  past,
}: {
  readonly debtor: Debtor
  readonly past: readonly TimelineEntry[] | undefined
}) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const zone = debtor.timeZone ?? 'Europe/Paris'
  const { account } = debtor
  const lines = past ?? []
  const message = lines.find(({ kind }) => kind === 'message')
  const promise = lines.find(({ code }) => code === 'promised' || code === 'promise_broken')
  const messageText =
    message &&
    [
      `${messageNameOf(message, language)}, ${momentText(message.at, zone, language)}`,
      message.status === null ? '' : nameOf(known.historyStatuses, message.status, ''),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <Facts
      items={[
        ...(account
          ? [
              [
                text.open,
                <span key="open">
                  <span className="font-[650]">{money(account.openCents, account.currency, language)}</span>
                  {` · ${[
                    text.openInvoices(account.openInvoices, count(account.openInvoices, language)),
                    ...(account.oldestDaysOverdue !== null && account.oldestDaysOverdue > 0
                      ? [text.oldest(count(account.oldestDaysOverdue, language))]
                      : []),
                  ].join(', ')}`}
                </span>,
              ] as const,
            ]
          : []),
        // The line is there before its answer, so that nothing moves.
        [text.lastMessage, past ? (messageText ?? text.noMessage) : '\u00a0'],
        ...(promise ? [[text.promises, promise.sentence] as const] : []),
        [text.contact, <Contact key="contact" debtor={debtor} />],
        ...(account && account.heldBy.length > 0
          ? [[text.held, account.heldBy.map(hold => known.reasons[hold]).join(', ')] as const]
          : []),
      ]}
    />
  )
}

/** Who messages go to, to write or to call. */
function Contact({ debtor }: { readonly debtor: Debtor }) {
  const main = debtor.people?.people.find(({ mainFor }) => mainFor.length > 0)
  return (
    <span className="flex flex-wrap gap-x-3">
      {main && <span>{main.name}</span>}
      {debtor.email && (
        <a
          href={`mailto:${debtor.email}`}
          className="inline-flex min-h-6 items-center break-all text-brand underline max-md:min-h-11"
        >
          {debtor.email}
        </a>
      )}
      {debtor.phone !== null && (
        <a
          href={`tel:${debtor.phone}`}
          className="inline-flex min-h-6 items-center whitespace-nowrap text-brand underline max-md:min-h-11"
        >
          {debtor.phone}
        </a>
      )}
    </span>
  )
}
