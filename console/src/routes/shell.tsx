import { QueryClientProvider } from '@tanstack/react-query'
import { Navigate, Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Frame } from '../features/frame/frame.tsx'
import { PlaceContext, placeOf, useMe } from '../lib/api.ts'
import { defineWords, type Language, LanguageContext, useWords } from '../lib/language.tsx'
import { firstPlace, keepLastPlace, readLastPlace } from '../lib/last-place.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { usePreferences } from '../lib/preferences.ts'

// Its commands are not needed to draw a page.
const Sending = lazyPart(async () => ({ default: (await import('../features/sending/sending.tsx')).Sending }))

const words = defineWords(
  {
    notFound: 'Cette page n’existe pas, ou elle n’est pas à vous.',
    home: 'Retour à aujourd’hui',
    noCompany: 'Vous n’appartenez à aucune société.',
    account: 'Votre compte',
  },
  {
    notFound: 'There is no such page, or it is not yours.',
    home: 'Back to today',
    noCompany: 'You belong to no company.',
    account: 'Your account',
  },
)

const ofBrowser: Language = navigator.language.startsWith('fr') ? 'fr' : 'en'

/** The language: as set in this browser, else of the account, else of the browser. */
export function Root() {
  const { language: chosen } = usePreferences()
  const me = useMe()
  const language = chosen ?? me?.person.language ?? ofBrowser
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <LanguageContext value={language}>
      <Outlet />
    </LanguageContext>
  )
}

/** `/console` alone: redirects to the last company, or to the first one. */
export function First() {
  const text = useWords(words)
  const me = useMe()
  if (!me) return null
  const place = firstPlace(me.companies, readLastPlace())
  if (place) return <Navigate to="/$company/$environment" params={place} replace />
  return (
    <main className="p-6">
      <p>{text.noCompany}</p>
      <a href="/account" className="underline">
        {text.account}
      </a>
    </main>
  )
}

export function NotFound() {
  const text = useWords(words)
  return (
    <main className="p-6">
      <p>{text.notFound}</p>
      <a href="/console" className="underline">
        {text.home}
      </a>
    </main>
  )
}

/** The layout of all screens of a company. */
export function Shell() {
  const { company, environment } = useParams({ from: '/$company/$environment' })
  const place = placeOf(company, environment)
  useEffect(() => keepLastPlace(company, environment), [company, environment])
  return (
    <PlaceContext value={place}>
      <QueryClientProvider client={place.queries}>
        <Frame key={`${company} ${environment}`}>
          <Outlet />
          <Suspense fallback={null}>
            <Sending />
          </Suspense>
        </Frame>
      </QueryClientProvider>
    </PlaceContext>
  )
}
