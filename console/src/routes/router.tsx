import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
} from '@tanstack/react-router'
import { type Environment, environments, placeOf, todayQuery } from '../lib/api.ts'
import { daySearch, debtorSearch, importSearch, invoiceSearch, messageSearch } from './search.ts'
import { First, NotFound, Root, Shell } from './shell.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })

const first = createRoute({ getParentRoute: () => root, path: '/', component: First })

const isEnvironment = (text: string): text is Environment => environments.some(name => name === text)

/** Everything of one company in one environment. */
const company = createRoute({
  getParentRoute: () => root,
  path: '$company/$environment',
  params: {
    parse: ({ company, environment }) => {
      if (!isEnvironment(environment)) throw notFound()
      return { company, environment }
    },
    stringify: params => params,
  },
  component: Shell,
})

const today = createRoute({
  getParentRoute: () => company,
  path: '/',
  validateSearch: daySearch,
  loaderDeps: ({ search: { ouvert: _, ...filters } }) => filters,
  // Not awaited: the requests run while the code of the screen loads.
  loader: ({ params, deps: { date, ...filters } }) => {
    const place = placeOf(params.company, params.environment)
    void place.queries.prefetchQuery(todayQuery(place.api, date))
    // In a file that the page fetches beside the first script.
    if (date === undefined)
      void import('../lib/work.ts').then(({ prefetchWork }) => prefetchWork(place, filters))
  },
  component: lazyRouteComponent(() => import('./today.tsx')),
})
const debtors = createRoute({
  getParentRoute: () => company,
  path: 'debtors',
  validateSearch: debtorSearch,
  component: lazyRouteComponent(() => import('./list-debtors.tsx')),
})
const debtor = createRoute({
  getParentRoute: () => company,
  path: 'debtors/$id',
  component: lazyRouteComponent(() => import('./debtor.tsx')),
})
const invoices = createRoute({
  getParentRoute: () => company,
  path: 'invoices',
  validateSearch: invoiceSearch,
  component: lazyRouteComponent(() => import('./list-invoices.tsx')),
})
const invoice = createRoute({
  getParentRoute: () => company,
  path: 'invoices/$id',
  component: lazyRouteComponent(() => import('./invoice.tsx')),
})
const newInvoice = createRoute({
  getParentRoute: () => company,
  path: 'invoices/new',
  component: lazyRouteComponent(() => import('./new-invoice.tsx')),
})
const importing = createRoute({
  getParentRoute: () => company,
  path: 'import',
  validateSearch: importSearch,
  loaderDeps: ({ search }) => search,
  // Not awaited, and not after it is known what the role allows.
  loader: ({ params, deps: { task } }) => {
    const { api, queries } = placeOf(params.company, params.environment)
    void import('../features/import/queries.ts').then(({ importsQuery, taskQuery }) =>
      task === undefined
        ? queries.prefetchQuery(importsQuery(api))
        : queries.prefetchQuery(taskQuery(api, task)),
    )
  },
  component: lazyRouteComponent(() => import('./import.tsx')),
})
const messages = createRoute({
  getParentRoute: () => company,
  path: 'messages',
  validateSearch: messageSearch,
  component: lazyRouteComponent(() => import('./list-messages.tsx')),
})

export const router = createRouter({
  routeTree: root.addChildren([
    first,
    company.addChildren([today, debtors, debtor, invoices, newInvoice, invoice, importing, messages]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
