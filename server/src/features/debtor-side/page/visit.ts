import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import type { SimulatedPayment } from '../../../adapters/payment/simulator.ts'
import { iso } from '../../../kit/clock.ts'
import { sqlState, transact } from '../../../kit/db/transaction.ts'
import { addPageRoom, type Form, isOwnForm, parseForm, type Site, seeOther } from '../../../kit/http/site.ts'
import type { Language } from '../../access/people/texts/words.ts'
import type { World } from '../../recovery/case/case.ts'
import { byCode, debtorOf, isCode, readCode } from '../../recovery/messages/code.ts'
import { type Dossier, dossierOf, readInvoices, readParties } from './dossier.ts'
import { deadPage, disownedPage, failurePage } from './failure-pages.ts'
import { sendDebtorPage } from './layout.ts'
import { type View, viewOf } from './view.ts'

/** Who takes cards: a provider where there is one, and in the sandbox a page of ours. */
export interface Cashiers {
  payment: PaymentAdapter | null
  simulator: SimulatedPayment
}

/** Somebody with the link of a message. */
export interface Visit extends Cashiers {
  site: Site
  request: FastifyRequest
  reply: FastifyReply
  code: string
  /** Empty when nothing was posted. */
  form: Form
}

type Handler = (visit: Visit) => Promise<FastifyReply>

export interface DebtorPage {
  /** Behind the code. */
  path: string
  get?: Handler
  post?: Handler
}

/** Whoever held this link said to be somebody else. */
class Disowned extends Error {
  readonly language: Language
  constructor(language: Language) {
    super('disowned')
    this.language = language
  }
}

/** One transaction as the debtor of the message, with all the page may know. */
export function within<T>(
  { site, request, code }: Visit,
  work: (inside: { world: World; dossier: Dossier }) => Promise<T>,
): Promise<T> {
  const wall = site.clock.wall()
  const opening = [
    [readCode, [code, iso(wall)]],
    [readParties, [code]],
    [readInvoices, [code]],
  ] as const
  return transact(site.pool, byCode(code, wall), opening, async ({ tx, offsetMs, first }) => {
    const [[coded], [parties], invoices] = first
    if (!coded || !parties) throw Object.assign(new Error('code is dead'), { code: 'RL001' })
    if (coded.disowned) throw new Disowned(parties.debtor.language)
    const now = wall + offsetMs
    const dossier = dossierOf(coded, parties, invoices, now)
    const newId = () => site.newId(wall)
    return work({
      dossier,
      world: { tx, actor: debtorOf(coded), now, wall, requestId: request.id, newId },
    })
  })
}

export const look = (visit: Visit): Promise<Dossier> => within(visit, async ({ dossier }) => dossier)

export const viewFor = ({ request, code }: Visit, { debtor }: Pick<Dossier, 'debtor'>): View =>
  viewOf(request, code, debtor.language)

const fail = (request: FastifyRequest, reply: FastifyReply, status: number) =>
  sendDebtorPage(reply, status, failurePage(viewOf(request, '', null), status, request.id))

/** Unknown, mistyped or too old: which of them is nobody's business. */
const sendDead = (request: FastifyRequest, reply: FastifyReply) =>
  sendDebtorPage(reply, 404, deadPage(viewOf(request, '', null)))

async function answer(
  site: Site,
  cashiers: Cashiers,
  page: DebtorPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPost = request.method === 'POST'
  if (isPost && !isOwnForm(site, request)) return fail(request, reply, 403)
  const { code = '' } = request.params as Record<string, string>
  if (!isCode(code)) {
    // Mail programs take the full stop behind a link for a part of it.
    const meant = /^(.{20})[.,;:!?)>\]}'"»]+$/u.exec(code)?.[1]
    return meant && isCode(meant) && !isPost ? seeOther(reply, `/d/${meant}`) : sendDead(request, reply)
  }
  const form = isPost ? parseForm(typeof request.body === 'string' ? request.body : '') : {}
  const handler = isPost ? page.post : page.get
  try {
    return await handler!({ site, ...cashiers, request, reply, code, form })
  } catch (error) {
    if (sqlState(error) === 'RL001') return sendDead(request, reply)
    if (error instanceof Disowned)
      return sendDebtorPage(reply, 200, disownedPage(viewOf(request, code, error.language)))
    throw error
  }
}

/** Pages by the code of a message. */
export function addDebtorRoutes(
  app: FastifyInstance,
  site: Site,
  cashiers: Cashiers,
  pages: readonly DebtorPage[],
): void {
  addPageRoom(app, site, {
    formMost: 16 * 1024,
    otherMethods: 404,
    fail,
    pages: pages.map(page => ({
      url: `/d/:code${page.path}`,
      isShown: page.get !== undefined,
      isPosted: page.post !== undefined,
      handler: (request, reply) => answer(site, cashiers, page, request, reply),
    })),
    // Whatever else begins like a link was one, and somebody who followed it wants words.
    furnish: room => void room.all('/d/*', (request, reply) => sendDead(request, reply)),
  })
}
