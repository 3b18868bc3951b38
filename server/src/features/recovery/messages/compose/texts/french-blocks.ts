import { type Block, paragraph } from './block.ts'
import { hardship } from './hardship.ts'
import type { Labels } from './labels.ts'
import type { StatementTexts } from './late-payment-statement.ts'
import { ibanInGroups } from './layout.ts'
import {
  amountToPay,
  type Counted,
  type MessageContent,
  referencesOf,
  singularOrPlural,
  type TemplateValues,
  transferReference,
} from './message-content.ts'
import {
  type By,
  letterRows,
  mediatorRows,
  partyLines,
  partyOnOneLine,
  purposeRows,
  shownTelephone,
  templateWriter,
} from './template-writer.ts'
import { fr, withDe } from './typography.ts'

export const frenchLabels: Labels = {
  language: 'fr',
  date: date => date.split('-').reverse().join('/'),
  invoice: 'Facture',
  nothingAsked: 'Aucun paiement ne vous est demandé pour cette facture.',
  billedTo: 'Adressée à',
  issuedOn: 'Émise le',
  overdueSince: 'Échue le',
  dueOn: 'Échéance',
  toPay: day => (day === null ? 'À payer' : `À payer au ${day}`),
  balance: 'Reste dû',
  accessories: 'Intérêts et indemnité',
  indemnity: 'Indemnité forfaitaire',
  interest: 'Intérêts de retard',
  total: fr`Total à payer :`,
  line: label => fr`${label} :`,
  several: {
    count: 'Factures',
    billedTo: 'Adressées à',
    firstDueOn: 'Première échéance',
    list: fr`Le détail :`,
    annexed: count => `Les ${count} factures sont dans l’annexe, à la fin, chacune avec sa somme.`,
    annex: count => fr`Annexe : les ${count} factures`,
  },
  account: {
    title: day => fr`Relevé de compte au ${day} :`,
    standing: 'Situation',
    amount: 'Montant',
    paid: 'Payé',
    open: 'Reste dû',
    late: days => `${days} ${days === 1 ? 'jour' : 'jours'} de retard`,
    notDue: 'Non échue',
    disputed: 'Contestée, non réclamée',
    due: fr`Total échu :`,
    notDueYet: fr`Total non échu :`,
    disputedSum: fr`Contesté, non réclamé :`,
    leftOut: (count, day) =>
      count === 1
        ? `Une autre facture, échue au plus tôt le ${day}, n’est pas dans ce relevé.`
        : `${count} autres factures, échues au plus tôt le ${day}, ne sont pas dans ce relevé.`,
    note: 'Payé comprend les avoirs. Ce relevé donne seulement ce qui reste dû des factures elles-mêmes.',
  },
  alsoOpen: count =>
    count === 1
      ? fr`Pour information, cette autre facture est ouverte. Elle n’est pas réclamée ici :`
      : fr`Pour information, d’autres factures sont ouvertes, dont celles-ci. Elles ne sont pas réclamées ici :`,
}

const statementTexts: StatementTexts = {
  title: on => `Détail de la somme au ${on}`,
  principal: 'Principal',
  indemnity: count =>
    count === 1
      ? 'Indemnité forfaitaire pour frais de recouvrement'
      : `Indemnité forfaitaire pour frais de recouvrement, ${count} × 40\u00a0€`,
  interest: { business: 'Pénalités de retard', public_body: 'Intérêts moratoires' },
  total: 'Total',
  basis: {
    business: { indemnity: 'art. D441-5 C. com.', interest: 'art. L441-10, II C. com.' },
    public_body: {
      indemnity: 'art. D2192-35 C. comm. publ.',
      interest: 'art. L2192-13 et R2192-31 C. comm. publ.',
    },
  },
  period: ({ rate, days, from, to, base }) =>
    `Intérêts au taux de ${rate}\u00a0% l’an, ${days} ${days === 1 ? 'jour' : 'jours'} du ${from} au ${to}, sur ${base}.`,
  rate: ({ rate, from, to }) => `Intérêts au taux de ${rate}\u00a0% l’an, du ${from} au ${to}.`,
  perInvoice: 'L’annexe dit, pour chaque facture, ce qui s’ajoute au principal.',
  countedTo: day => `Les intérêts sont comptés jusqu’au ${day}.`,
  uncounted: 'Aucun intérêt n’est réclamé ici pour les autres jours.',
  noInterest: 'Aucun intérêt n’est compté dans ce relevé.',
  partial: 'Ce relevé ne porte que sur une partie des factures. Rien n’est ajouté aux autres.',
}

