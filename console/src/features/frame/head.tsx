import { useNavigate } from '@tanstack/react-router'
import { useMe, usePlace } from '../../lib/api.ts'
import { runCommand, useCommand } from '../../lib/commands.ts'
import { shownKeys } from '../../lib/keys.ts'
import { useWords } from '../../lib/language.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Icon } from './icons.tsx'
import { words } from './words.ts'

const button = 'flex h-9 min-w-0 items-center gap-2 rounded-control px-2 hover:bg-calm'

/** Above every screen: which company this is, the search, and who is signed in. */
export function Head({ onOpen }: { readonly onOpen: (window: 'place' | 'settings') => void }) {
  const text = useWords(words)
  const { company, environment } = usePlace()
  const me = useMe()
  useOtherEnvironment()
  return (
    <header className="flex h-12 items-center gap-2 border-b border-line bg-sheet px-2 md:px-4 print:hidden">
      {/* The names load late; the other controls wait for them, so that they do not move. */}
      {me && (
        <>
          <button
            type="button"
            className={button}
            aria-haspopup="dialog"
            title={text.chooseCompany}
            onClick={() => onOpen('place')}
          >
            <span className="truncate font-[650]">
              {me.companies.find(({ id }) => id === company)?.name ?? ''}
            </span>
            <span className="shrink-0 text-soft">{text.environments[environment]}</span>
            <span aria-hidden>▾</span>
          </button>
          <button
            type="button"
            className={`${button} ml-auto border border-line text-soft max-md:hidden md:w-72`}
            aria-keyshortcuts="Control+k Meta+k"
            onClick={() => runCommand('palette')}
          >
            <Icon name="search" />
            <span className="flex-1 text-left">{text.searchOrAct}</span>
            <KeyHint>{shownKeys('mod+k')}</KeyHint>
          </button>
          <button
            type="button"
            className={`${button} max-md:hidden`}
            aria-haspopup="dialog"
            title={text.you}
            onClick={() => onOpen('settings')}
          >
            <span className="max-w-40 truncate">{me.person.name}</span>
            <span aria-hidden>▾</span>
          </button>
        </>
      )}
    </header>
  )
}

function useOtherEnvironment(): void {
  const navigate = useNavigate()
  const { company, environment: here } = usePlace()
  const environment = here === 'sandbox' ? 'production' : 'sandbox'
  const isOpen = useMe()?.companies.find(({ id }) => id === company)?.environments[environment].isOpen
  const go = () => void navigate({ to: '/$company/$environment', params: { company, environment } })
  useCommand('other-environment', isOpen ? go : null)
}
