import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
} from '@tanstack/react-router'
import { type Environment, environments, placeOf, todayQuery } from '../lib/api.ts'
import { daySearch, debtorSearch, invoiceSearch, messageSearch } from './search.ts'
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
  loaderDeps: ({ search }) => search,
  // Not awaited: the request runs while the code of the screen loads.
  loader: ({ params, deps: { date } }) => {
    const { api, queries } = placeOf(params.company, params.environment)
    void queries.prefetchQuery(todayQuery(api, date))
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
const messages = createRoute({
  getParentRoute: () => company,
  path: 'messages',
  validateSearch: messageSearch,
  component: lazyRouteComponent(() => import('./list-messages.tsx')),
})

export const router = createRouter({
  routeTree: root.addChildren([
    first,
    company.addChildren([today, debtors, debtor, invoices, invoice, messages]),
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
