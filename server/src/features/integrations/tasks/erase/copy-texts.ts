import type { Channel, ClosedBecause } from '../../../../domain/contact/channel.ts'
import type { PersonRole } from '../../../../domain/contact/debtor-person.ts'
import type { DataRequestDecision, DataRequestKind } from '../../../../domain/data-request.ts'
import type { DebtorType } from '../../../../domain/debtor-type.ts'
import { fr } from '../../../../domain/french.ts'
import type { InvoiceStatus } from '../../../../domain/money/invoice-state.ts'
import type { LocalDate } from '../../../../domain/time.ts'

export type PromiseStatus = 'open' | 'kept' | 'broken' | 'replaced'
export type DisputeStatus = 'open' | 'upheld' | 'rejected' | 'partly'

/** All texts of the readable copy, in one language. */
export interface CopyTexts {
  lang: string
  fileName: string
  date: (date: LocalDate) => string
  title: string
  madeOn: (day: string, creditor: string) => string
  identity: string
  identityRows: Record<
    'name' | 'email' | 'phone' | 'siret' | 'address' | 'language' | 'type' | 'notes',
    string
  >
  insolvency: (day: string) => string
  types: Record<DebtorType, string>
  languages: Record<'fr' | 'en', string>
  people: string
  roles: Record<PersonRole, string>
  ground: string
  invoices: string
  invoiceColumns: readonly [string, string, string, string, string, string]
  statuses: Record<InvoiceStatus, string>
  promises: string
  promise: (number: string, sum: string, day: string, status: PromiseStatus) => string
  disputes: string
  dispute: (number: string, day: string, status: DisputeStatus) => string
  reason: string
  calls: string
  replies: string
  happened: string
  happenedColumns: readonly [string, string, string]
  score: string
  scoreIs: (score: number, max: number) => string
  closed: string
  closedChannels: Record<Channel, string>
  closedBecause: Record<ClosedBecause, string>
  requests: string
  request: (
    kind: DataRequestKind,
    receivedOn: string,
    dueOn: string,
    decision: DataRequestDecision | null,
  ) => string
  none: string
  more: (file: string) => string
  why: string
  whyText: (creditor: string, contact: string, keepMonths: number, providers: string | null) => string[]
  rights: string
  rightsText: (contact: string) => string[]
  files: string
  filesIntro: string
  fileNames: readonly (readonly [file: string, text: string])[]
  page: (number: number, total: number) => string
}

const longDates = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (date: LocalDate) => format.format(new Date(`${date}T00:00:00Z`))
}
const longFrench = longDates('fr-FR')

const frenchPromises: Record<PromiseStatus, string> = {
  open: 'en cours',
  kept: 'tenue',
  broken: 'non tenue',
  replaced: 'remplacée',
}
const frenchDisputes: Record<DisputeStatus, string> = {
  open: 'en cours',
  upheld: 'acceptée',
  partly: 'acceptée en partie',
  rejected: 'rejetée',
}
const frenchDecisions: Record<DataRequestDecision, string> = {
  granted: 'acceptée',
  refused: 'refusée',
  lifted: 'acceptée, puis levée',
}

