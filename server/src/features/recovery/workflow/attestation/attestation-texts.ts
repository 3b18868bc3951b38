import type { Channel } from '../../../../domain/contact/channel.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { HistoryStatus } from '../../case/history.ts'
import type { AnrBasis, AttestedStep } from './attestation.ts'

/** All texts of an attestation, in one language. */
export interface AttestationTexts {
  lang: string
  date: (date: LocalDate) => string
  dateTime: (date: LocalDate, time: string) => string
  title: string
  number: string
  madeOn: (day: string) => string
  sandbox: string
  opening: (creditor: string, number: string) => string
  creditor: string
  debtor: string
  siret: string
  claim: string
  invoiceNumber: string
  issuedOn: string
  dueOn: string
  amount: string
  paid: string
  credited: string
  writtenOff: string
  cause: string
  /** Where the records show the cause. */
  bases: Partial<Record<AnrBasis, string>>
  /** Where only the creditor declares the cause. */
  declared: Record<AnrBasis, string>
  liquidationOpened: (day: string) => string
  note: string
  actions: string
  noActions: string
  columns: { at: string; action: string; channel: string; result: string; proof: string }
  unlisted: (count: number) => string
  actionNames: Record<AttestedStep, string>
  groupedWith: (action: string, number: string) => string
  channels: Record<Channel, string>
  results: Record<HistoryStatus, string>
  called: string
  proof: string
  howProven: (contacts: number, zone: string) => string
  head: string
  noContacts: (zone: string) => string
  /** The issuer, with its address and numbers. */
  statement: (issuer: string, day: string) => string
  /** Who acted for the creditor since its mandate. */
  collector: (collector: string, day: string) => string
  integrity: string
  vat: string
  inexact: string
  page: (number: number, total: number) => string
}

const longDates = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (date: LocalDate) => format.format(new Date(`${date}T00:00:00Z`))
}
const longFrench = longDates('fr-FR')

export const slashed = (date: LocalDate) => date.split('-').reverse().join('/')

