import type { FastifyReply } from 'fastify'
import { judgePayDay, lastOwnPromiseDay } from '../../../domain/recovery/promise.ts'
import { isRealDate, localTime } from '../../../domain/time.ts'
import { ApiError } from '../../../kit/errors.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { promisePayment } from '../../receivables/invoices/record-promise.ts'
import { type DebtorView, isAsked, isInsolvent, mayPromise, totalsOf } from './debtor-view.ts'
import { dateInput, type Fault, faultSummary } from './form-parts.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { confirmAnswer } from './send-confirmation.ts'
import { sumsOf } from './summary-page.ts'
import type { ShownInvoice } from './view-store.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

/** As many invoice numbers as a message lists. */
const namedMax = 20

type DateFault = keyof PageLocale['texts']['promise']['faults']

/** The invoices a promise on this page covers, and the last day it may name; null: a person has to decide. */
function promisable(debtorView: DebtorView) {
  const { invoices, today, zone } = debtorView
  const open = (isInsolvent(debtorView) ? [] : invoices.filter(mayPromise)).map(invoice => {
    const { made, firstAt } = invoice.ownPromises
    const firstOn = firstAt === null ? null : localTime(zone, firstAt).date
    return { invoice, last: lastOwnPromiseDay({ made, firstOn }, today) }
  })
  const days = open.flatMap(({ last }) => last ?? []).sort()
  return {
    open: open.map(({ invoice }) => invoice),
    movable: open.filter(({ last }) => last !== null).map(({ invoice }) => invoice),
    last: days[0] ?? null,
  }
}

function findDateFault(date: string, today: string, last: string | null): DateFault | null {
  if (last === null) return 'used_up'
  if (date === '') return 'date_missing'
  if (!isRealDate(date)) return 'date_malformed'
  const payDay = judgePayDay(date, today)
  if (payDay === 'past') return 'date_past'
  return payDay === 'too_far' || date > last ? 'date_far' : null
}

function promisePage(locale: PageLocale, debtorView: DebtorView, date: string, fault: Fault | null): Html {
  const { promise: texts } = locale.texts
  const { open, movable, last } = promisable(debtorView)
  const [promised] = open.filter(invoice => invoice.promise !== null)
  const isDone = promised?.promise && fault === null
  const title = isDone ? texts.done(locale.day(promised.promise!.payOn)) : texts.title
  const { today, creditor } = debtorView
  const isSandbox = debtorView.coded.environment === 'sandbox'
  const isTooLate = debtorView.invoices.some(invoice => invoice.isTimeBarred && isAsked(invoice))
  if (open.length === 0)
    return layout(locale, {
      title: texts.title,
      isSandbox,
      body: html`<h1>${texts.title}</h1>\n<p>${isTooLate ? texts.tooLate : texts.nothing}</p>\n${backLink(locale)}`,
    })
  const form = (lastDay: string) => html`<form method="post" action="${locale.pathTo('/promise')}" novalidate>
${dateInput(
  {
    field: 'date',
    label: texts.field,
    hint: texts.hint(locale.day(today), locale.day(lastDay)),
    value: date,
    min: today,
    max: lastDay,
  },
  fault,
)}
<button>${texts.submit}</button>
</form>`
  return layout(locale, {
    title,
    isSandbox,
    hasFaults: fault !== null,
    body: html`${last !== null && faultSummary(locale, fault)}<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${texts.doneText(promised.dueAt === null ? null : locale.dayOf(promised.dueAt, debtorView.zone))}</p>
${backLink(locale)}
${last !== null && html`<h2>${texts.change}</h2>`}`
    : last !== null &&
      html`<p>${texts.intro(sumsOf(locale, movable), creditor.name)}</p>
<p class="aside">${texts.acknowledges}</p>`
}
${last === null ? html`<p${fault && html` role="alert"`}>${texts.usedUp(creditor.name)}</p>` : form(last)}
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
  const further = Math.max(0, numbers.length - namedMax)
  return {
    ...(more.length === 0 && { amountCents: sum!.cents }),
    ...(numbers.length > 1 && {
      numbers: [...numbers.slice(0, namedMax), ...(further > 0 ? [`+ ${further}`] : [])].join(', '),
    }),
  }
}

/** A browser without a date field sends what was typed: `30/11/2026` as well as `2026-11-30`. */
const asIsoDate = (typed: string): string =>
  typed.replace(/^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/, (_, day: string, month: string, year: string) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  )

/** The promise covers all invoices of the message, since that is the sum on the page. */
export async function postPromise(visit: Visit): Promise<FastifyReply> {
  const date = asIsoDate(field(visit.form, 'date').trim())
  const { debtorView, because } = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const { open: all, movable, last } = promisable(debtorView)
    // A repeated promise for the same day changes nothing.
    const isRepeated = all.every(({ promise }) => promise?.payOn === date)
    const because = isRepeated ? null : findDateFault(date, debtorView.today, last)
    const open = movable.filter(({ promise }) => promise?.payOn !== date)
    const [first] = open
    if (because === null && first) {
      for (const { id } of open) await promisePayment(context, id, { date }, 'page')
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