const french: CopyTexts = {
  lang: 'fr-FR',
  fileName: 'vos-donnees.pdf',
  date: date => longFrench(date).replace(/^1 /, '1er '),
  title: 'Vos données',
  madeOn: (day, creditor) =>
    fr`Copie faite le ${day} pour vous, à votre demande (art. 15 et 20 du RGPD). Elle dit ce que le logiciel Relance garde sur vous pour ${creditor}. Les fichiers joints contiennent tout, ligne par ligne.`,
  identity: 'Qui vous êtes',
  identityRows: {
    name: 'Nom',
    email: 'Adresse e-mail',
    phone: 'Téléphone',
    siret: 'SIRET',
    address: 'Adresse postale',
    language: 'Langue des messages',
    type: 'Vous êtes connu comme',
    notes: 'Notes du créancier',
  },
  insolvency: day => fr`Une procédure (collective ou de surendettement) est enregistrée, ouverte le ${day}.`,
  types: { business: 'professionnel', consumer: 'consommateur', public_body: 'organisme public' },
  languages: { fr: 'français', en: 'anglais' },
  people: 'Les personnes notées pour vous joindre',
  roles: {
    accounting: 'comptabilité',
    buyer: 'achats',
    manager: 'direction',
    other: 'autre',
    guardian: 'tuteur ou curateur',
    heir: 'héritier',
    lawyer: 'avocat',
    debtor: 'ancienne adresse',
  },
  ground: fr`Motif noté : `,
  invoices: 'Vos factures',
  invoiceColumns: ['Facture', 'Échéance', 'Montant', 'Payé', 'Avoirs', 'État'],
  statuses: {
    draft: 'brouillon',
    imported: 'enregistrée',
    in_recovery: 'suivie',
    lrar_sent: 'mise en demeure envoyée',
    paid: 'payée',
    partial: 'payée en partie',
    disputed: 'contestée',
    written_off: 'irrécouvrable',
    judicial: 'suivi amiable terminé',
    cancelled: 'suivi clos',
  },
  promises: 'Ce que vous avez annoncé',
  promise: (number, sum, day, status) =>
    fr`Facture ${number} : ${sum} pour le ${day} (${frenchPromises[status]}).`,
  disputes: 'Ce que vous avez contesté',
  dispute: (number, day, status) => fr`Facture ${number}, contestée le ${day} (${frenchDisputes[status]}).`,
  reason: fr`Motif noté : `,
  calls: 'Notes d’appels',
  replies: 'Ce que vous avez écrit',
  happened: 'Ce qui s’est passé',
  happenedColumns: ['Date', 'Facture', 'Ce qui s’est passé'],
  score: 'Le score de risque',
  scoreIs: (score, max) =>
    fr`Votre score est de ${score} sur ${max}. Il estime le risque d’impayé. Voici d’où il vient, tel que le créancier le lit :`,
  closed: 'Là où l’on ne vous écrit plus',
  closedChannels: { email: 'E-mail', sms: 'SMS', voice: 'Téléphone', lrar: 'Lettre recommandée' },
  closedBecause: {
    opt_out: 'vous l’avez demandé',
    wrong_person: 'cette adresse est celle de quelqu’un d’autre',
    erased: 'des données ont été effacées',
    refused: 'un message à cette adresse est revenu',
  },
  requests: 'Vos demandes sur vos données',
  request: (kind, receivedOn, dueOn, decision) =>
    fr`${kind === 'objection' ? 'Opposition (art. 21)' : 'Limitation (art. 18)'} : reçue le ${receivedOn}, ${decision === null ? `réponse due le ${dueOn} au plus tard` : frenchDecisions[decision]}.`,
  none: 'Rien n’est enregistré.',
  more: file => `Les lignes plus anciennes sont dans ${file}.`,
  why: 'Pourquoi, par qui, combien de temps',
  whyText: (creditor, contact, keepMonths, providers) => [
    fr`${creditor} est responsable de vos données. Contact : ${contact}.`,
    'Elles servent à recouvrer ses factures à l’amiable, à prouver les échanges, à estimer le risque d’impayé et à tenir sa comptabilité.',
    `${creditor} les a fournies, ou vous-même. Le score se calcule à partir d’elles.`,
    fr`Elles sont reçues par ${creditor} et par les prestataires des messages${providers === null ? '' : ` (${providers})`}. La page « Vos données » du lien de chaque message nomme tous les destinataires.`,
    fr`Quand toutes vos factures sont closes, le logiciel garde le dossier ${keepMonths} mois, puis il l’efface. Les pièces comptables se gardent dix ans, bloquées.`,
  ],
  rights: 'Vos droits',
  rightsText: contact => [
    fr`Vous pouvez demander de corriger vos données, de les effacer, d’en limiter l’usage, ou vous y opposer pour des raisons tenant à votre situation. Écrivez à ${contact} ; la réponse est due sous un mois.`,
    fr`Vous pouvez saisir la CNIL : 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07, www.cnil.fr.`,
  ],
  files: 'Les fichiers joints',
  filesIntro: 'Ils sont faits pour une machine, avec des noms anglais.',
  fileNames: [
    ['debtors', 'votre identité et vos coordonnées'],
    ['debtor_people', 'les personnes notées pour vous joindre'],
    ['debtor_notes', 'ce que le créancier a noté à votre sujet'],
    ['invoices, credits, payments, checkouts', 'factures, avoirs, paiements'],
    ['promises, disputes, data_requests', 'promesses, contestations, demandes sur vos données'],
    ['recoveries, actions, agendas', 'le suivi de chaque facture'],
    [
      'communications, extra_messages, message_codes, sandbox_messages, sent_messages, replies, calls',
      'messages, réponses, appels',
    ],
    ['contact_ledger', 'la preuve de chaque contact'],
    ['debtor_scores', 'le score de risque'],
    ['closed_channels', 'là où l’on ne vous écrit plus'],
    ['conversations', 'textes du créancier qui vous nomment'],
    ['events', 'ce qui a été signalé au créancier'],
    ['anr_documents, documents', 'les attestations, et les documents tels quels'],
  ],
  page: (number, total) => `Page ${number} sur ${total}`,
}

const englishPromises: Record<PromiseStatus, string> = {
  open: 'open',
  kept: 'kept',
  broken: 'not kept',
  replaced: 'replaced',
}
const englishDisputes: Record<DisputeStatus, string> = {
  open: 'open',
  upheld: 'accepted',
  partly: 'accepted in part',
  rejected: 'rejected',
}
const englishDecisions: Record<DataRequestDecision, string> = {
  granted: 'granted',
  refused: 'refused',
  lifted: 'granted, then lifted',
}