const others = (count: number) => (count === 1 ? 'une autre' : `${count} autres`)
export const references = (content: MessageContent, named: number) =>
  referencesOf(content, 'fr', named, others)

/** The values for the placeholders of our texts and of a company's own texts. */
export const frenchValues = (content: MessageContent): TemplateValues => ({
  creditor: content.creditor.name,
  debtor: content.debtor.name,
  reference: references(content, 1),
  sum: amountToPay(content, 'fr'),
  dueDate: frenchLabels.date(content.invoices[0]!.dueDate),
  isSeveral: content.invoices.length > 1,
  isSumForSeveral: content.about?.parts !== undefined,
  isConsumer: content.debtor.isConsumer,
  isAskedForNumber: content.debtor.isAskedForNumber,
  isTimeBarred: content.isTimeBarred ?? false,
  isCollected: content.collector !== null,
  caller: content.collector?.name ?? content.creditor.name,
  following: content.following,
})

export const invoiceSummary = ({ reference, sum, isConsumer }: TemplateValues) =>
  isConsumer ? `facture ${reference}` : `facture ${reference}, ${sum}`

export const theInvoices = (counted: Counted) =>
  singularOrPlural(counted, 'la facture suivante', 'les factures suivantes')

export const justPaid = fr`Si vous venez de payer, merci : vous n’avez rien à faire.`

/** The creditor writes "nous" in its own name; a collector names the creditor. */
export const weOr = (
  content: Pick<MessageContent, 'creditor' | 'collector'>,
  own: string,
  collected: (creditor: string) => string,
): string => (content.collector === null ? own : collected(content.creditor.name))

export function paymentBlock(content: MessageContent): Block | null {
  const { creditor } = content
  if (creditor.iban === null) return null
  return {
    kind: 'facts',
    title: fr`Pour payer par virement :`,
    rows: [
      ['Titulaire du compte', creditor.accountHolder],
      ['IBAN', ibanInGroups(creditor.iban)],
      ['Montant', amountToPay(content, 'fr')],
      ['Référence', transferReference(content, 'les numéros des factures')],
    ],
  }
}

/** The mediator must be named to a consumer who disputes: L616-1, R616-1 and R616-2 C. conso. */
export const mediatorBlock = ({ creditor, debtor }: MessageContent, isAnswered = false): Block | null =>
  creditor.mediator === null || !debtor.isConsumer
    ? null
    : {
        kind: 'facts',
        title: fr`${isAnswered ? 'Si cette réponse ne vous convient pas' : 'Si la réponse ne vous convient pas, ou si vous n’en recevez pas sous deux mois'}, vous pouvez saisir gratuitement le médiateur de la consommation :`,
        rows: mediatorRows(creditor.mediator, { name: 'Nom', address: 'Adresse', website: 'Site' }),
      }

/** In everything that asks a consumer for money. */
export const hardshipBlock = ({ debtor }: MessageContent): Block | null =>
  debtor.isConsumer ? paragraph(`${hardship.fr.question} ${hardship.fr.help}`) : null

export const linkBlock = (content: MessageContent, by: By = 'email'): Extract<Block, { kind: 'action' }> => ({
  kind: 'action',
  lead: `Vous pouvez payer${content.isTimeBarred ? '' : ', choisir une date'}, contester ou nous dire que ${by === 'lrar' ? 'cette lettre' : 'ce message'} n’est pas pour vous. Aucun compte à créer.`,
  label: 'Payer ou répondre',
  link: content.link,
})

const orCall = ({ creditor: { telephone } }: MessageContent) =>
  telephone === null ? '' : ` Vous pouvez aussi téléphoner au ${shownTelephone(telephone)}.`

/** A letter whose reader cannot call has the address in its signature. */
const orWrite = ({ creditor: { telephone } }: MessageContent, by: By) =>
  by === 'lrar' && telephone === null ? ', ou écrivez-nous à l’adresse ci-dessous.' : '.'

/** Only if we receive replies to this message: otherwise the reminders would continue. */
const mayReply = ({ creditor }: MessageContent, by: By) => by === 'email' && creditor.receivesReplies
const howToReply = (content: MessageContent) => {
  const { name, replyEmail } = content.creditor
  return weOr(
    content,
    `répondez à ce message (${replyEmail}).`,
    () => fr`répondez à ce message : votre réponse arrive chez ${name} (${replyEmail}).`,
  )
}

