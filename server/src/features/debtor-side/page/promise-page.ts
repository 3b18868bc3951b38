import type { FastifyReply } from 'fastify'
import { judgePayDay, promiseDaysMax } from '../../../domain/recovery/promise.ts'
import { addDays, isRealDate } from '../../../domain/time.ts'
import { ApiError } from '../../../kit/errors.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { promisePayment } from '../../receivables/invoices/record-promise.ts'
import { type DebtorView, mayPromise, type ShownInvoice, totalsOf } from './debtor-view.ts'
import { dateInput, type Fault, faultSummary } from './form-parts.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { confirmAnswer } from './send-confirmation.ts'
import { sumsOf } from './summary-page.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

/** As many invoice numbers as a message lists. */
const namedMax = 20

type DateFault = keyof PageLocale['texts']['promise']['faults']

function findDateFault(date: string, today: string): DateFault | null {
  if (date === '') return 'date_missing'
  if (!isRealDate(date)) return 'date_malformed'
  const payDay = judgePayDay(date, today)
  return payDay && (payDay === 'past' ? 'date_past' : 'date_far')
}

function promisePage(locale: PageLocale, debtorView: DebtorView, date: string, fault: Fault | null): Html {
  const { promise: texts } = locale.texts
  const open = debtorView.invoices.filter(mayPromise)
  const [promised] = open.filter(invoice => invoice.promise !== null)
  const isDone = promised?.promise && fault === null
  const title = isDone ? texts.done(locale.day(promised.promise!.payOn)) : texts.title
  const { today } = debtorView
  const last = addDays(today, promiseDaysMax)
  const isSandbox = debtorView.coded.environment === 'sandbox'
  if (open.length === 0)
    return layout(locale, {
      title: texts.title,
      isSandbox,
      body: html`<h1>${texts.title}</h1>\n<p>${texts.nothing}</p>\n${backLink(locale)}`,
    })
  return layout(locale, {
    title,
    isSandbox,
    hasFaults: fault !== null,
    body: html`${faultSummary(locale, fault)}<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${texts.doneText(promised.dueAt === null ? null : locale.dayOf(promised.dueAt, debtorView.zone))}</p>
${backLink(locale)}
<h2>${texts.change}</h2>`
    : html`<p>${texts.intro(sumsOf(locale, open), debtorView.creditor.name)}</p>
<p class="aside">${texts.acknowledges}</p>`
}
<form method="post" action="${locale.pathTo('/promise')}" novalidate>
${dateInput(
  {
    field: 'date',
    label: texts.field,
    hint: texts.hint(locale.day(today), locale.day(last)),
    value: date,
    min: today,
    max: last,
  },
  fault,
)}
<button>${texts.submit}</button>
</form>
${!isDone && backLink(locale)}`,
  })
}

export async function getPromise(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(visit.reply, 200, promisePage(localeFor(visit, debtorView), debtorView, '', null))
}

/** The promised sum, and the invoice numbers if there are several. */
function promisedSum(open: readonly ShownInvoice[]) {
  const [sum, ...more] = totalsOf(open)
  const numbers = open.map(({ number }) => number)
  return {
    ...(more.length === 0 && { amountCents: sum!.cents }),
    ...(numbers.length > 1 && { numbers: numbers.slice(0, namedMax).join(', ') }),
  }
}

/** The promise covers all invoices of the message, since that is the sum on the page. */
export async function postPromise(visit: Visit): Promise<FastifyReply> {
  const date = field(visit.form, 'date').trim()
  const { debtorView, because } = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const because = findDateFault(date, debtorView.today)
    // A repeated promise for the same day changes nothing.
    const open = debtorView.invoices.filter(one => mayPromise(one) && one.promise?.payOn !== date)
    const [first] = open
    if (because === null && first) {
      for (const { id } of open) await promisePayment(context, id, { date })
      await confirmAnswer(context, first.id, 'promise_confirmed', { on: date, ...promisedSum(open) })
    }
    return { debtorView, because }
  }).catch(async error => {
    // It was paid or stopped in the meantime: the page shows that.
    if (error instanceof ApiError && error.status < 500)
      return { debtorView: await loadDebtorView(visit), because: null }
    throw error
  })
  const locale = localeFor(visit, debtorView)
  if (because === null) return seeOther(visit.reply, locale.pathTo('/promise'))
  const fault = { field: 'date', text: locale.texts.promise.faults[because] }
  return sendDebtorPage(visit.reply, 400, promisePage(locale, debtorView, date, fault))
}
