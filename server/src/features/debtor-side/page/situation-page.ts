import type { FastifyReply } from 'fastify'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { enqueueReplyCopy } from '../../platform/account-mail/reply-copy.ts'
import { recordReply } from '../../recovery/holds/record-reply.ts'
import { aboutMessage } from '../../recovery/receipts/record-receipt.ts'
import { type DebtorView, isOpen } from './debtor-view.ts'
import { type Fault, faultSummary, radios } from './form-parts.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

type Kind = keyof PageLocale['texts']['situation']['kinds']

const kinds: Record<Kind, true> = {
  insolvency: true,
  deceased: true,
  identity_theft: true,
  protected_person: true,
}

const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text)
const isAsked = ({ invoices }: DebtorView) => invoices.some(isOpen)
const isHeld = ({ invoices }: DebtorView) => invoices.some(({ holds }) => holds.includes('situation'))

function situationPage(locale: PageLocale, debtorView: DebtorView, fault: Fault | null): Html {
  const { situation: texts } = locale.texts
  const { creditor, coded } = debtorView
  const isPossible = isAsked(debtorView)
  const isDone = fault === null && isHeld(debtorView)
  const title = isDone ? texts.done : texts.title
  const options = (Object.keys(kinds) as Kind[]).map(kind => ({ value: kind, text: texts.kinds[kind] }))
  return layout(locale, {
    title,
    hasFaults: fault !== null,
    isSandbox: coded.environment === 'sandbox',
    body: html`${faultSummary(locale, fault)}<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${texts.doneText(creditor.name)}</p>
${isPossible && html`<h2>${texts.another}</h2>`}`
    : html`<p>${isPossible ? texts.intro(creditor.name) : texts.nothing}</p>`
}
${
  isPossible &&
  html`<form method="post" action="${locale.pathTo('/situation')}" novalidate>
${radios({ field: 'kind', legend: texts.kind, chosen: '', options }, fault)}
<button>${texts.submit}</button>
</form>`
}
${backLink(locale)}`,
  })
}

export async function getSituation(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(visit.reply, 200, situationPage(localeFor(visit, debtorView), debtorView, null))
}

/**
 * The debtor's statement holds every reminder until the creditor has decided what it means, and the creditor gets a mail. It is
 * not verified, so it records no insolvency; the creditor does that once they know the proceedings and their day.
 */
export async function postSituation(visit: Visit): Promise<FastifyReply> {
  const kind = field(visit.form, 'kind')
  const debtorView = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    if (isKind(kind) && isAsked(debtorView)) await saySituation(visit, context, debtorView, kind)
    return debtorView
  })
  const locale = localeFor(visit, debtorView)
  if (isKind(kind)) return seeOther(visit.reply, locale.pathTo('/situation'))
  const fault = { field: 'kind', text: locale.texts.situation.faults.kind_unknown }
  return sendDebtorPage(visit.reply, 400, situationPage(locale, debtorView, fault))
}

async function saySituation(
  visit: Visit,
  context: Parameters<typeof recordReply>[0],
  debtorView: DebtorView,
  kind: Kind,
): Promise<void> {
  const { coded, channel, debtor } = debtorView
  const communicationId = coded.communication_id
  const about = await aboutMessage(context, communicationId)
  if (!about) return
  const reply = { debtorId: coded.debtor_id, communicationId, channel, receivedAt: context.now, about }
  const { isNew } = await recordReply(context, { ...reply, said: kind })
  if (!isNew) return
  // Only we received the reply, so the creditor gets a copy; a sandbox has no real debtor who waits for an answer.
  if (coded.environment === 'sandbox') return
  const { keyring } = visit.pageContext
  const { wall, newId } = context
  const { situation } = localeFor(visit, debtorView).texts
  await enqueueReplyCopy(
    context.tx.rows,
    { id: newId(), tenantId: coded.tenant_id, keyring, wall },
    {
      from: debtor.email,
      subject: '',
      text: `${debtor.name}, ${about.invoiceNumber}\n${situation.kinds[kind]}`,
    },
  )
}
