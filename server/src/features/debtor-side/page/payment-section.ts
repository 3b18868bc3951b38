import { epcPayload } from '../../../domain/money/epc.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { ibanInGroups } from '../../recovery/messages/compose/texts/layout.ts'
import { shownTelephone } from '../../recovery/messages/compose/texts/template-writer.ts'
import type { DebtorView } from './debtor-view.ts'
import { isolatedText } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { qrCode } from './qr-code.ts'
import type { Transfer } from './transfer.ts'

/** One tap selects all of it. The groups are separated only visually, so that the IBAN is copied without spaces. */
const copiedIban = (iban: string): Html =>
  html`<span class="copied">${ibanInGroups(iban)
    .split(' ')
    .map(group => html`<span class="group">${group}</span><wbr>`)}</span>`

const copiedText = (text: string): Html => html`<span class="copied">${isolatedText(text)}</span>`

/** Folded on a phone, which cannot scan its own screen. */
const foldedCode = (code: Html, texts: PageLocale['texts']['transfer']): Html =>
  html`<figure><input class="unseen" type="checkbox" id="code-shown"><label class="fold" for="code-shown">${texts.showQr}</label><div>${code}<figcaption>${texts.qrCaption}</figcaption></div></figure>`

function byTransfer(
  locale: PageLocale,
  { creditor }: DebtorView,
  { iban, amountCents, reference }: Transfer,
): Html {
  const { transfer: texts } = locale.texts
  const sum = locale.money(amountCents, 'EUR')
  const epc = epcPayload({ name: creditor.accountHolder, iban, amountCents, remittance: reference })
  const { name, telephone, accountHolder } = creditor
  return html`<h3 id="transfer">${texts.title}</h3>
<p class="hint">${texts.intro}</p>
<div class="transfer">
<dl class="sheet">
<div class="row"><dt>${texts.beneficiary}</dt><dd>${copiedText(accountHolder)}</dd></div>
<div class="row"><dt>${texts.iban}</dt><dd class="figures">${copiedIban(iban)}<small>${texts.compare}${
    telephone && html` ${texts.doubt(name)} <a href="tel:${telephone}">${shownTelephone(telephone)}</a>.`
  }</small></dd></div>
<div class="row"><dt>${texts.amount}</dt><dd class="figures">${sum}</dd></div>
<div class="row"><dt>${texts.reference}</dt><dd class="figures">${copiedText(reference)}<small>${texts.referenceHint(name)}</small></dd></div>
</dl>
${epc.allowed && foldedCode(qrCode(epc.payload, texts.qr(name, sum)), texts)}
</div>
<p class="aside">${texts.directly(name)}</p>`
}

/** How to pay, chosen after the decision to pay: by card, by transfer. */
export function paymentSection(
  locale: PageLocale,
  debtorView: DebtorView,
  transfer: Transfer | null,
  hasCard: boolean,
): Html {
  const { actions, pay } = locale.texts
  return html`<section id="pay" aria-labelledby="pay-title" tabindex="-1">
<h2 id="pay-title">${pay.title}</h2>
${hasCard && html`<p class="ways"><a class="button${transfer && ' second'}" href="${locale.pathTo('/card')}">${actions.card}</a></p>`}
${transfer && byTransfer(locale, debtorView, transfer)}
</section>`
}
