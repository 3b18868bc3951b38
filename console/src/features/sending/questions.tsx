import { type Company, RelanceError, type SendingResume, type SendingStop } from '@relance/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useApi, useMe, usePlace } from '../../lib/api.ts'
import { count } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { limitOf } from '../../lib/limits.ts'
import { refusalSentence } from '../../lib/refusal-words.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { actWords, type Question, resumeHash } from './question.ts'
import { words } from './words.ts'

const needsFreshSignIn = (error: unknown) =>
  error instanceof RelanceError && error.details.some(({ code }) => code === 'fresh_sign_in')

const signInAgainPath = () => {
  const { pathname, search } = window.location
  return `/sign-in?again=1&next=${encodeURIComponent(pathname + search + resumeHash)}`
}

interface Props {
  readonly question: Question
  readonly isStopped: boolean
  readonly onAsk: (question: Question) => void
}

/** The confirmations before all sending is stopped or resumed, and the messages that are already on their way. */
export default function Questions({ question, isStopped, onAsk: setQuestion }: Props) {
  const text = useWords(words)
  const act = useWords(actWords)
  const language = useLanguage()
  const api = useApi()
  const me = useMe()
  const queries = useQueryClient()
  const resumeButton = useRef<HTMLButtonElement>(null)
  const signInLink = useRef<HTMLAnchorElement>(null)
  const [inFlight, setInFlight] = useState<SendingStop['inFlight']>([])

  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ['company'] })
    void queries.invalidateQueries({ queryKey: ['today'] })
  }
  const setStop = (sendingStop: Company['sendingStop']) =>
    queries.setQueryData<Company>(['company'], known => known && { ...known, sendingStop })

  const resume = useMutation({
    mutationFn: () => api.company.resumeSending(),
    onSuccess: ({ stillStopped, debtorsWoken }: SendingResume) => {
      setQuestion(null)
      if (stillStopped !== null) showToast({ text: text.stillStopped, tone: 'alarm' })
      else
        showToast({
          text:
            debtorsWoken > 0
              ? text.resumed(debtorsWoken, count(debtorsWoken, language))
              : text.resumedNothing,
        })
    },
    onError: error => {
      if (needsFreshSignIn(error)) return setQuestion('sign_in')
      setQuestion(null)
      showToast({ text: `${text.failedResume} ${refusalSentence(error, language)}`, tone: 'alarm' })
    },
    onSettled: refresh,
  })

  const stop = useMutation({
    mutationFn: (reason: string) => api.company.stopSending({ reason }),
    // Optimistic update; the answer confirms or reverts it.
    onMutate: reason => {
      setQuestion(null)
      setStop({
        since: new Date().toISOString(),
        reason,
        by: { kind: 'person', name: me?.person.name ?? null },
      })
    },
    onSuccess: answer => {
      const n = answer.inFlight.length
      setInFlight(answer.inFlight)
      showToast({
        text: n === 0 ? text.stopped : text.stoppedWith(n, count(n, language)),
        undo: () => resume.mutate(),
      })
    },
    onError: error => {
      setStop(null)
      showToast({ text: `${text.failedStop} ${refusalSentence(error, language)}`, tone: 'alarm' })
    },
    onSettled: refresh,
  })

  return (
    <>
      <StopQuestion
        isOpen={question === 'stop'}
        onClose={() => setQuestion(null)}
        onStop={reason => stop.mutate(reason)}
      />
      <Dialog
        title={text.resumeTitle}
        about={text.resumeAbout}
        isOpen={question === 'resume'}
        onClose={() => setQuestion(null)}
        firstFocus={resumeButton}
      >
        <Buttons>
          <Button onClick={() => setQuestion(null)}>{text.cancel}</Button>
          <Button ref={resumeButton} tone="brand" disabled={resume.isPending} onClick={() => resume.mutate()}>
            {act.resume}
          </Button>
        </Buttons>
      </Dialog>
      <Dialog
        title={text.signInTitle}
        about={text.signInAbout}
        isOpen={question === 'sign_in'}
        onClose={() => setQuestion(null)}
        firstFocus={signInLink}
      >
        <Buttons>
          <Button onClick={() => setQuestion(null)}>{text.cancel}</Button>
          <a ref={signInLink} href={signInAgainPath()} className={buttonClass('brand')}>
            {text.signIn}
          </a>
        </Buttons>
      </Dialog>
      <InFlight messages={isStopped ? inFlight : []} onClose={() => setInFlight([])} />
    </>
  )
}

const Buttons = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2 border-t border-line p-4">{children}</div>
)

interface StopQuestionProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onStop: (reason: string) => void
}

function StopQuestion({ isOpen, onClose, onStop }: StopQuestionProps) {
  const text = useWords(words)
  const act = useWords(actWords)
  const { environment } = usePlace()
  const [reason, setReason] = useState('')
  const firstField = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return
    onStop(reason.trim())
    setReason('')
  }
  return (
    <Dialog
      title={text.stopTitle[environment]}
      about={text.stopAbout}
      isOpen={isOpen}
      onClose={onClose}
      firstFocus={firstField}
    >
      <form
        ref={form => {
          firstField.current = form?.querySelector('input') ?? null
        }}
        onSubmit={submit}
      >
        <div className="flex flex-col gap-3 p-4">
          <TextField
            label={text.reason}
            hint={text.reasonHint}
            value={reason}
            onChange={setReason}
            maxLength={limitOf('company.stopSending', 'reason').maxLength}
          />
          <p className="text-soft">{text.goesOn}</p>
        </div>
        <Buttons>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" tone="alarm" disabled={reason.trim() === ''}>
            {act.stop}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}

/** More lines are slow and not useful. */
const shownMax = 100

/** The messages that no stop can call back, each with its debtor. */
function InFlight({
  messages,
  onClose,
}: {
  readonly messages: SendingStop['inFlight']
  readonly onClose: () => void
}) {
  const text = useWords(words)
  const language = useLanguage()
  const { company, environment } = usePlace()
  return (
    <Dialog title={text.inFlightTitle} isOpen={messages.length > 0} onClose={onClose}>
      <ul className="overflow-y-auto">
        {messages.slice(0, shownMax).map(({ communicationId, debtorId, channel }) => (
          <li
            key={communicationId}
            className="flex min-h-9 items-center justify-between gap-4 border-t border-line px-4"
          >
            {text.channels[channel]}
            <Link
              to="/$company/$environment/debtors/$id"
              params={{ company, environment, id: debtorId }}
              className="text-brand underline"
            >
              {text.openDebtor}
            </Link>
          </li>
        ))}
        {messages.length > shownMax && (
          <li className="border-t border-line px-4 py-2 text-soft">
            {text.others(count(messages.length - shownMax, language))}
          </li>
        )}
      </ul>
      <Buttons>
        <Button onClick={onClose}>{text.close}</Button>
      </Buttons>
    </Dialog>
  )
}
