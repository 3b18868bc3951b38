import { epcPayload } from '../../../domain/money/epc.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { ibanInGroups } from '../../recovery/messages/texts/layout.ts'
import { amountsOwed, type DebtorView, isOpen, type ShownInvoice } from './debtor-view.ts'
import { isolatedText } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { qrCode } from './qr-code.ts'

interface Transfer {
  iban: string
  amountCents: number
  reference: string
}

/** The longest remittance text of a bank transfer. */
const referenceMaxChars = 140

function referenceOf(invoices: readonly ShownInvoice[]): string {
  const numbers = invoices.map(({ number }) => number)
  const all = numbers.join(' ')
  return all.length <= referenceMaxChars ? all : numbers[0]!
}

/** What can be paid by transfer: open invoices in euros, to a known IBAN. Disputed invoices count only if all are disputed. */
export function transferOf({ creditor, invoices }: DebtorView): Transfer | null {
  const payable = invoices.filter(
    invoice => isOpen(invoice) && invoice.currency === 'EUR' && amountsOwed(invoice).total > 0,
  )
  const undisputed = payable.filter(({ status }) => status !== 'disputed')
  const paid = undisputed.length > 0 ? undisputed : payable
  if (creditor.iban === null || creditor.isClosed || paid.length === 0) return null
  return {
    iban: creditor.iban,
    amountCents: paid.reduce((sum, invoice) => sum + amountsOwed(invoice).total, 0),
    reference: referenceOf(paid),
  }
}

export function transferSection(
  locale: PageLocale,
  { creditor }: DebtorView,
  { iban, amountCents, reference }: Transfer,
): Html {
  const { transfer: texts } = locale.texts
  const sum = locale.money(amountCents, 'EUR')
  const epc = epcPayload({ name: creditor.accountHolder, iban, amountCents, remittance: reference })
  return html`<section id="transfer" aria-labelledby="transfer-title" tabindex="-1">
<h2 id="transfer-title">${texts.title}</h2>
<p>${texts.intro}</p>
<div class="transfer">
<dl class="sheet">
<div class="row"><dt>${texts.beneficiary}</dt><dd>${isolatedText(creditor.accountHolder)}</dd></div>
<div class="row"><dt>${texts.iban}</dt><dd class="figures">${ibanInGroups(iban)}</dd></div>
<div class="row"><dt>${texts.amount}</dt><dd class="figures">${sum}</dd></div>
<div class="row"><dt>${texts.reference}</dt><dd class="figures">${isolatedText(reference)}<small>${texts.referenceHint(creditor.name)}</small></dd></div>
</dl>
${epc.allowed && html`<figure>${qrCode(epc.payload, texts.qr(creditor.name, sum))}<figcaption>${texts.qrCaption}</figcaption></figure>`}
</div>
<p class="aside">${texts.directly(creditor.name)}</p>
</section>`
}
