import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { companyQuery, type Place, useApi, usePlace, useSessionEnded } from '../../lib/api.ts'
import { useCommand } from '../../lib/commands.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { changePreferences, usePreferences } from '../../lib/preferences.ts'
import { Head } from './head.tsx'
import { BottomBar, Rail, useGoCommands } from './rail.tsx'
import { useKeys } from './use-keys.ts'
import { words } from './words.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazyPart(loadPalette)
const Toasts = lazyPart(async () => ({ default: (await import('../../ui/toast.tsx')).Toasts }))
const Banners = lazyPart(() => import('./banners.tsx'))
const SandboxTime = lazyPart(() => import('./sandbox-time.tsx'))
const Help = lazyPart(() => import('./help.tsx'))
const PlaceMenu = lazyPart(() => import('./place-menu.tsx'))
const Settings = lazyPart(() => import('./settings.tsx'))

// Same limit as `max-md` in the styles.
const phone = matchMedia('(width < 48rem)')
const onPhoneChange = (listener: () => void) => {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** Most screens are drawn by then. */
const afterScreenMs = 1_000

/** Time to draw the answers. */
const paintMs = 200

/**
 * Opens the stream of change hints. It opens as soon as the screen has its answers and is painted, because changes that happen
 * before it opens send no hint.
 */
function useLive(place: Place): void {
  useEffect(() => {
    const ending = new AbortController()
    const begin = async () => {
      if (ending.signal.aborted) return
      const { followLive } = await import('../../lib/live.ts')
      if (!ending.signal.aborted) ending.signal.addEventListener('abort', followLive(place))
    }
    const stopWaiting = place.queries.getQueryCache().subscribe(beginWhenAnswered)
    function beginWhenAnswered() {
      if (place.queries.isFetching() > 0) return
      stopWaiting()
      setTimeout(begin, paintMs)
    }
    ending.signal.addEventListener('abort', stopWaiting)
    beginWhenAnswered()
    return () => ending.abort()
  }, [place])
}

type Window = 'palette' | 'help' | 'place' | 'settings'

/**
 * The layout around every screen: rail, head, bars, and the windows that every page has. Each part loads its own late data, so
 * that the other parts render once.
 */
export function Frame({ children }: { readonly children: ReactNode }) {
  const text = useWords(words)
  const place = usePlace()
  const [open, setOpen] = useState<Window | null>(null)
  const [typed, setTyped] = useState('')
  const close = () => setOpen(null)
  /** What had the focus before the palette. */
  const opener = useRef<Element | null>(null)
  // The focus is back before a command runs, so that the window of an act knows where to leave it.
  const closePalette = () => {
    flushSync(() => {
      setOpen(null)
      setTyped('')
    })
    const { current } = opener
    const isThere = current instanceof HTMLElement && current !== document.body && current.isConnected
    const back = isThere ? current : document.getElementById('main')
    back?.focus({ preventScroll: true })
  }
  useGoCommands()
  useKeys()
  useSettingCommands()
  const openPalette = () => {
    if (open !== 'palette') opener.current = document.activeElement
    setOpen('palette')
  }
  useCommand('palette', openPalette)
  useCommand('help', () => setOpen('help'))
  const isPhone = useSyncExternalStore(onPhoneChange, () => phone.matches)
  useLive(place)
  // Users type as soon as the palette opens, so it is preloaded, but after the screen.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), afterScreenMs)
    return () => clearTimeout(timer)
  }, [])
  // Takes what is typed while the code of the palette is loaded: no key is lost, and none acts on the page.
  const earlyField = (
    <input
      // biome-ignore lint/a11y/noAutofocus: the window is opened to type
      autoFocus
      aria-label={text.searchOrAct}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={event => event.key === 'Escape' && closePalette()}
      className="fixed inset-x-0 top-0 z-50 bg-sheet p-4"
    />
  )
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-brand px-3 py-2 text-on-brand focus:translate-y-0"
      >
        {text.skip}
      </a>
      {!isPhone && <Rail />}
      <div className="flex min-w-0 flex-1 flex-col">
        {place.environment === 'sandbox' && <SandboxBar />}
        <Head onOpen={setOpen} />
        <Notices />
        <Main>{children}</Main>
      </div>
      {isPhone && <BottomBar onMore={() => setOpen('settings')} />}
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
      <Suspense fallback={open === 'palette' && earlyField}>
        {open === 'palette' && <Palette typed={typed} onType={setTyped} onClose={closePalette} />}
        {open === 'help' && <Help onClose={close} />}
        {open === 'place' && <PlaceMenu onClose={close} />}
        {open === 'settings' && <Settings onClose={close} />}
      </Suspense>
    </div>
  )
}

function Notices() {
  const { data: company } = useQuery(companyQuery(useApi()))
  const isSessionEnded = useSessionEnded()
  if (!isSessionEnded && !company?.sendingStop) return null
  return (
    <Suspense fallback={null}>
      <Banners company={company} isSessionEnded={isSessionEnded} />
    </Suspense>
  )
}

/** Moves the focus to the new content after navigation, for keyboard and screen reader users: the link is gone. */
function Main({ children }: { readonly children: ReactNode }) {
  const path = useRouterState({ select: state => state.resolvedLocation?.pathname })
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== path) main.current?.focus({ preventScroll: true })
    shown.current = path
  }, [path])
  return (
    <main
      id="main"
      ref={main}
      tabIndex={-1}
      className="mx-auto w-full max-w-[100rem] flex-1 p-4 outline-none max-md:pb-20 md:p-6"
    >
      {children}
    </main>
  )
}

/** On every page of a sandbox, so that users do not take it for production. */
function SandboxBar() {
  const text = useWords(words)
  return (
    <p className="stripes sticky top-0 z-30 flex h-6 items-center px-2 text-head md:px-4">
      <span className="truncate rounded-bar bg-sheet px-2 font-[650] text-ink">
        <span className="uppercase">{text.sandbox}</span>
        <Suspense fallback={null}>
          <SandboxTime />
        </Suspense>
      </span>
    </p>
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
