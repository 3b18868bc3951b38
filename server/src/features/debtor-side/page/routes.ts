import type { FastifyInstance } from 'fastify'
import type { PageContext } from '../../../kit/http/pages.ts'
import { answerPages } from './answer-page.ts'
import { getCard, getCheckout, postCard } from './card-page.ts'
import { getDataNotice } from './data-notice-page.ts'
import { getDispute, postDispute } from './dispute-page.ts'
import { getNotMe, postNotMe } from './not-me-page.ts'
import { getOpen, postOpen } from './open-link.ts'
import { getPromise, postPromise } from './promise-page.ts'
import { getSimulatedCard, postSimulatedCard } from './simulated-card-page.ts'
import { getSituation, postSituation } from './situation-page.ts'
import { getStop, postStop } from './stop-page.ts'
import { getSummary } from './summary-page.ts'
import { addDebtorRoutes, type DebtorPage, type PageProviders } from './visit.ts'

const pages: readonly DebtorPage[] = [
  { path: '', get: getSummary },
  { path: '/promise', get: getPromise, post: postPromise },
  { path: '/dispute', get: getDispute, post: postDispute },
  ...answerPages,
  { path: '/open', get: getOpen, post: postOpen, asksNothing: true },
  { path: '/not-me', get: getNotMe, post: postNotMe, asksNothing: true },
  { path: '/situation', get: getSituation, post: postSituation },
  { path: '/stop', get: getStop, post: postStop, asksNothing: true },
  { path: '/data', get: getDataNotice },
  { path: '/card', get: getCard, post: postCard },
  { path: '/card/:checkout', get: getCheckout },
  { path: '/simulated-card/:checkout', get: getSimulatedCard, post: postSimulatedCard },
]

/** The pages behind the link of every message: who claims what and why, and every response a debtor can give. */
export const addDebtorPages = (
  app: FastifyInstance,
  pageContext: PageContext,
  providers: PageProviders,
): void => addDebtorRoutes(app, pageContext, providers, pages)
