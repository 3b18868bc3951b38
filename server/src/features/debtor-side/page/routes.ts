import type { FastifyInstance } from 'fastify'
import type { Site } from '../../../kit/http/site.ts'
import { showCard, showCheckout, takeCard } from './card.ts'
import { showDataNotice } from './data-notice.ts'
import { showDispute, takeDispute } from './dispute.ts'
import { showNotMe, takeNotMe } from './not-me.ts'
import { showPromise, takePromise } from './promise.ts'
import { showSimulatedCard, takeSimulatedCard } from './simulated-card.ts'
import { showStop, takeStop } from './stop.ts'
import { showSummary } from './summary.ts'
import { addDebtorRoutes, type Cashiers, type DebtorPage } from './visit.ts'

const pages: readonly DebtorPage[] = [
  { path: '', get: showSummary },
  { path: '/promise', get: showPromise, post: takePromise },
  { path: '/dispute', get: showDispute, post: takeDispute },
  { path: '/not-me', get: showNotMe, post: takeNotMe },
  { path: '/stop', get: showStop, post: takeStop },
  { path: '/data', get: showDataNotice },
  { path: '/card', get: showCard, post: takeCard },
  { path: '/card/:checkout', get: showCheckout },
  { path: '/simulated-card/:checkout', get: showSimulatedCard, post: takeSimulatedCard },
]

/** What the link in every message opens: who claims what and why, and every answer a debtor can give. */
export const addDebtorPages = (app: FastifyInstance, site: Site, cashiers: Cashiers): void =>
  addDebtorRoutes(app, site, cashiers, pages)
