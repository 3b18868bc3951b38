import { Link, useNavigate } from '@tanstack/react-router'
import { usePlace } from '../../lib/api.ts'
import { commandOf, runCommand, useCommand } from '../../lib/commands.ts'
import { ariaKeys, shownKeys } from '../../lib/keys.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { changePreferences, usePreferences } from '../../lib/preferences.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Icon, Mark } from './icons.tsx'
import { words } from './words.ts'

const links = [
  { id: 'go-today', icon: 'today', to: '/$company/$environment', exact: true },
  { id: 'go-debtors', icon: 'debtors', to: '/$company/$environment/debtors', exact: false },
  { id: 'go-invoices', icon: 'invoices', to: '/$company/$environment/invoices', exact: false },
] as const

function useLinks() {
  const { company, environment } = usePlace()
  const language = useLanguage()
  return links.map(({ id, icon, to, exact }) => {
    const command = commandOf(id)
    return {
      id,
      icon,
      to,
      exact,
      params: { company, environment },
      name: command[language],
      keys: command.keys?.[0],
    }
  })
}

/** Registers the links of the rail as commands for the keys and the palette. */
export function useGoCommands(): void {
  const navigate = useNavigate()
  const { company, environment } = usePlace()
  const params = { company, environment }
  useCommand('go-today', () => void navigate({ to: links[0].to, params }))
  useCommand('go-debtors', () => void navigate({ to: links[1].to, params }))
  useCommand('go-invoices', () => void navigate({ to: links[2].to, params }))
  useCommand('import', () => void navigate({ to: '/$company/$environment/import', params }))
  useCommand('new-invoice', () => void navigate({ to: '/$company/$environment/invoices/new', params }))
}

const current = 'data-[status=active]:bg-calm data-[status=active]:text-brand'

/** The navigation at the left. */
export function Rail() {
  const text = useWords(words)
  const { isRailFolded, hasLetters } = usePreferences()
  const fold = () => changePreferences({ isRailFolded: !isRailFolded })
  useCommand('fold', fold)
  const name = isRailFolded ? 'sr-only' : 'min-w-0 flex-1 truncate text-left'
  return (
    <nav
      aria-label={text.main}
      className={`sticky top-0 flex h-dvh shrink-0 flex-col gap-1 border-r border-line bg-sheet p-2 print:hidden ${
        isRailFolded ? 'w-14' : 'w-50'
      }`}
    >
      <p className="mb-2 flex h-8 items-center gap-2 px-2 text-section font-[650]">
        <Mark />
        <span className={name}>Relance</span>
      </p>
      {useLinks().map(({ id, icon, to, exact, params, name: words, keys }) => (
        <Link
          key={id}
          to={to}
          params={params}
          activeOptions={{ exact, includeSearch: false }}
          title={isRailFolded ? words : undefined}
          aria-keyshortcuts={keys && hasLetters ? ariaKeys(keys) : undefined}
          className={`flex h-9 items-center gap-2 rounded-control px-2.5 hover:bg-calm data-[status=active]:border-l-3 data-[status=active]:border-brand data-[status=active]:pl-1.75 data-[status=active]:font-[650] ${current}`}
        >
          <Icon name={icon} />
          <span className={name}>{words}</span>
          {keys && hasLetters && !isRailFolded && <KeyHint>{shownKeys(keys)}</KeyHint>}
        </Link>
      ))}
      <button
        type="button"
        onClick={fold}
        aria-expanded={!isRailFolded}
        className="mt-auto flex h-9 items-center gap-2 rounded-control px-2.5 text-soft hover:bg-calm"
      >
        <Icon name={isRailFolded ? 'unfold' : 'fold'} />
        <span className={name}>{isRailFolded ? text.unfold : text.fold}</span>
      </button>
    </nav>
  )
}

const slot = 'flex min-h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-mark'

/** The navigation on a phone, at the bottom, with search and settings. */
export function BottomBar({ onMore }: { readonly onMore: () => void }) {
  const text = useWords(words)
  return (
    <nav
      aria-label={text.phone}
      className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-sheet print:hidden"
    >
      {useLinks().map(({ id, icon, to, exact, params, name }) => (
        <Link
          key={id}
          to={to}
          params={params}
          activeOptions={{ exact, includeSearch: false }}
          className={`${slot} border-t-3 border-sheet data-[status=active]:border-brand ${current}`}
        >
          <Icon name={icon} />
          {name}
        </Link>
      ))}
      <button type="button" className={slot} onClick={() => runCommand('palette')}>
        <Icon name="search" />
        {text.search}
      </button>
      <button type="button" className={slot} aria-haspopup="dialog" onClick={onMore}>
        <Icon name="more" />
        {text.more}
      </button>
    </nav>
  )
}
