import type { FastifyReply } from 'fastify'
import { field } from '../../../kit/http/form.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { countAnswer, isClosedByAnswers } from '../../recovery/messages/compose/message-code.ts'
import { isRightAnswer, passCookie, plainAnswer, questionOf } from './gate.ts'
import { closedLinkPage, gatePage } from './gate-page.ts'
import { sendDebtorPage } from './layout.ts'
import { gateTexts } from './texts/gate-texts.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

/** The page that was asked for; the summary for anything else. */
const pageIn = (visit: Visit): string => {
  const page = field(visit.form, 'page')
  return /^\/[a-z-]{1,20}(\/[\da-f-]{36})?$/.test(page) ? page : ''
}

/** After a reload of the answer, or in the other language. */
export async function getOpen(visit: Visit): Promise<FastifyReply> {
  return seeOther(visit.reply, localeFor(visit, await loadDebtorView(visit)).pathTo(''))
}

/** Judges the answer to the question of the link. A right one opens it for this browser. */
export async function postOpen(visit: Visit): Promise<FastifyReply> {
  const { pageContext, code, reply } = visit
  const given = plainAnswer(field(visit.form, 'answer'))
  const page = pageIn(visit)
  const { debtorView, isRight, left } = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const isRight =
      debtorView.isIdentified || isRightAnswer(questionOf(debtorView, debtorView.invoices).answers, given)
    // An empty field is a slip, not a guess.
    const isCounted = !debtorView.isIdentified && given !== ''
    return { debtorView, isRight, left: isCounted ? await countAnswer(context.tx, code, isRight) : undefined }
  })
  const locale = localeFor(visit, debtorView)
  const link = { ...debtorView, isSandbox: debtorView.coded.environment === 'sandbox' }
  const isClosed = left === null || left === 0 || isClosedByAnswers(debtorView.coded)
  if (isClosed && !debtorView.isIdentified) return sendDebtorPage(reply, 200, closedLinkPage(locale, link))
  if (isRight) {
    if (left !== undefined)
      reply.header('set-cookie', passCookie(pageContext.keyring, code, pageContext.clock.wall()))
    return seeOther(reply, locale.pathTo(page))
  }
  const { question } = questionOf(debtorView, debtorView.invoices)
  const { faults } = gateTexts[locale.language].gate
  const text = left ? faults.wrong[question](left) : faults.empty[question]
  return sendDebtorPage(reply, 400, gatePage(locale, link, question, page, { field: 'answer', text }))
}
