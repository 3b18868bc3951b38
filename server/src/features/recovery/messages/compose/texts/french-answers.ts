import { paragraph } from './block.ts'
import {
  frenchLabels,
  linkBlock,
  mediatorBlock,
  questionBlock,
  weOr,
  writeTemplate,
} from './french-blocks.ts'
import { accessoriesSum, answerSum, promisedRows } from './layout.ts'
import { type AnswerFacts, amountToPay, type LanguageTexts, type MessageContent } from './message-content.ts'
import { fr, paidSum } from './typography.ts'

const labels = { ...frenchLabels, overdueSince: 'Échéance', toPay: () => 'Reste à payer' }

/** An answer asks for nothing; its link only leads to the page of the file. */
const fileLinkBlock = (content: MessageContent) => ({
  ...linkBlock(content),
  lead: 'Vous pouvez revoir le dossier à tout moment.',
  label: 'Voir le dossier',
})

const day = ({ on }: AnswerFacts) => (on === undefined ? '' : frenchLabels.date(on))

const resolved = {
  rejected: fr`Votre contestation n’a pas été retenue : la facture est maintenue, et son suivi reprend.`,
  partly: 'Votre contestation a été retenue en partie. Le suivi reprend pour la somme indiquée ci-dessus.',
  upheld: 'Votre contestation a été retenue. Les rappels de cette facture restent arrêtés.',
}

const common = { link: fileLinkBlock, data: 'short', labels } as const

export const frenchAnswers: Pick<
  LanguageTexts['email'],
  'payment_receipt' | 'promise_confirmed' | 'dispute_received' | 'dispute_resolved'
> = {
  payment_receipt: writeTemplate({
    ...common,
    subject: values => `votre paiement est bien reçu, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`Merci. ${values.creditor} a reçu votre paiement pour la facture suivante :`
        : fr`Merci. Nous avons reçu votre paiement pour la facture suivante :`,
    headline: content =>
      content.about
        ? [
            `Paiement en ligne reçu le ${day(content.about)}`,
            paidSum(answerSum(content.about, content, 'fr')),
          ]
        : undefined,
    ask: content => [
      paragraph(
        content.invoices[0]!.balanceCents > 0
          ? `Ce message vaut reçu. Il reste à payer ${amountToPay(content, 'fr')}.`
          : (content.invoices[0]!.accessoriesCents ?? 0) > 0
            ? fr`Ce message vaut reçu. La facture est payée. Restent réclamés l’indemnité forfaitaire et les intérêts de retard : ${accessoriesSum(content, 'fr')}.`
            : 'Ce message vaut reçu. Plus rien n’est dû pour cette facture, et vous ne recevrez plus de rappel à son sujet.',
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  promise_confirmed: writeTemplate({
    ...common,
    subject: values => `paiement prévu, facture ${values.reference}`,
    opening: () => fr`C’est noté : vous prévoyez de payer la facture suivante.`,
    ask: content => [
      content.about && {
        kind: 'facts',
        title: fr`Votre proposition :`,
        rows: [
          ['Paiement prévu le', day(content.about)],
          ...promisedRows(content.about, content, labels, { sum: 'Montant', invoices: 'Factures' }),
        ],
      },
      paragraph(
        'Jusque-là, vous ne recevrez pas de rappel. Si cette date ne convient plus, changez-la sur la page du dossier.',
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  dispute_received: writeTemplate({
    ...common,
    subject: values => `votre contestation est bien reçue, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`${values.creditor} a bien reçu votre contestation. Les rappels sont arrêtés pour la facture suivante :`
        : fr`Nous avons bien reçu votre contestation. Les rappels sont arrêtés pour la facture suivante :`,
    ask: content => [
      paragraph(
        `${weOr(content, 'Nous examinons votre demande et vous répondrons.', creditor => `${creditor} examine votre demande et vous répondra.`)} D’ici là, vous n’avez rien à faire.`,
      ),
    ],
    after: content => [mediatorBlock(content), questionBlock(content)],
  }),

  dispute_resolved: writeTemplate({
    ...common,
    subject: values => `réponse à votre contestation, facture ${values.reference}`,
    opening: values => fr`${values.creditor} a examiné votre contestation de la facture suivante :`,
    ask: content => [paragraph(resolved[content.about?.outcome ?? 'rejected'])],
    after: content => [
      content.about?.outcome === 'upheld' ? null : mediatorBlock(content),
      questionBlock(content),
    ],
  }),
}