export const answerBlock = (content: MessageContent, by: By): Block =>
  paragraph(
    fr`Vous contestez ${singularOrPlural(content, 'cette facture', 'une de ces factures')}${content.isTimeBarred ? '' : ' ou vous avez besoin d’un délai'} ? Utilisez ${by === 'lrar' ? 'le code de la première page' : 'le lien ci-dessus'}${mayReply(content, by) ? ` ou ${howToReply(content)}` : orWrite(content, by)}${orCall(content)}`,
  )

export const questionBlock = (content: MessageContent, by: By = 'email'): Block =>
  mayReply(content, by)
    ? paragraph(fr`Une question ? Pour la poser, ${howToReply(content)}${orCall(content)}`)
    : by === 'email'
      ? paragraph(fr`Une question ? Écrivez à ${content.creditor.replyEmail}.${orCall(content)}`)
      : content.creditor.telephone === null
        ? paragraph(fr`Une question ? Écrivez-nous à l’adresse ci-dessous.`)
        : paragraph(fr`Une question ?${orCall(content).replace(' aussi ', ' ')}`)

const dataNotice = (content: MessageContent): Block => {
  const { name, replyEmail } = content.creditor
  const by = content.collector?.name ?? 'son prestataire'
  return {
    kind: 'small',
    title: 'Vos données',
    text: `${name} est responsable de vos données. Elles servent à suivre le paiement de ${singularOrPlural(content, 'cette facture', 'ces factures')}. ${name} les a transmises à ${by}, qui les traite pour son compte. Vous pouvez demander à les voir, à les corriger ou à les effacer. Vous pouvez vous opposer à leur usage dans les cas prévus par la loi. Écrivez à ${replyEmail}, ou à la CNIL (www.cnil.fr) pour une réclamation. La page du dossier donne tous les détails\u00a0: score de risque, destinataires, durée.`,
  }
}

const dataReminder = ({ creditor }: MessageContent): Block => ({
  kind: 'small',
  title: null,
  text: fr`Vos données et vos droits : la page du dossier, ou ${creditor.replyEmail}.`,
})

export const writeTemplate = templateWriter({
  labels: frenchLabels,
  statement: statementTexts,
  salutation: { email: 'Bonjour,', lrar: 'Madame, Monsieur,' },
  greeting: /^(bonjour|bonsoir|madame|monsieur|chère?s?)\b/i,
  closing: {
    email: 'Cordialement,',
    lrar: 'Veuillez agréer, Madame, Monsieur, nos salutations distinguées.',
  },
  farewell:
    /^(?:bien )?(?:cordialement|à vous|à toi|salutations|sincèrement|respectueusement)|^(?:bonne journée|meilleures salutations)/i,
  link: linkBlock,
  payment: paymentBlock,
  chorus: content =>
    fr`Avez-vous reçu ${singularOrPlural(content, 'cette facture', 'ces factures')} sur Chorus Pro ? S’il y manque un numéro d’engagement ou un code service, dites-le-nous, pour que ${weOr(content, 'nous corrigions notre dépôt.', creditor => `le dépôt ${withDe(creditor)} soit corrigé.`)}`,
  mandate: {
    title: fr`Recouvrement amiable :`,
    rows: (content, collector) => [
      [
        'Chargé du recouvrement',
        `${partyOnOneLine(collector)}, qui exerce une activité de recouvrement amiable`,
      ],
      ['Pour le créancier', partyOnOneLine(content.creditor)],
      ...purposeRows(content, frenchLabels),
      ...letterRows(
        collector,
        'Notre lettre',
        ({ reference, day }) => `${reference} du ${frenchLabels.date(day)}`,
      ),
    ],
    source: fr`Article L111-8 du Code des procédures civiles d’exécution, deuxième et troisième alinéas :`,
  },
  data: { full: dataNotice, short: dataReminder },
  signature: ({ creditor, collector }) => [
    ...(collector ? [...partyLines(collector), `pour ${creditor.name}`] : partyLines(creditor)),
    ...(creditor.telephone === null
      ? []
      : [
          `${collector ? `Téléphone ${withDe(creditor.name)}` : 'Tél.'}\u00a0${shownTelephone(creditor.telephone)}`,
        ]),
  ],
  footer: 'Envoyé avec Relance, logiciel de suivi de factures.',
})
