import { type Block, paragraph } from './block.ts'
import type { StatementTexts } from './late-payment-statement.ts'
import { ibanInGroups, type Labels } from './layout.ts'
import {
  amountToPay,
  type Counted,
  invoiceCountOf,
  type MessageContent,
  referencesOf,
  singularOrPlural,
  sumOf,
  type TemplateValues,
  transferReference,
} from './message-content.ts'
import { partyOnOneLine, templateWriter } from './template-writer.ts'

export const frenchLabels: Labels = {
  language: 'fr',
  date: date => date.split('-').reverse().join('/'),
  invoice: 'Facture',
  issuedOn: 'Émise le',
  overdueSince: 'Échue le',
  dueOn: 'Échéance',
  owed: 'Reste dû',
  owedBefore: 'Reste dû, hors intérêts et indemnité',
  total: sum => `Total : ${sum}`,
  totalBefore: sum => `Total, hors intérêts et indemnité : ${sum}`,
  furtherInvoices: (count, sum) =>
    count === 1 ? `et une autre, ${sum}` : `et ${count} autres, ${sum} en tout`,
  alsoOpen: count =>
    count === 1
      ? 'Pour information, une autre facture est ouverte ; ce message ne porte pas sur elle :'
      : `Pour information, ${count} autres factures sont ouvertes ; ce message ne porte pas sur elles :`,
}

const statementTexts: StatementTexts = {
  title: on => `Ce qui est dû au ${on}`,
  principal: 'Principal',
  indemnity: count =>
    count === 1
      ? 'Indemnité forfaitaire pour frais de recouvrement'
      : `Indemnité forfaitaire pour frais de recouvrement, ${count} × 40\u00a0€`,
  interest: 'Intérêts de retard',
  total: 'Total',
  basis: {
    business: { indemnity: 'art. D441-5 C. com.', interest: 'art. L441-10 C. com.' },
    public_body: { indemnity: 'art. D2192-35 C. comm. publ.', interest: 'art. R2192-31 C. comm. publ.' },
  },
  period: ({ rate, days, from, to, base }) =>
    `Intérêts au taux de ${rate}\u00a0% l’an, ${days} ${days === 1 ? 'jour' : 'jours'} du ${from} au ${to}, sur ${base}.`,
  countedTo: day => `Les intérêts sont comptés jusqu’au ${day}.`,
  noLaterInterest: 'Aucun intérêt n’est réclamé ici pour les jours suivants.',
  noInterest: 'Aucun intérêt n’est compté dans ce relevé.',
  partial: 'Ce relevé ne porte que sur les factures en euros nommées ci-dessus et échues.',
}

const others = (count: number) => (count === 1 ? 'une autre' : `${count} autres`)
export const references = (content: MessageContent, named: number) =>
  referencesOf(content, 'fr', named, others)
export const sum = (content: MessageContent) => sumOf(content, 'fr')

/** The values for the placeholders of our texts and of a company's own texts. */
export const frenchValues = (content: MessageContent): TemplateValues => ({
  creditor: content.creditor.name,
  debtor: content.debtor.name,
  reference: references(content, 1),
  sum: sum(content),
  dueDate: frenchLabels.date(content.invoices[0]!.dueDate),
  isSeveral: invoiceCountOf(content) > 1,
})

export const invoiceSummary = ({ reference, sum: owed }: TemplateValues) => `facture ${reference}, ${owed}`

export const theInvoices = (counted: Counted) =>
  singularOrPlural(counted, 'la facture suivante', 'les factures suivantes')

export const alreadyPaid = 'Si votre paiement est déjà parti, merci de ne pas tenir compte de ce message.'

export function paymentBlock(content: MessageContent): Block | null {
  const { creditor } = content
  if (creditor.iban === null) return null
  return {
    kind: 'facts',
    title: 'Pour régler par virement :',
    rows: [
      ['Bénéficiaire', creditor.accountHolder],
      ['IBAN', ibanInGroups(creditor.iban)],
      ['Montant', amountToPay(content, 'fr')],
      ['Référence', transferReference(content, 'les numéros des factures')],
    ],
  }
}

export const linkBlock = (content: MessageContent): Extract<Block, { kind: 'action' }> => ({
  kind: 'action',
  lead: 'Par ce lien, sans créer de compte, vous pouvez régler, proposer une date, contester ou dire que vous n’êtes pas la bonne personne.',
  label: 'Régler ou répondre',
  orCopy: 'Ou recopiez cette adresse dans votre navigateur :',
  link: content.link,
})

type By = 'email' | 'lrar'

/** Only where a reply to this message is heard: elsewhere the reminders would go on. */
const mayReply = ({ creditor }: MessageContent, by: By) => by === 'email' && creditor.hearsReplies
const howToReply = ({ creditor }: MessageContent) =>
  `répondre à ce message : votre réponse arrive directement chez ${creditor.name} (${creditor.replyEmail}).`

export const answerBlock = (content: MessageContent, by: By): Block =>
  paragraph(
    `Vous contestez ${singularOrPlural(content, 'cette facture', 'une de ces factures')}, vous souhaitez un délai ou vous n’êtes pas la bonne personne ? Le lien ci-dessus vous permet de le dire${mayReply(content, by) ? ` ; vous pouvez aussi ${howToReply(content)}` : '.'}`,
  )

export const questionBlock = (content: MessageContent): Block | null =>
  mayReply(content, 'email') ? paragraph(`Une question ? Vous pouvez ${howToReply(content)}`) : null

const dataNotice = (content: MessageContent): Block => {
  const { name, replyEmail } = content.creditor
  const by = content.collector?.name ?? 'Relance'
  return {
    kind: 'small',
    title: 'Vos données',
    text: `${name} est responsable du traitement de vos données ; ${by} agit pour son compte. Transmises par ${name}, elles servent uniquement au recouvrement de ${singularOrPlural(content, 'cette facture', 'ces factures')}. Vous pouvez y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage en écrivant à ${replyEmail}, et saisir la CNIL (www.cnil.fr).`,
  }
}

const dataReminder = ({ creditor }: MessageContent): Block => ({
  kind: 'small',
  title: null,
  text: `Vos données : pour y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage, écrivez à ${creditor.replyEmail}.`,
})

export const writeTemplate = templateWriter({
  labels: frenchLabels,
  statement: statementTexts,
  link: linkBlock,
  chorus: content =>
    `Avez-vous reçu ${singularOrPlural(content, 'cette facture', 'ces factures')} sur Chorus Pro ? S’il y manque un numéro d’engagement ou un code service, dites-le : ${content.creditor.name} pourra corriger son dépôt.`,
  mandate: {
    title: 'Recouvrement amiable :',
    rows: ({ creditor }, collector) => [
      ['Recouvrement amiable par', partyOnOneLine(collector)],
      ['Pour le créancier', partyOnOneLine(creditor)],
      ['Référence', collector.reference],
      ...(collector.first
        ? [
            [
              'Première lettre',
              `${collector.first.reference}, du ${frenchLabels.date(collector.first.on)}`,
            ] as const,
          ]
        : []),
    ],
    source: 'Article L111-8 du code des procédures civiles d’exécution, troisième et quatrième alinéas :',
  },
  data: { full: dataNotice, short: dataReminder },
  signature: (by, creditor) => `${by}, pour ${creditor}`,
})
