import { type Relance, RelanceError, type RelanceOptions, type Role } from '@relance/sdk'
import { MutationCache, QueryCache, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Language } from './language.tsx'

export const environments = ['production', 'sandbox'] as const
export type Environment = (typeof environments)[number]

export interface CompanyOfMe {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly environments: Readonly<Record<Environment, { readonly isOpen: boolean }>>
}

/** The signed-in user and their companies, as `GET /console/me` returns them. */
export interface Me {
  readonly person: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly language: Language
  }
  /** Every change carries it. */
  readonly csrf: string
  readonly since: string
  /** Until then no operation requires a new sign-in. */
  readonly freshUntil: string
  readonly companies: readonly CompanyOfMe[]
  /** The write operations that each of their roles may call. */
  readonly roles: readonly { readonly role: Role; readonly may: readonly string[] }[]
  /** These ask for a recent sign-in. */
  readonly needFreshSignIn: readonly string[]
}

/** The company and the environment of the URL, with their client and cache. */
export interface Place {
  readonly company: string
  readonly environment: Environment
  readonly api: Relance
  /** The client itself, once it is loaded. */
  readonly client: () => Promise<Relance>
  /** Each place has its own cache, so that data of one company never shows in another. */
  readonly queries: QueryClient
}

const isEnded = (error: unknown) => error instanceof RelanceError && error.status === 401

let ended = false
const listeners = new Set<() => void>()

const signInPath = () => {
  const { pathname, search, hash } = window.location
  return `/sign-in?next=${encodeURIComponent(pathname + search + hash)}`
}

/** Signs in, and comes back to the same place. */
export const goToSignIn = () => window.location.assign(signInPath())

/**
 * On a page that has just opened, goes to the sign-in directly. Otherwise the page only shows a notice, so that unsaved input is
 * not lost.
 */
export function endSession(): void {
  if (ended) return
  ended = true
  if (shared.getQueryData(me.queryKey) === undefined) goToSignIn()
  for (const listener of listeners) listener()
}

export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ended,
  )

const onError = (error: unknown) => {
  if (isEnded(error)) endSession()
}

/** Unused answers kept in the cache for back navigation: about ten screens. */
const unusedMax = 40

function newQueries(): QueryClient {
  const queryCache = new QueryCache({ onError })
  queryCache.subscribe(({ type }) => {
    if (type !== 'added') return
    // A query that has just been added has no observer and no data yet: it does not count as unused.
    const unused = queryCache.findAll({ type: 'inactive', predicate: ({ state }) => state.dataUpdatedAt > 0 })
    const newestFirst = unused.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    for (const query of newestFirst.slice(unusedMax)) queryCache.remove(query)
  })
  return new QueryClient({
    queryCache,
    mutationCache: new MutationCache({ onError }),
    // The SDK already retries; live hints mark outdated data.
    defaultOptions: { queries: { retry: false, staleTime: 30_000 }, mutations: { retry: false } },
  })
}

/** For data of the user that belongs to no company. */
const shared = newQueries()

async function fetchMe(signal?: AbortSignal): Promise<Me> {
  const response = await fetch('/console/me', { signal: signal ?? null })
  const body = await response.json()
  if (!response.ok)
    throw new RelanceError({ ...body.error, status: response.status, requestId: body.requestId })
  return body.data
}

const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => fetchMe(signal),
  staleTime: 60_000,
  retry: (failures, error) => failures < 2 && !isEnded(error),
})

/** Asked for at once, before anything is drawn; no other request waits for it. */
export const startMe = () => void shared.prefetchQuery(me)

/** Undefined until it is known. */
export const useMe = (): Me | undefined => useQuery(me, shared).data

/** The role of the user in the company of the URL; undefined until it is loaded, and if they are not a member. */
export function useRole(): Role | undefined {
  const { company } = usePlace()
  return useMe()?.companies.find(({ id }) => id === company)?.role
}

/** Whether the user may call an operation here, such as `debtors.pause`. Other operations are not offered. */
export function useMay(): (operation: string) => boolean {
  const role = useRole()
  const granted = useMe()?.roles.find(grant => grant.role === role)?.may ?? []
  return operation => granted.includes(operation)
}

/** Retries a change once with the new token if the session was renewed, for example in another tab. */
const withNewCsrf: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status !== 403 || !init?.method || init.method === 'GET') return response
  const { error } = await response.clone().json()
  const isStale = error?.details?.some(({ code }: { code: string }) => code === 'csrf')
  if (!isStale) return response
  const { csrf } = await shared.fetchQuery({ ...me, staleTime: 0 })
  return fetch(input, { ...init, headers: { ...init.headers, 'x-csrf-token': csrf } })
}

type Calls = Readonly<Record<string, Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>>>

/**
 * The client comes in a file of its own, which the page fetches beside the first script. A call made before it is there waits for
 * it. What a call gives is a promise of its data: `withResponse()` and the pages of a list are with the client itself.
 */
function clientOf(options: RelanceOptions): Pick<Place, 'api' | 'client'> {
  let loading: Promise<Relance> | undefined
  const load = () => {
    loading ??= import('./client.ts')
      .then(({ newClient }) => newClient(options))
      .catch(error => {
        loading = undefined
        throw error
      })
    return loading
  }
  const resource = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, operation: string) =>
          async (...given: unknown[]) =>
            ((await load()) as unknown as Calls)[name]![operation]!(...given),
      },
    )
  return { api: new Proxy({}, { get: (_, name: string) => resource(name) }) as Relance, client: load }
}

let lastPlace: Place | null = null

/** The same object as long as the company and the environment are the same. */
export function placeOf(company: string, environment: Environment): Place {
  if (lastPlace?.company === company && lastPlace.environment === environment) return lastPlace
  // Only a change waits for the token.
  const csrf = async () => (await shared.ensureQueryData(me)).csrf
  const client = clientOf({ session: { companyId: company, environment, csrf }, fetch: withNewCsrf })
  lastPlace = { company, environment, ...client, queries: newQueries() }
  return lastPlace
}

export const PlaceContext = createContext<Place | null>(null)

export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('there is no company here')
  return place
}

/** The API for the company and the environment of the URL. */
export const useApi = (): Relance => usePlace().api

/*
 * Query keys begin with the kind and the id of the resource: ['today'], ['debtor', id, …], ['invoice', id, …], ['company'],
 * so that a change hint finds every query about it.
 */

export const todayQuery = (api: Relance, date?: string) =>
  queryOptions({
    queryKey: date === undefined ? ['today'] : ['today', date],
    queryFn: ({ signal }) => api.reports.today({ date }, { signal }),
  })

/** Loaded once on every page: it has the time zone and whether sending is stopped. */
export const companyQuery = (api: Relance) =>
  queryOptions({
    queryKey: ['company'],
    queryFn: ({ signal }) => api.company.get({ signal }),
    staleTime: 300_000,
  })

export const clockQuery = (api: Relance) =>
  queryOptions({ queryKey: ['clock'], queryFn: ({ signal }) => api.sandbox.clock({ signal }) })
