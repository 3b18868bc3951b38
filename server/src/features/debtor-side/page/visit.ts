import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import type { SimulatedPayment } from '../../../adapters/payment/simulator.ts'
import { iso } from '../../../kit/clock.ts'
import { sqlState, transact } from '../../../kit/db/transaction.ts'
import { type Form, formOf } from '../../../kit/http/form.ts'
import { addPageGroup, type PageContext, seeOther } from '../../../kit/http/pages.ts'
import type { Publisher } from '../../access/companies/installation.ts'
import type { Language } from '../../access/people/texts/page-texts.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { selectCode } from '../../recovery/messages/compose/code-store.ts'
import {
  byCode,
  debtorActorOf,
  isClosedByAnswers,
  isCode,
} from '../../recovery/messages/compose/message-code.ts'
import { type DebtorView, debtorViewOf } from './debtor-view.ts'
import { deadLinkPage, disownedPage, failurePage } from './failure-pages.ts'
import { hasPass, isGated, questionOf } from './gate.ts'
import { closedLinkPage, gatePage } from './gate-page.ts'
import { sendDebtorPage } from './layout.ts'
import { type PageLocale, pageLocaleOf } from './page-locale.ts'
import { readInvoices, readParties } from './view-store.ts'

/** Card payments: the configured provider, if any, and the simulator for the sandbox. */
export interface PaymentProviders {
  payment: PaymentAdapter | null
  simulator: SimulatedPayment
}

export interface PageProviders extends PaymentProviders {
  /** The provider of the language model, if any. */
  modelProvider: string | null
  publisher: Publisher
}

/** A request of a visitor who opened the link of a message. */
export interface Visit extends PageProviders {
  pageContext: PageContext
  request: FastifyRequest
  reply: FastifyReply
  code: string
  /** Empty when nothing was posted. */
  form: Form
  /** This page is shown without the answer to the question of the link. */
  asksNothing: boolean
}

type Handler = (visit: Visit) => Promise<FastifyReply>

export interface DebtorPage {
  /** The path after the code. */
  path: string
  get?: Handler
  post?: Handler
  /** It shows nothing personal, so it is open before the question of the link is answered. All other pages are not. */
  asksNothing?: true
}

/** The holder of this link has said that they are not the debtor. */
class Disowned extends Error {
  readonly language: Language
  constructor(language: Language) {
    super('disowned')
    this.language = language
  }
}

/** The link asks who opens it, and this browser has not answered. */
class Unidentified extends Error {
  readonly debtorView: DebtorView
  constructor(debtorView: DebtorView) {
    super('not identified')
    this.debtorView = debtorView
  }
}

/** Runs `work` in one transaction as the debtor of the message, with everything the page may show. */
export function inDebtorTransaction<T>(
  { pageContext, request, code, asksNothing }: Visit,
  work: (scope: { context: OperationContext; debtorView: DebtorView }) => Promise<T>,
): Promise<T> {
  const wall = pageContext.clock.wall()
  const opening = [
    [selectCode, [code, iso(wall)]],
    [readParties, [code]],
    [readInvoices, [code]],
  ] as const
  return transact(pageContext.pool, byCode(code, wall), opening, async ({ tx, offsetMs, openingRows }) => {
    const [[coded], [parties], invoices] = openingRows
    if (!coded || !parties) throw Object.assign(new Error('code is unknown or expired'), { code: 'RL001' })
    if (coded.disowned) throw new Disowned(parties.debtor.language)
    const now = wall + offsetMs
    const isIdentified =
      !isGated(parties) || (!isClosedByAnswers(coded) && hasPass(pageContext.keyring, request, code, wall))
    const debtorView = debtorViewOf(coded, parties, invoices, now, isIdentified)
    if (!isIdentified && !asksNothing) throw new Unidentified(debtorView)
    const newId = () => pageContext.newId(wall)
    return work({
      debtorView,
      context: { tx, actor: debtorActorOf(coded), now, wall, requestId: request.id, newId },
    })
  })
}

export const loadDebtorView = (visit: Visit): Promise<DebtorView> =>
  inDebtorTransaction(visit, async ({ debtorView }) => debtorView)

/** The head of the page shows the creditor, or the collector that writes for it. */
export const localeFor = (
  { request, code }: Visit,
  { debtor, creditor }: Pick<DebtorView, 'debtor' | 'creditor'>,
): PageLocale =>
  pageLocaleOf(
    request,
    code,
    debtor.language,
    creditor.collector === null ? creditor : { name: creditor.collector.name, logo: null },
  )

const sendFailure = (request: FastifyRequest, reply: FastifyReply, status: number) =>
  sendDebtorPage(reply, status, failurePage(pageLocaleOf(request, '', null), status, request.id))

/** For an unknown, mistyped or expired code; the page does not say which. */
const sendDeadLink = (request: FastifyRequest, reply: FastifyReply) =>
  sendDebtorPage(reply, 404, deadLinkPage(pageLocaleOf(request, '', null)))

/** A form posted without identification redirects to its page, which asks the question. */
function sendGate(visit: Visit, { path }: DebtorPage, debtorView: DebtorView): FastifyReply {
  const { request, reply } = visit
  const locale = localeFor(visit, debtorView)
  const { checkout = '' } = request.params as Record<string, string>
  const page = path.replace(':checkout', encodeURIComponent(checkout))
  if (request.method === 'POST') return seeOther(reply, locale.pathTo(page))
  const link = { ...debtorView, isSandbox: debtorView.coded.environment === 'sandbox' }
  const { question } = questionOf(debtorView, debtorView.invoices)
  const body = isClosedByAnswers(debtorView.coded)
    ? closedLinkPage(locale, link)
    : gatePage(locale, link, question, page)
  return sendDebtorPage(reply, 200, body)
}

async function handleRequest(
  pageContext: PageContext,
  providers: PageProviders,
  page: DebtorPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPost = request.method === 'POST'
  const { code = '' } = request.params as Record<string, string>
  if (!isCode(code)) {
    // Mail programs take the punctuation after a link as part of it.
    const trimmedCode = /^(.{20})[.,;:!?)>\]}'"»]+$/u.exec(code)?.[1]
    return trimmedCode && isCode(trimmedCode) && !isPost
      ? seeOther(reply, `/d/${trimmedCode}`)
      : sendDeadLink(request, reply)
  }
  const handler = isPost ? page.post : page.get
  const asksNothing = page.asksNothing === true
  const visit = { pageContext, ...providers, request, reply, code, form: formOf(request), asksNothing }
  try {
    return await handler!(visit)
  } catch (error) {
    if (error instanceof Unidentified) return sendGate(visit, page, error.debtorView)
    if (sqlState(error) === 'RL001') return sendDeadLink(request, reply)
    if (error instanceof Disowned)
      return sendDebtorPage(reply, 200, disownedPage(pageLocaleOf(request, code, error.language)))
    throw error
  }
}

/** Pages by the code of a message. */
export function addDebtorRoutes(
  app: FastifyInstance,
  pageContext: PageContext,
  providers: PageProviders,
  pages: readonly DebtorPage[],
): void {
  addPageGroup(app, pageContext, {
    otherMethods: 404,
    fail: sendFailure,
    pages: pages.map(page => ({
      url: `/d/:code${page.path}`,
      hasGet: page.get !== undefined,
      hasPost: page.post !== undefined,
      handler: (request, reply) => handleRequest(pageContext, providers, page, request, reply),
    })),
    // Any other path under /d/ was probably a link of ours: show the page for dead links.
    addRoutes: room => void room.all('/d/*', (request, reply) => sendDeadLink(request, reply)),
  })
}
