import type { PaymentInstrument, PaymentMethod } from '../../../../../domain/money/payment-state.ts'
import type { Answer } from '../../../../../domain/recovery/cascade.ts'
import { type Block, paragraph, type Row } from './block.ts'
import {
  frenchLabels,
  linkBlock,
  mediatorBlock,
  paymentBlock,
  questionBlock,
  weOr,
  writeTemplate,
} from './french-blocks.ts'
import { accessoriesSum, answerSum, appliedParts, owedSum, partsTable, promisedRows } from './layout.ts'
import {
  type AnswerFacts,
  amountToPay,
  isReceipt,
  type LanguageTexts,
  type MessageContent,
  type ReceiptFacts,
  stillOwed,
  type Template,
} from './message-content.ts'
import type { By } from './template-writer.ts'
import { fr, paidSum, withDe } from './typography.ts'

const labels = { ...frenchLabels, overdueSince: 'Échéance', toPay: () => 'Reste à payer' }

/** An answer asks for nothing; its link only leads to the page of the file. */
const fileLinkBlock = (content: MessageContent) => ({
  ...linkBlock(content),
  lead: 'Vous pouvez revoir le dossier en ligne.',
  label: 'Voir le dossier',
})

/** What follows a decision that leaves something to pay: other reasons may still hold the reminders. */
const remindersAgain = 'Les rappels peuvent reprendre.'

const day = ({ on }: AnswerFacts) => (on === undefined ? '' : frenchLabels.date(on))

/** Past the time bar and in proceedings nothing is asked any more, so no sum is named. */
function resolvedTooLate(
  content: MessageContent,
  outcome: NonNullable<AnswerFacts['outcome']>,
  reason: readonly string[],
): string[] {
  switch (outcome) {
    case 'rejected':
      return ['Votre contestation n’a pas été retenue.', ...reason]
    case 'partly':
      return [`Votre contestation est acceptée pour ${answerSum(content.about!, content, 'fr')}.`, ...reason]
    case 'upheld':
      return ['Votre contestation est acceptée. Les rappels de cette facture sont arrêtés.']
    case 'resumed':
      return [fr`Les rappels de cette facture avaient été arrêtés après votre contestation.`]
  }
}

function resolved(content: MessageContent): string[] {
  const outcome = content.about?.outcome ?? 'rejected'
  const answer = content.about?.answer
  const reason = answer === undefined ? [] : [fr`Motif : ${answer}`]
  if (content.isNothingAsked) return resolvedTooLate(content, outcome, reason)
  switch (outcome) {
    case 'rejected':
      return [
        weOr(content, 'Nous maintenons la facture.', creditor => `${creditor} maintient la facture.`),
        ...reason,
        remindersAgain,
      ]
    case 'partly': {
      const isOpen = content.invoices[0]!.balanceCents > 0
      const left = isOpen ? `Il reste à payer ${amountToPay(content, 'fr')}.` : 'Plus rien n’est à payer.'
      return [
        `Votre contestation est acceptée pour ${answerSum(content.about!, content, 'fr')}. ${left}`,
        ...reason,
        ...(isOpen ? [remindersAgain] : []),
      ]
    }
    case 'upheld':
      return ['Votre contestation est acceptée. Les rappels de cette facture sont arrêtés.']
    case 'resumed':
      return [
        fr`Les rappels de cette facture avaient été arrêtés après votre contestation. Cette facture vous est de nouveau réclamée : il reste à payer ${amountToPay(content, 'fr')}.`,
        'Si vous n’êtes pas d’accord, dites-le sur la page du dossier.',
      ]
  }
}

/** A promise on several invoices names them. */
const isSeveral = ({ about }: MessageContent) => about?.numbers !== undefined

/** Nothing is asked of somebody who was right. */
const answerHeadline = ({ about }: MessageContent): Row | undefined =>
  about?.outcome === 'upheld' ? ['Votre contestation', 'acceptée'] : undefined

const common = { link: fileLinkBlock, data: 'short', labels } as const

const means: Record<PaymentMethod | PaymentInstrument, string> = {
  cheque: 'chèque',
  card: 'carte',
  bank_transfer: 'virement',
  sepa_debit: 'prélèvement',
  payment_link: 'paiement en ligne',
}

/** The receipt of a collector: art. R124-6 C. pr. civ. d'exécution. */
const quittance = (about: AnswerFacts & ReceiptFacts, content: MessageContent): Block[] =>
  [
    paragraph(
      fr`Quittance. Reçu le ${day(about)} : ${answerSum(about, content, 'fr')}, par ${means[about.instrument ?? about.method]}. Imputé : ${appliedParts(about, content, 'fr', { principal: 'principal', indemnity: 'indemnité', interest: 'intérêts', overpaid: 'trop-perçu' })}.${content.isNothingAsked ? '' : fr` Reste dû : ${owedSum(about, content, 'fr')}.`}`,
    ),
    partsTable(about, content, 'fr', {
      title: fr`Votre paiement, par facture :`,
      row: (sum, owed) => (owed === null ? fr`${sum}, facture soldée` : fr`${sum}, reste dû : ${owed}`),
    }),
    ...(about.owedCents > 0
      ? []
      : [
          paragraph(
            about.parts
              ? fr`Plus rien n’est dû pour ces factures, et vous ne recevrez plus de rappel à leur sujet.`
              : fr`Plus rien n’est dû pour cette facture, et vous ne recevrez plus de rappel à son sujet.`,
          ),
        ]),
  ].filter(block => block !== null)

