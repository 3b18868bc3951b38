import type { Company } from '@relance/sdk'
import { goToSignIn, usePlace } from '../../lib/api.ts'
import { commandOf, runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { momentText } from '../../lib/format.ts'
import { defineWords, useLanguage, useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'

const words = defineWords(
  {
    stopped: (since: string, by: string | null) =>
      `Tous les envois sont arrêtés depuis ${since}${by ? `, par ${by}` : ''}.`,
    key: (name: string) => `la clé «\u00a0${name}\u00a0»`,
    reason: (reason: string) => `Motif\u00a0: ${reason}`,
    sessionEnded: 'Votre session est terminée. Ce que vous avez saisi est encore là.',
    signIn: 'Se connecter',
  },
  {
    stopped: (since, by) => `All sending has been stopped since ${since}${by ? `, by ${by}` : ''}.`,
    key: name => `the key “${name}”`,
    reason: reason => `Reason: ${reason}`,
    sessionEnded: 'Your session has ended. What you typed is still here.',
    signIn: 'Sign in',
  },
)

type SendingStop = NonNullable<Company['sendingStop']>

interface Props {
  readonly company: Company | undefined
  readonly isSessionEnded: boolean
}

/** Banners above every screen. They are rare, so they are loaded only when one is shown. */
export default function Banners({ company, isSessionEnded }: Props) {
  return (
    <>
      {isSessionEnded && <SessionEnded />}
      {company?.sendingStop && <StopBanner stop={company.sendingStop} timeZone={company.timeZone} />}
    </>
  )
}

/** On every page while the company's sending is stopped. */
function StopBanner({ stop, timeZone }: { readonly stop: SendingStop; readonly timeZone: string }) {
  const text = useWords(words)
  const language = useLanguage()
  const { environment } = usePlace()
  const { kind, name } = stop.by
  const by = name !== null && kind === 'api_key' ? text.key(name) : name
  const canResume = useOfferedCommands().some(({ id }) => id === 'resume-sending')
  return (
    <div
      role="status"
      data-environment={environment}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-alarm bg-alarm-ground px-4 py-2 text-alarm"
    >
      <p className="min-w-0 break-words">
        <strong className="font-[650]">{text.stopped(momentText(stop.since, timeZone, language), by)}</strong>{' '}
        {text.reason(stop.reason)}
      </p>
      {canResume && (
        <Button onClick={() => runCommand('resume-sending')}>{commandOf('resume-sending')[language]}</Button>
      )}
    </div>
  )
}

/** Not a modal: the user can still read and copy text typed in the page. */
function SessionEnded() {
  const text = useWords(words)
  return (
    <div
      role="alert"
      className="sticky top-0 z-30 flex flex-wrap items-center gap-4 border-b border-warn bg-warn-ground px-4 py-2 text-warn"
    >
      <p>{text.sessionEnded}</p>
      <Button tone="brand" onClick={goToSignIn}>
        {text.signIn}
      </Button>
    </div>
  )
}
