import { epcPayload } from '../../../domain/money/epc.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { ibanInGroups } from '../../recovery/messages/texts/layout.ts'
import { type Dossier, isOpen, owedOf, type ShownInvoice } from './dossier.ts'
import { name } from './layout.ts'
import { qrCode } from './qr-code.ts'
import type { View } from './view.ts'

interface Transfer {
  iban: string
  amountCents: number
  reference: string
}

/** More would not be read by anybody, and banks carry 140 characters. */
const referenceMost = 140

function referenceOf(invoices: readonly ShownInvoice[]): string {
  const numbers = invoices.map(({ number }) => number)
  const all = numbers.join(' ')
  return all.length <= referenceMost ? all : numbers[0]!
}

/** What of the message can be paid by transfer: in euros, to an account we know. What is disputed is not asked for. */
export function transferOf({ creditor, invoices }: Dossier): Transfer | null {
  const payable = invoices.filter(
    invoice => isOpen(invoice) && invoice.currency === 'EUR' && owedOf(invoice).total > 0,
  )
  const agreed = payable.filter(({ status }) => status !== 'disputed')
  const paid = agreed.length > 0 ? agreed : payable
  if (creditor.iban === null || paid.length === 0) return null
  return {
    iban: creditor.iban,
    amountCents: paid.reduce((sum, invoice) => sum + owedOf(invoice).total, 0),
    reference: referenceOf(paid),
  }
}

export function transferSection(
  view: View,
  { creditor }: Dossier,
  { iban, amountCents, reference }: Transfer,
): Html {
  const { transfer: words } = view.words
  const sum = view.money(amountCents, 'EUR')
  const epc = epcPayload({ name: creditor.name, iban, amountCents, remittance: reference })
  return html`<section id="transfer" aria-labelledby="transfer-title" tabindex="-1">
<h2 id="transfer-title">${words.title}</h2>
<p>${words.intro}</p>
<div class="transfer">
<dl class="sheet">
<div class="row"><dt>${words.beneficiary}</dt><dd>${name(creditor.name)}</dd></div>
<div class="row"><dt>${words.iban}</dt><dd class="figures">${ibanInGroups(iban)}</dd></div>
<div class="row"><dt>${words.amount}</dt><dd class="figures">${sum}</dd></div>
<div class="row"><dt>${words.reference}</dt><dd class="figures">${name(reference)}<small>${words.referenceHint}</small></dd></div>
</dl>
${epc.allowed && html`<figure>${qrCode(epc.payload, words.qr(creditor.name, sum))}<figcaption>${words.qrCaption}</figcaption></figure>`}
</div>
<p class="aside">${words.directly(creditor.name)}</p>
</section>`
}