const french: AttestationTexts = {
  lang: 'fr-FR',
  date: date => longFrench(date).replace(/^1 /, '1er '),
  dateTime: (date, time) => `${slashed(date)} ${time}`,
  title: 'Attestation de non-recouvrement',
  number: 'Document n°',
  madeOn: day => `Établie le ${day}`,
  sandbox: 'Environnement de test\u00a0: document sans valeur.',
  opening: (creditor, number) =>
    `${creditor} atteste que la somme indiquée ci-dessous, due au titre de sa facture ${number}, n’a pas été recouvrée à ce jour.`,
  creditor: 'Créancier',
  debtor: 'Débiteur',
  siret: 'SIRET',
  claim: 'Créance',
  invoiceNumber: 'Facture n°',
  issuedOn: 'Date d’émission',
  dueOn: 'Date d’échéance',
  amount: 'Montant de la facture',
  paid: 'Sommes payées',
  credited: 'Avoirs',
  writtenOff: 'Somme non recouvrée',
  cause: 'Cause du non-recouvrement',
  bases: {
    amicable_failed:
      'Échec du recouvrement amiable\u00a0: les démarches énumérées ci-après n’ont pas permis d’obtenir cette somme.',
    liquidation: 'Liquidation judiciaire du débiteur, selon l’enregistrement du créancier.',
    time_barred: 'Prescription de la créance, selon les dates enregistrées.',
  },
  declared: {
    amicable_failed: 'Selon la déclaration du créancier, le recouvrement amiable a échoué.',
    liquidation: 'Selon la déclaration du créancier, le débiteur est en liquidation judiciaire.',
    untraceable: 'Selon la déclaration du créancier, le débiteur est introuvable.',
    enforcement_failed: 'Selon la déclaration du créancier, le titre obtenu n’a pas pu être exécuté.',
    time_barred: 'Selon la déclaration du créancier, la créance est prescrite.',
  },
  liquidationOpened: day => `Procédure ouverte le ${day}.`,
  note: 'Précision du créancier\u00a0:',
  actions: 'Démarches accomplies',
  noActions: 'Aucune démarche n’est enregistrée pour cette facture.',
  columns: { at: 'Date', action: 'Démarche', channel: 'Voie', result: 'Résultat', proof: 'Preuve' },
  unlisted: count =>
    count === 1
      ? 'Une autre démarche est enregistrée et n’est pas énumérée ici.'
      : `${count} autres démarches sont enregistrées et ne sont pas énumérées ici.`,
  actionNames: {
    email_prise_en_charge: 'Premier message',
    relance_email_1: 'Première relance',
    relance_email_2: 'Deuxième relance',
    relance_email_3: 'Troisième relance',
    sms_reminder: 'Rappel',
    ai_call: 'Appel téléphonique',
    ai_call_2: 'Second appel téléphonique',
    lrar_mise_en_demeure: 'Mise en demeure',
    email_dernier_avis: 'Dernier avis',
    extra_message: 'Message complémentaire',
  },
  groupedWith: (action, number) => `${action}, avec ${number}`,
  channels: { email: 'Courriel', sms: 'SMS', lrar: 'Lettre recommandée', voice: 'Téléphone' },
  results: {
    sent: 'Envoyé',
    delivered: 'Remis',
    bounced: 'Non distribué',
    failed: 'Échec de l’envoi',
    unknown: 'Issue inconnue',
    refused: 'Refusé par le destinataire',
    unclaimed: 'Non réclamé',
    skipped: 'Non effectué',
    cancelled: 'Annulé',
    done: 'Enregistré',
  },
  called: 'Appel passé',
  proof: 'Preuve des contacts',
  howProven: (contacts, zone) =>
    `Chaque contact est inscrit dans un registre chaîné propre au débiteur\u00a0: son empreinte (SHA-256) comprend celle de l’inscription précédente, de sorte qu’aucune inscription ne peut être modifiée ni retirée après coup sans que cela se voie. La colonne «\u00a0Preuve\u00a0» donne le rang de l’inscription et le début de son empreinte. Le registre compte ${contacts} ${contacts > 1 ? 'inscriptions' : 'inscription'} à ce jour. Dates et heures du fuseau ${zone}.`,
  head: 'Empreinte de la dernière inscription\u00a0:',
  noContacts: zone =>
    `Aucun contact n’est inscrit au registre de ce débiteur. Dates et heures du fuseau ${zone}.`,
  statement: (issuer, day) =>
    `Attestation établie le ${day} par le créancier, ${issuer}, avec le logiciel Relance et à partir des enregistrements de celui-ci.`,
  collector: (collector, day) =>
    `Depuis le mandat du ${day}, les démarches ont été accomplies au nom du créancier par ${collector}.`,
  integrity:
    'L’empreinte SHA-256 de ce document est conservée par Relance et permet au créancier d’en vérifier l’intégrité.',
  vat: 'Ce document seul ne permet pas de récupérer la TVA. L’article 272 du Code général des impôts demande aussi d’envoyer au débiteur un duplicata de la facture, avec la mention prévue.',
  inexact:
    'Certains caractères ne peuvent pas être imprimés dans la police de ce document\u00a0: un signe sur une lettre a pu être omis, et [?] marque un caractère manquant. Le texte exact figure dans la structure du document.',
  page: (number, total) => `Page ${number} sur ${total}`,
}