const english: CopyTexts = {
  lang: 'en-GB',
  fileName: 'your-data.pdf',
  date: longDates('en-GB'),
  title: 'Your data',
  madeOn: (day, creditor) =>
    `Copy made on ${day} for you, because you asked (art. 15 and 20 GDPR). It says what the software Relance keeps about you for ${creditor}. The files beside it hold everything, line by line.`,
  identity: 'Who you are',
  identityRows: {
    name: 'Name',
    email: 'Email address',
    phone: 'Telephone',
    siret: 'SIRET',
    address: 'Postal address',
    language: 'Language of messages',
    type: 'You are known as',
    notes: 'Notes of the creditor',
  },
  insolvency: day => `Proceedings (insolvency or over-indebtedness) are recorded, opened on ${day}.`,
  types: { business: 'a business', consumer: 'a consumer', public_body: 'a public body' },
  languages: { fr: 'French', en: 'English' },
  people: 'The people recorded to reach you',
  roles: {
    accounting: 'accounting',
    buyer: 'buying',
    manager: 'management',
    other: 'other',
    guardian: 'guardian',
    heir: 'heir',
    lawyer: 'lawyer',
    debtor: 'former address',
  },
  ground: 'Reason noted: ',
  invoices: 'Your invoices',
  invoiceColumns: ['Invoice', 'Due', 'Amount', 'Paid', 'Credited', 'State'],
  statuses: {
    draft: 'draft',
    imported: 'recorded',
    in_recovery: 'followed up',
    lrar_sent: 'formal notice sent',
    paid: 'paid',
    partial: 'paid in part',
    disputed: 'disputed',
    written_off: 'irrecoverable',
    judicial: 'amicable stage ended',
    cancelled: 'follow-up closed',
  },
  promises: 'What you told us you would pay',
  promise: (number, sum, day, status) => `Invoice ${number}: ${sum} by ${day} (${englishPromises[status]}).`,
  disputes: 'What you disputed',
  dispute: (number, day, status) => `Invoice ${number}, disputed on ${day} (${englishDisputes[status]}).`,
  reason: 'Reason noted: ',
  calls: 'Notes of calls',
  replies: 'What you wrote',
  happened: 'What happened',
  happenedColumns: ['Date', 'Invoice', 'What happened'],
  score: 'The risk score',
  scoreIs: (score, max) =>
    `Your score is ${score} of ${max}. It estimates the risk that invoices stay unpaid. This is where it comes from, as the creditor reads it:`,
  closed: 'Where you are not written to any more',
  closedChannels: { email: 'Email', sms: 'Text message', voice: 'Telephone', lrar: 'Registered letter' },
  closedBecause: {
    opt_out: 'you asked for it',
    wrong_person: 'this address belongs to somebody else',
    erased: 'data was erased',
    refused: 'a message to this address came back',
  },
  requests: 'Your requests about your data',
  request: (kind, receivedOn, dueOn, decision) =>
    `${kind === 'objection' ? 'Objection (art. 21)' : 'Restriction (art. 18)'}: received on ${receivedOn}, ${decision === null ? `to be answered by ${dueOn}` : englishDecisions[decision]}.`,
  none: 'Nothing is recorded.',
  more: file => `Older lines are in ${file}.`,
  why: 'Why, by whom, for how long',
  whyText: (creditor, contact, keepMonths, providers) => [
    `${creditor} is the controller of your data. Contact: ${contact}.`,
    'It is used to recover its invoices amicably, to prove what was exchanged, to estimate the risk that invoices stay unpaid, and for its accounts.',
    `${creditor} gave it, or you did. The score is computed from it.`,
    `It is received by ${creditor} and by the providers of messages${providers === null ? '' : ` (${providers})`}. The page “Your data” behind the link of each message names all recipients.`,
    `Once all your invoices are closed, the software keeps the case for ${keepMonths} months, then erases it. Accounting records are kept for ten years, blocked.`,
  ],
  rights: 'Your rights',
  rightsText: contact => [
    `You can ask to correct your data, to erase it or to restrict its use, and object to it on grounds relating to your situation. Write to ${contact}; the answer is due within a month.`,
    'You can complain to the CNIL: 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07, France, www.cnil.fr.',
  ],
  files: 'The files beside this page',
  filesIntro: 'They are made for a machine.',
  fileNames: [
    ['debtors', 'who you are and how you are reached'],
    ['debtor_people', 'the people recorded to reach you'],
    ['debtor_notes', 'what the creditor noted about you'],
    ['invoices, credits, payments, checkouts', 'invoices, credit notes, payments'],
    ['promises, disputes, data_requests', 'promises, disputes, requests about your data'],
    ['recoveries, actions, agendas', 'how each invoice was followed'],
    [
      'communications, extra_messages, message_codes, sandbox_messages, sent_messages, replies, calls',
      'messages, replies, calls',
    ],
    ['contact_ledger', 'the proof of each contact'],
    ['debtor_scores', 'the risk score'],
    ['closed_channels', 'where you are not written to any more'],
    ['conversations', 'texts of the creditor that name you'],
    ['events', 'what the creditor was told'],
    ['anr_documents, documents', 'attestations, and the documents as they were'],
  ],
  page: (number, total) => `Page ${number} of ${total}`,
}

export const copyTexts: Readonly<Record<'fr' | 'en', CopyTexts>> = { fr: french, en: english }
