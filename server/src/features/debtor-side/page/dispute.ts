import type { FastifyReply } from 'fastify'
import { ApiError } from '../../../kit/errors.ts'
import { line } from '../../../kit/fields.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { field, seeOther } from '../../../kit/http/site.ts'
import { dispute } from '../../receivables/invoices/open-dispute.ts'
import { confirmAnswer } from './confirm-answer.ts'
import { type Dossier, mayDispute, owedOf } from './dossier.ts'
import { type Fault, faultSummary, radios, textArea } from './form-parts.ts'
import { back, layout, name, sendDebtorPage } from './layout.ts'
import type { View } from './view.ts'
import { look, type Visit, viewFor, within } from './visit.ts'

type Words = View['words']['dispute']
type Kind = keyof Words['kinds']
const kinds: readonly Kind[] = [
  'not_received',
  'not_as_agreed',
  'wrong_amount',
  'already_paid',
  'not_owed',
  'other',
]
const wordsMost = 400

interface Said {
  invoice: string
  kind: string
  words: string
}

const ofAll = ({ invoices, others }: Dossier) => [...invoices, ...others]

function judge({ invoice, kind, words }: Said, dossier: Dossier): [keyof Said, keyof Words['faults']] | null {
  if (!ofAll(dossier).some(one => one.id === invoice && mayDispute(one)))
    return ['invoice', 'invoice_unknown']
  if (!kinds.some(one => one === kind)) return ['kind', 'kind_unknown']
  if (words === '') return kind === 'other' ? ['words', 'words_missing'] : null
  if ([...words].length > wordsMost) return ['words', 'words_long']
  return line(wordsMost).safeParse(words).success ? null : ['words', 'words_characters']
}

/** What was disputed, and what was on its way when it was. */
function done(view: View, dossier: Dossier): Html[] {
  const { dispute: words, channels } = view.words
  return ofAll(dossier)
    .filter(({ status }) => status === 'disputed')
    .map(
      ({ number, dispute: reason, inFlight }) => html`<div class="notice">
<p>${words.doneText(number, dossier.creditor.name)}</p>
${reason !== null && html`<p><strong>${words.reason}</strong><br>${name(reason)}</p>`}
${inFlight.length > 0 && html`<p>${words.inFlight(inFlight.map(channel => channels[channel]).join(', '))}</p>`}
</div>`,
    )
}

function form(view: View, dossier: Dossier, said: Said, fault: Fault | null): Html {
  const { dispute: words, details } = view.words
  const open = ofAll(dossier).filter(mayDispute)
  const [only] = open
  const which =
    only && open.length === 1
      ? html`<input type="hidden" name="invoice" value="${only.id}">
<p><strong>${words.invoice}</strong><br>${details.invoice} ${name(only.number)}, ${view.money(owedOf(only).total, only.currency)}</p>`
      : radios(
          {
            field: 'invoice',
            legend: words.invoice,
            chosen: said.invoice,
            options: open.map(invoice => ({
              value: invoice.id,
              text: `${invoice.number}, ${view.money(owedOf(invoice).total, invoice.currency)}`,
              isName: true,
            })),
          },
          fault,
        )
  return html`<form method="post" action="${view.to('/dispute')}" novalidate>
${which}
${radios({ field: 'kind', legend: words.kind, chosen: said.kind, options: kinds.map(kind => ({ value: kind, text: words.kinds[kind] })) }, fault)}
${textArea({ field: 'words', label: words.words, hint: words.wordsHint, value: said.words, most: wordsMost }, fault)}
<button>${words.submit}</button>
</form>`
}

const nothingSaid: Said = { invoice: '', kind: '', words: '' }

function disputePage(view: View, dossier: Dossier, said: Said, fault: Fault | null): Html {
  const { dispute: words } = view.words
  const isPossible = ofAll(dossier).some(mayDispute)
  const disputed = fault === null ? done(view, dossier) : []
  const title = disputed.length > 0 ? words.done : words.title
  return layout(view, {
    title,
    hasFaults: fault !== null,
    isSandbox: dossier.coded.environment === 'sandbox',
    body: html`${faultSummary(view, fault)}<h1>${title}</h1>
${
  disputed.length > 0
    ? html`<div role="status">${disputed}</div>
${back(view)}${isPossible && html`<h2>${words.another}</h2>`}`
    : html`<p>${isPossible ? words.intro(dossier.creditor.name) : words.nothing}</p>`
}
${isPossible && form(view, dossier, said, fault)}
${disputed.length === 0 && back(view)}`,
  })
}

export async function showDispute(visit: Visit): Promise<FastifyReply> {
  const dossier = await look(visit)
  return sendDebtorPage(visit.reply, 200, disputePage(viewFor(visit, dossier), dossier, nothingSaid, null))
}

export async function takeDispute(visit: Visit): Promise<FastifyReply> {
  const said: Said = {
    invoice: field(visit.form, 'invoice'),
    kind: field(visit.form, 'kind'),
    // One line, as the operation wants it; of what a person types only breaks and tabs become spaces.
    words: field(visit.form, 'words')
      .replaceAll(/[\t\r\n ]+/g, ' ')
      .trim(),
  }
  const { dossier, because } = await within(visit, async ({ world, dossier }) => {
    const because = judge(said, dossier)
    if (because === null) {
      const { dispute: words } = viewFor(visit, dossier).words
      const kind = words.kinds[said.kind as Kind]
      await dispute(world, said.invoice, { reason: said.words === '' ? kind : words.said(kind, said.words) })
      await confirmAnswer(world, said.invoice, 'dispute_received')
    }
    return { dossier, because }
  }).catch(async error => {
    // It was disputed or paid a moment ago: the page says so.
    if (error instanceof ApiError && error.status < 500) return { dossier: await look(visit), because: null }
    throw error
  })
  const view = viewFor(visit, dossier)
  if (because === null) return seeOther(visit.reply, view.to('/dispute'))
  const [where, code] = because
  const fault = { field: where, words: view.words.dispute.faults[code] }
  return sendDebtorPage(visit.reply, 400, disputePage(view, dossier, said, fault))
}
