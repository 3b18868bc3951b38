import type { FastifyReply } from 'fastify'
import { judgePayDay, promiseDaysMax } from '../../../domain/recovery/promise.ts'
import { addDays, isRealDate } from '../../../domain/time.ts'
import { ApiError } from '../../../kit/errors.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { field, seeOther } from '../../../kit/http/site.ts'
import { promise } from '../../receivables/invoices/record-promise.ts'
import { confirmAnswer } from './confirm-answer.ts'
import { type Dossier, mayPromise, type ShownInvoice, totalsOf } from './dossier.ts'
import { dateInput, type Fault, faultSummary } from './form-parts.ts'
import { back, layout, sendDebtorPage } from './layout.ts'
import { sumsOf } from './summary.ts'
import type { View } from './view.ts'
import { look, type Visit, viewFor, within } from './visit.ts'

/** As many as a message names. */
const namedMost = 20

type DateFault = keyof View['words']['promise']['faults']

function judge(date: string, today: string): DateFault | null {
  if (date === '') return 'date_missing'
  if (!isRealDate(date)) return 'date_malformed'
  const payDay = judgePayDay(date, today)
  return payDay && (payDay === 'past' ? 'date_past' : 'date_far')
}

function promisePage(view: View, dossier: Dossier, date: string, fault: Fault | null): Html {
  const { promise: words } = view.words
  const open = dossier.invoices.filter(mayPromise)
  const [promised] = open.filter(invoice => invoice.promise !== null)
  const isDone = promised?.promise && fault === null
  const title = isDone ? words.done(view.day(promised.promise!.payOn)) : words.title
  const { today } = dossier
  const last = addDays(today, promiseDaysMax)
  const isSandbox = dossier.coded.environment === 'sandbox'
  if (open.length === 0)
    return layout(view, {
      title: words.title,
      isSandbox,
      body: html`<h1>${words.title}</h1>\n<p>${words.nothing}</p>\n${back(view)}`,
    })
  return layout(view, {
    title,
    isSandbox,
    hasFaults: fault !== null,
    body: html`${faultSummary(view, fault)}<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${words.doneText(promised.dueAt === null ? null : view.dayOf(promised.dueAt, dossier.zone))}</p>
${back(view)}
<h2>${words.change}</h2>`
    : html`<p>${words.intro(sumsOf(view, open), dossier.creditor.name)}</p>
<p class="aside">${words.acknowledges}</p>`
}
<form method="post" action="${view.to('/promise')}" novalidate>
${dateInput(
  {
    field: 'date',
    label: words.field,
    hint: words.hint(view.day(today), view.day(last)),
    value: date,
    min: today,
    max: last,
  },
  fault,
)}
<button>${words.submit}</button>
</form>
${!isDone && back(view)}`,
  })
}

export async function showPromise(visit: Visit): Promise<FastifyReply> {
  const dossier = await look(visit)
  return sendDebtorPage(visit.reply, 200, promisePage(viewFor(visit, dossier), dossier, '', null))
}

/** The sum as the page says it, and where it is of several invoices their numbers. */
function whatFor(open: readonly ShownInvoice[]) {
  const [sum, ...more] = totalsOf(open)
  const numbers = open.map(({ number }) => number)
  return {
    ...(more.length === 0 && { amountCents: sum!.cents }),
    ...(numbers.length > 1 && { numbers: numbers.slice(0, namedMost).join(', ') }),
  }
}

/** For all the message was sent for, since that is the sum on the page. */
export async function takePromise(visit: Visit): Promise<FastifyReply> {
  const date = field(visit.form, 'date').trim()
  const { dossier, because } = await within(visit, async ({ world, dossier }) => {
    const because = judge(date, dossier.today)
    // Said again it is no news.
    const open = dossier.invoices.filter(one => mayPromise(one) && one.promise?.payOn !== date)
    const [first] = open
    if (because === null && first) {
      for (const { id } of open) await promise(world, id, { date })
      await confirmAnswer(world, first.id, 'promise_confirmed', { on: date, ...whatFor(open) })
    }
    return { dossier, because }
  }).catch(async error => {
    // It was paid or stopped in the meantime: the page says so.
    if (error instanceof ApiError && error.status < 500) return { dossier: await look(visit), because: null }
    throw error
  })
  const view = viewFor(visit, dossier)
  if (because === null) return seeOther(visit.reply, view.to('/promise'))
  const fault = { field: 'date', words: view.words.promise.faults[because] }
  return sendDebtorPage(visit.reply, 400, promisePage(view, dossier, date, fault))
}
