import { paragraph } from './block.ts'
import { action, frenchLabels, question, write } from './french-blocks.ts'
import { answeredSum, promisedRows } from './layout.ts'
import type { Answered, Notice, Words } from './notice.ts'

const labels = { ...frenchLabels, overdueSince: 'Échéance', owed: 'Reste dû' }

/** It asks for nothing: the page is where everything can be seen again. */
const seeAgain = (notice: Notice) => ({
  ...action(notice),
  lead: 'Par ce lien, vous pouvez revoir le dossier à tout moment.',
  label: 'Voir le dossier',
})

const day = ({ on }: Answered) => (on === undefined ? '' : frenchLabels.date(on))

const common = { link: seeAgain, data: 'short', labels } as const

export const frenchAnswers: Pick<
  Words['email'],
  'payment_receipt' | 'promise_confirmed' | 'dispute_received'
> = {
  payment_receipt: write({
    ...common,
    subject: said => `votre paiement est bien reçu, facture ${said.reference}`,
    opening: said => `Merci. ${said.creditor} a reçu votre paiement pour la facture suivante :`,
    ask: notice => [
      notice.about && {
        kind: 'facts',
        title: 'Votre paiement :',
        rows: [
          ['Montant', answeredSum(notice.about, notice, 'fr')],
          ['Reçu le', day(notice.about)],
          ['Moyen', 'Carte bancaire'],
        ],
      },
      paragraph(
        notice.invoices[0]!.balanceCents > 0
          ? 'Ce message vaut reçu. Il reste le solde indiqué ci-dessus.'
          : 'Ce message vaut reçu. Plus rien n’est dû pour cette facture, et vous ne recevrez plus de rappel à son sujet.',
      ),
    ],
    after: notice => [question(notice)],
  }),

  promise_confirmed: write({
    ...common,
    subject: said => `la date que vous proposez est notée, facture ${said.reference}`,
    opening: said => `${said.creditor} a bien noté que vous paierez la facture suivante :`,
    ask: notice => [
      notice.about && {
        kind: 'facts',
        title: 'Votre proposition :',
        rows: [
          ['Paiement le', day(notice.about)],
          ...promisedRows(notice.about, notice, labels, { sum: 'Montant', invoices: 'Factures' }),
        ],
      },
      paragraph(
        'Jusque-là, vous ne recevrez pas de rappel. Si cette date ne convient plus, changez-la sur la page du dossier.',
      ),
    ],
    after: notice => [question(notice)],
  }),

  dispute_received: write({
    ...common,
    subject: said => `votre contestation est bien reçue, facture ${said.reference}`,
    opening: said =>
      `${said.creditor} a bien reçu votre contestation. Les rappels sont arrêtés pour la facture suivante :`,
    ask: notice => [
      paragraph(
        `${notice.creditor.name} examine votre demande et vous répondra. Vous n’avez rien à faire d’ici là.`,
      ),
    ],
    after: notice => [question(notice)],
  }),
}