const english: AttestationTexts = {
  lang: 'en-GB',
  date: longDates('en-GB'),
  dateTime: (date, time) => `${slashed(date)} ${time}`,
  title: 'Certificate of non-recovery',
  number: 'Document no.',
  madeOn: day => `Made on ${day}`,
  sandbox: 'Test environment: this document has no value.',
  opening: (creditor, number) =>
    `${creditor} certifies that the sum given below, owed on its invoice ${number}, has not been recovered to this day.`,
  creditor: 'Creditor',
  debtor: 'Debtor',
  siret: 'SIRET',
  claim: 'Claim',
  invoiceNumber: 'Invoice no.',
  issuedOn: 'Issued on',
  dueOn: 'Due on',
  amount: 'Amount of the invoice',
  paid: 'Paid',
  credited: 'Credited',
  writtenOff: 'Sum not recovered',
  cause: 'Why it was not recovered',
  bases: {
    amicable_failed: 'Amicable recovery failed: the actions listed below did not bring this sum.',
    liquidation: 'The debtor is in liquidation, according to the creditor’s records.',
    time_barred: 'The debt is time-barred, by the dates on record.',
  },
  declared: {
    amicable_failed: 'According to the creditor’s declaration, amicable recovery failed.',
    liquidation: 'According to the creditor’s declaration, the debtor is in liquidation.',
    untraceable: 'According to the creditor’s declaration, the debtor cannot be traced.',
    enforcement_failed: 'According to the creditor’s declaration, the title obtained could not be enforced.',
    time_barred: 'According to the creditor’s declaration, the debt is time-barred.',
  },
  liquidationOpened: day => `Proceedings opened on ${day}.`,
  note: 'Added by the creditor:',
  actions: 'Actions taken',
  noActions: 'No action is on record for this invoice.',
  columns: { at: 'Date', action: 'Action', channel: 'By', result: 'Result', proof: 'Proof' },
  unlisted: count =>
    count === 1
      ? 'One more action is on record and is not listed here.'
      : `${count} more actions are on record and are not listed here.`,
  actionNames: {
    email_prise_en_charge: 'First notice',
    relance_email_1: 'First reminder',
    relance_email_2: 'Second reminder',
    relance_email_3: 'Third reminder',
    sms_reminder: 'Reminder',
    ai_call: 'Telephone call',
    ai_call_2: 'Second telephone call',
    lrar_mise_en_demeure: 'Formal notice',
    email_dernier_avis: 'Last notice',
    extra_message: 'Additional message',
  },
  groupedWith: (action, number) => `${action}, with ${number}`,
  channels: { email: 'Email', sms: 'SMS', lrar: 'Registered letter', voice: 'Telephone' },
  results: {
    sent: 'Sent',
    delivered: 'Delivered',
    bounced: 'Bounced',
    failed: 'Could not be sent',
    unknown: 'Outcome unknown',
    refused: 'Refused by the recipient',
    unclaimed: 'Unclaimed',
    skipped: 'Left out',
    cancelled: 'Cancelled',
    done: 'On record',
  },
  called: 'Call placed',
  proof: 'Proof of the contacts',
  howProven: (contacts, zone) =>
    `Each contact is entered in a chained ledger of the debtor: its hash (SHA-256) covers that of the entry before it, so that no entry can be changed or taken out afterwards without being noticed. The column “Proof” gives the position of the entry and the beginning of its hash. The ledger has ${contacts} ${contacts === 1 ? 'entry' : 'entries'} today. Dates and times of the zone ${zone}.`,
  head: 'Hash of the last entry:',
  noContacts: zone => `The ledger of this debtor has no entry. Dates and times of the zone ${zone}.`,
  statement: (issuer, day) =>
    `Certificate made on ${day} by the creditor, ${issuer}, with the software Relance and from its records.`,
  collector: (collector, day) =>
    `Since the mandate of ${day}, the actions were taken on behalf of the creditor by ${collector}.`,
  integrity:
    'The SHA-256 hash of this document is kept by Relance and allows the creditor to verify its integrity.',
  vat: 'This document alone recovers no VAT. Article 272 of the French tax code (CGI) also wants a duplicate of the invoice sent to the debtor, with the mention it prescribes.',
  inexact:
    'Some characters cannot be printed in the font of this document: a mark on a letter may have been left out, and [?] stands for a missing character. The exact text is in the structure of the document.',
  page: (number, total) => `Page ${number} of ${total}`,
}

export const attestationTextsIn = (language: 'fr' | 'en'): AttestationTexts =>
  language === 'fr' ? french : english
