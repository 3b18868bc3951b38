import type { FastifyReply } from 'fastify'
import { ApiError } from '../../../kit/errors.ts'
import { line } from '../../../kit/fields.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { readAmount } from '../../receivables/file-rows/amount-cell.ts'
import { disputeInvoice } from '../../receivables/invoices/open-dispute.ts'
import { disputeCategories } from '../../recovery/case/debtor-events.ts'
import { amountsOwed, type DebtorView, isOpen, mayDispute } from './debtor-view.ts'
import { type Fault, faultSummary, radios, sumInput, textArea } from './form-parts.ts'
import { backLink, isolatedText, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { confirmAnswer } from './send-confirmation.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

type DisputeTexts = PageLocale['texts']['dispute']
type Kind = keyof DisputeTexts['kinds']
// Who has already paid does not dispute: that is an answer with a page of its own. A wrong quantity is a wrong amount here.
const kinds = disputeCategories.filter(
  (category): category is Kind => category !== 'already_paid' && category !== 'wrong_quantity',
)
const wordsMaxChars = 400

interface SubmittedDispute {
  invoice: string
  kind: string
  amount: string
  words: string
}

/** Null for what is no sum of the currency; 1.234 alone may mean two sums, and is none. */
function centsOf(typed: string, currency: string): number | null {
  const sum = readAmount(typed, null)
  if (!('value' in sum) || sum.value.cents <= 0) return null
  return sum.value.currencies?.includes(currency) === false ? null : sum.value.cents
}

function findFault(
  { invoice, kind, amount, words }: SubmittedDispute,
  debtorView: DebtorView,
  { texts, money }: PageLocale,
): Fault | null {
  const { faults } = texts.dispute
  const fault = (field: keyof SubmittedDispute, text: string): Fault => ({ field, text })
  const disputed = debtorView.invoices.find(one => one.id === invoice && mayDispute(one))
  if (!disputed) return fault('invoice', faults.invoice_unknown)
  if (!kinds.some(one => one === kind)) return fault('kind', faults.kind_unknown)
  const { currency } = disputed
  const [cents, { balance }] = [centsOf(amount, currency), amountsOwed(disputed)]
  if (amount !== '' && cents === null) return fault('amount', faults.amount_unreadable)
  if (cents !== null && cents > balance) return fault('amount', faults.amount_high(money(balance, currency)))
  if (words === '') return kind === 'other' ? fault('words', faults.words_missing) : null
  if ([...words].length > wordsMaxChars) return fault('words', faults.words_long)
  return line(wordsMaxChars).safeParse(words).success ? null : fault('words', faults.words_characters)
}

/** One notice per disputed invoice, with the messages that could not be stopped. */
function disputeNotices(locale: PageLocale, debtorView: DebtorView): Html[] {
  const { dispute: texts, channels } = locale.texts
  return debtorView.invoices
    .filter(invoice => isOpen(invoice) && invoice.dispute !== null)
    .map(
      ({ number, dispute, currency, inFlight }) => html`<div class="notice">
<p>${texts.doneText(number, debtorView.creditor.name)}</p>
${
  dispute !== null &&
  html`<p><strong>${texts.reason}</strong><br>${isolatedText(dispute.reason)}</p>
<p><strong>${texts.sum}</strong><br>${locale.money(dispute.amountCents, currency)}</p>`
}
${inFlight.length > 0 && html`<p>${texts.inFlight(inFlight.map(channel => channels[channel]).join(', '))}</p>`}
</div>`,
    )
}

function disputeForm(
  locale: PageLocale,
  debtorView: DebtorView,
  submitted: SubmittedDispute,
  fault: Fault | null,
): Html {
  const { dispute: texts, details } = locale.texts
  const open = debtorView.invoices.filter(mayDispute)
  const [only] = open
  const which =
    only && open.length === 1
      ? html`<input type="hidden" name="invoice" value="${only.id}">
<p><strong>${texts.invoice}</strong><br>${details.invoice} ${isolatedText(only.number)}, ${locale.money(amountsOwed(only).total, only.currency)}</p>`
      : radios(
          {
            field: 'invoice',
            legend: texts.invoice,
            chosen: submitted.invoice,
            options: open.map(invoice => ({
              value: invoice.id,
              text: `${invoice.number}, ${locale.money(amountsOwed(invoice).total, invoice.currency)}`,
              isName: true,
            })),
          },
          fault,
        )
  return html`<form method="post" action="${locale.pathTo('/dispute')}" novalidate>
${which}
${radios({ field: 'kind', legend: texts.kind, chosen: submitted.kind, options: kinds.map(kind => ({ value: kind, text: texts.kinds[kind] })) }, fault)}
${sumInput({ field: 'amount', label: texts.amount, hint: texts.amountHint, value: submitted.amount }, fault)}
${textArea({ field: 'words', label: texts.words, hint: texts.wordsHint, value: submitted.words, maxLength: wordsMaxChars }, fault)}
<button>${texts.submit}</button>
</form>`
}

const emptyForm: SubmittedDispute = { invoice: '', kind: '', amount: '', words: '' }

function disputePage(
  locale: PageLocale,
  debtorView: DebtorView,
  submitted: SubmittedDispute,
  fault: Fault | null,
): Html {
  const { dispute: texts } = locale.texts
  const isPossible = debtorView.invoices.some(mayDispute)
  const disputed = fault === null ? disputeNotices(locale, debtorView) : []
  const title = disputed.length > 0 ? texts.done : texts.title
  return layout(locale, {
    title,
    hasFaults: fault !== null,
    isSandbox: debtorView.coded.environment === 'sandbox',
    body: html`${faultSummary(locale, fault)}<h1>${title}</h1>
${
  disputed.length > 0
    ? html`<div role="status">${disputed}</div>
${backLink(locale)}${isPossible && html`<h2>${texts.another}</h2>`}`
    : html`<p>${isPossible ? texts.intro(debtorView.creditor.name) : texts.nothing}</p>`
}
${isPossible && disputeForm(locale, debtorView, submitted, fault)}
${disputed.length === 0 && backLink(locale)}`,
  })
}

export async function getDispute(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(
    visit.reply,
    200,
    disputePage(localeFor(visit, debtorView), debtorView, emptyForm, null),
  )
}

export async function postDispute(visit: Visit): Promise<FastifyReply> {
  const submitted: SubmittedDispute = {
    invoice: field(visit.form, 'invoice'),
    kind: field(visit.form, 'kind'),
    amount: field(visit.form, 'amount').trim(),
    // The operation takes one line: line breaks and tabs become spaces.
    words: field(visit.form, 'words')
      .replaceAll(/[\t\r\n ]+/g, ' ')
      .trim(),
  }
  const { debtorView, fault } = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const locale = localeFor(visit, debtorView)
    const fault = findFault(submitted, debtorView, locale)
    if (fault === null) {
      const { dispute: texts } = locale.texts
      const kind = texts.kinds[submitted.kind as Kind]
      const reason = submitted.words === '' ? kind : texts.reasonWithWords(kind, submitted.words)
      const { currency } = debtorView.invoices.find(({ id }) => id === submitted.invoice)!
      const amountCents = centsOf(submitted.amount, currency) ?? undefined
      const category = submitted.kind as Kind
      await disputeInvoice(context, submitted.invoice, { reason, category, amountCents }, 'page')
      await confirmAnswer(context, submitted.invoice, 'dispute_received')
    }
    return { debtorView, fault }
  }).catch(async error => {
    // It was disputed or paid in the meantime: the page shows that.
    if (error instanceof ApiError && error.status < 500)
      return { debtorView: await loadDebtorView(visit), fault: null }
    throw error
  })
  const locale = localeFor(visit, debtorView)
  if (fault === null) return seeOther(visit.reply, locale.pathTo('/dispute'))
  return sendDebtorPage(visit.reply, 400, disputePage(locale, debtorView, submitted, fault))
}
