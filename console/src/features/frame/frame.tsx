import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useMe, usePlace } from '../../lib/api.ts'
import { runCommand, useCommand } from '../../lib/commands.ts'
import { shownKeys } from '../../lib/keys.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { changePreferences, usePreferences } from '../../lib/preferences.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Toasts, undoNewest } from '../../ui/toast.tsx'
import { SandboxBar } from './bars.tsx'
import { Icon } from './icons.tsx'
import { BottomBar, Rail, useGoCommands } from './rail.tsx'
import { useKeys } from './use-keys.ts'
import { words } from './words.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazyPart(loadPalette)
const Banners = lazyPart(() => import('./banners.tsx'))
const Live = lazyPart(() => import('./live.tsx'))
const Help = lazyPart(() => import('./help.tsx'))
const PlaceMenu = lazyPart(() => import('./place-menu.tsx'))
const Settings = lazyPart(() => import('./settings.tsx'))

type Window = 'palette' | 'help' | 'place' | 'settings'

const headButton = 'flex h-9 min-w-0 items-center gap-2 rounded-control px-2 hover:bg-calm'

/** What stands around every screen: rail, head, bars, and the windows that every page has. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const text = useWords(words)
  const { company, environment } = usePlace()
  const me = useMe()
  const [open, setOpen] = useState<Window | null>(null)
  const close = () => setOpen(null)
  useGoCommands()
  useKeys()
  useSettingCommands()
  useOtherEnvironment()
  useCommand('palette', () => setOpen('palette'))
  useCommand('help', () => setOpen('help'))
  useCommand('undo', undoNewest)
  const main = useFocusOnNewScreen()
  // Who opens it types at once: it is there before, but never before the screen is.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), 1_000)
    return () => clearTimeout(timer)
  }, [])
  const name = me?.companies.find(({ id }) => id === company)?.name ?? ''
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-brand px-3 py-2 text-on-brand focus:translate-y-0"
      >
        {text.skip}
      </a>
      <Rail />
      <div className="flex min-w-0 flex-1 flex-col">
        {environment === 'sandbox' && <SandboxBar />}
        <header className="flex h-12 items-center gap-2 border-b border-line bg-sheet px-2 md:px-4 print:hidden">
          {/* The names come late: what stands beside them would move. */}
          {me && (
            <>
              <button
                type="button"
                className={headButton}
                aria-haspopup="dialog"
                title={text.chooseCompany}
                onClick={() => setOpen('place')}
              >
                <span className="truncate font-[650]">{name}</span>
                <span className="shrink-0 text-soft">{text.environments[environment]}</span>
                <span aria-hidden>▾</span>
              </button>
              <button
                type="button"
                className={`${headButton} ml-auto border border-line text-soft max-md:hidden md:w-72`}
                aria-keyshortcuts="Control+k Meta+k"
                onClick={() => runCommand('palette')}
              >
                <Icon name="search" />
                <span className="flex-1 text-left">{text.searchOrAct}</span>
                <KeyHint>{shownKeys('mod+k')}</KeyHint>
              </button>
              <button
                type="button"
                className={`${headButton} max-md:hidden`}
                aria-haspopup="dialog"
                title={text.you}
                onClick={() => setOpen('settings')}
              >
                <span className="max-w-40 truncate">{me.person.name}</span>
                <span aria-hidden>▾</span>
              </button>
            </>
          )}
        </header>
        <Suspense fallback={null}>
          <Banners />
        </Suspense>
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="mx-auto w-full max-w-[100rem] flex-1 p-4 outline-none max-md:pb-20 md:p-6"
        >
          {children}
        </main>
      </div>
      <BottomBar onMore={() => setOpen('settings')} />
      <Toasts />
      <Suspense fallback={null}>
        <Live />
      </Suspense>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'help' && <Help onClose={close} />}
        {open === 'place' && <PlaceMenu onClose={close} />}
        {open === 'settings' && <Settings onClose={close} />}
      </Suspense>
    </div>
  )
}

function useSettingCommands(): void {
  const { theme } = usePreferences()
  const language = useLanguage()
  useCommand('theme', () => {
    const isDark =
      theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
    changePreferences({ theme: isDark ? 'light' : 'dark' })
  })
  useCommand('language', () => changePreferences({ language: language === 'fr' ? 'en' : 'fr' }))
  useCommand('account', () => window.location.assign('/account'))
}

function useOtherEnvironment(): void {
  const navigate = useNavigate()
  const { company, environment: here } = usePlace()
  const environment = here === 'sandbox' ? 'production' : 'sandbox'
  const isOpen = useMe()?.companies.find(({ id }) => id === company)?.environments[environment].isOpen
  const go = () => void navigate({ to: '/$company/$environment', params: { company, environment } })
  useCommand('other-environment', isOpen ? go : null)
}

/** Who follows a link by keyboard or hears the page goes on at the new content, not at the link that is gone. */
function useFocusOnNewScreen() {
  const path = useRouterState({ select: state => state.resolvedLocation?.pathname })
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== path) main.current?.focus({ preventScroll: true })
    shown.current = path
  }, [path])
  return main
}