const receiptIs: Record<By, string> = { email: 'Ce message vaut reçu', lrar: 'Cette lettre vaut reçu' }

const plainReceipt = (content: MessageContent, by: By): Block =>
  paragraph(
    content.isNothingAsked
      ? `${receiptIs[by]}.`
      : content.invoices[0]!.balanceCents > 0
        ? `${receiptIs[by]}. Il reste à payer ${amountToPay(content, 'fr')}.`
        : (content.invoices[0]!.accessoriesCents ?? 0) > 0
          ? fr`${receiptIs[by]}. La facture est payée. Restent réclamés l’indemnité forfaitaire et les intérêts de retard : ${accessoriesSum(content, 'fr')}.`
          : `${receiptIs[by]}. Plus rien n’est dû pour cette facture, et vous ne recevrez plus de rappel à son sujet.`,
  )

/** On paper it goes to a debtor of a collector who gets no emails. */
export const paymentReceipt = (by: By): Template =>
  writeTemplate({
    ...common,
    by,
    subject: values =>
      values.isCollected
        ? `quittance de votre paiement, facture ${values.reference}${values.isSumForSeveral ? ' et autres' : ''}`
        : `votre paiement est bien reçu, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`Merci. ${values.creditor} a reçu votre paiement pour ${values.isSumForSeveral ? 'plusieurs factures, dont' : 'la facture suivante'} :`
        : fr`Merci. Nous avons reçu votre paiement pour la facture suivante :`,
    headline: content =>
      content.about
        ? [
            `${content.collector ? 'Paiement' : 'Paiement en ligne'} reçu le ${day(content.about)}`,
            paidSum(answerSum(content.about, content, 'fr')),
          ]
        : undefined,
    ask: content => [
      ...(isReceipt(content.about) ? quittance(content.about, content) : [plainReceipt(content, by)]),
      stillOwed(content) > 0 ? paymentBlock(content) : null,
    ],
    after: content => [questionBlock(content, by)],
  })

export const frenchAnswers: Pick<LanguageTexts['email'], Answer> = {
  payment_receipt: paymentReceipt('email'),

  promise_confirmed: writeTemplate({
    ...common,
    subject: values => `paiement prévu, facture ${values.reference}`,
    opening: () => fr`C’est noté : vous prévoyez un paiement.`,
    ask: content => [
      content.about && {
        kind: 'facts',
        title: fr`Ce que vous avez annoncé :`,
        rows: [
          ['Paiement prévu le', day(content.about)],
          ...promisedRows(content.about, content, labels, { sum: 'Montant', invoices: 'Factures' }),
        ],
      },
      paragraph(
        `D’ici là, vous ne recevrez pas de rappel pour ${isSeveral(content) ? 'ces factures' : 'cette facture'}. Si cette date ne convient plus, la page du dossier dit comment la changer.`,
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  dispute_received: writeTemplate({
    ...common,
    // What is disputed is not asked for.
    labels: { ...labels, balanceOnly: 'Solde de la facture' },
    subject: values => `votre contestation est bien reçue, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`${values.creditor} a bien reçu votre contestation. Les rappels sont arrêtés pour la facture suivante :`
        : fr`Nous avons bien reçu votre contestation. Les rappels sont arrêtés pour la facture suivante :`,
    ask: content => [
      paragraph(
        `${weOr(content, 'Notre décision', creditor => `La décision ${withDe(creditor)}`)} sera affichée sur la page du dossier et vous sera envoyée par e-mail. D’ici là, vous n’avez rien à faire.`,
      ),
    ],
    after: content => [mediatorBlock(content), questionBlock(content)],
  }),

  dispute_resolved: writeTemplate({
    ...common,
    subject: values => `réponse à votre contestation, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`${values.creditor} a examiné votre contestation de la facture suivante :`
        : fr`Nous avons examiné votre contestation de la facture suivante :`,
    headline: answerHeadline,
    ask: content => resolved(content).map(paragraph),
    after: content => [
      content.about?.outcome === 'upheld' ? null : mediatorBlock(content, true),
      questionBlock(content),
    ],
  }),

  situation_checked: writeTemplate({
    ...common,
    subject: values => `réponse à votre signalement, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`${values.creditor} a vérifié ce que vous aviez signalé, au sujet de la facture suivante :`
        : fr`Nous avons vérifié ce que vous aviez signalé, au sujet de la facture suivante :`,
    ask: ({ creditor, isNothingAsked }) => [
      paragraph(
        `Cela n’a pas pu être confirmé${isNothingAsked ? '' : ', et les rappels peuvent reprendre'}. Si c’est une erreur, signalez-le à nouveau sur la page du dossier ou envoyez un justificatif à ${creditor.replyEmail}.${isNothingAsked ? '' : ' Un nouveau signalement arrête les rappels.'}`,
      ),
    ],
    after: content => [mediatorBlock(content, true), questionBlock(content)],
  }),

  reply_answered: writeTemplate({
    ...common,
    // Who wrote may not owe it.
    labels: { ...labels, toPay: () => 'Solde' },
    subject: values => `réponse à votre message, facture ${values.reference}`,
    isSubjectFixed: true,
    opening: values =>
      values.isCollected
        ? fr`${values.creditor} répond à votre message au sujet de la facture suivante :`
        : fr`Nous répondons à votre message au sujet de la facture suivante :`,
    ask: content => (content.written?.paragraphs ?? []).map(paragraph),
    after: content => [mediatorBlock(content, true), questionBlock(content)],
  }),
}
