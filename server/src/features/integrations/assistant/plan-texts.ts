import type { Channel } from '../../../domain/contact/channel.ts'
import type { TriggerAction } from '../../../domain/recovery/recovery-state.ts'
import type { Language } from './language.ts'

type Texts = Record<Language, string>

/** What each operation does, as it is shown to the person before they confirm it. */
export const operationTexts: Record<string, Texts> = {
  'invoices.create': {
    en: 'Import an invoice and start its recovery',
    fr: 'Importer une facture et lancer son recouvrement',
  },
  'invoices.import': {
    en: 'Import invoices and start their recoveries',
    fr: 'Importer des factures et lancer leur recouvrement',
  },
  'invoices.update': { en: 'Change the notes or metadata of', fr: 'Modifier les notes ou métadonnées de' },
  'invoices.delete': { en: 'Delete', fr: 'Supprimer' },
  'invoices.credit': { en: 'Record a credit note for', fr: 'Enregistrer un avoir pour' },
  'invoices.waiveLatePayment': {
    en: 'Waive the 40 € and the interest for late payment of',
    fr: 'Renoncer aux 40 € et aux intérêts de retard de',
  },
  'invoices.dispute': {
    en: 'Record a dispute, which pauses the recovery, of',
    fr: 'Enregistrer une contestation, qui suspend le recouvrement, pour',
  },
  'invoices.resolveDispute': { en: 'Close the dispute of', fr: 'Clore la contestation de' },
  'invoices.promise': {
    en: 'Record a promise to pay, which pauses the recovery, of',
    fr: 'Enregistrer une promesse de paiement, qui suspend le recouvrement, pour',
  },
  'invoices.acknowledgePromise': {
    en: 'Say that the broken promise was seen, of',
    fr: 'Dire que la promesse non tenue a été vue, pour',
  },
  'invoices.cancel': {
    en: 'Cancel the recovery, for good, of',
    fr: 'Annuler définitivement le recouvrement de',
  },
  'invoices.writeOff': {
    en: 'Write off as irrecoverable, for good,',
    fr: 'Classer comme irrécouvrable, définitivement,',
  },
  'debtors.create': { en: 'Create a debtor', fr: 'Créer un débiteur' },
  'debtors.update': { en: 'Change', fr: 'Modifier' },
  'debtors.addPerson': {
    en: 'Add somebody who can be spoken to, for',
    fr: 'Ajouter un contact pour',
  },
  'debtors.changePerson': {
    en: 'Change somebody who can be spoken to, for',
    fr: 'Modifier un contact de',
  },
  'debtors.removePerson': {
    en: 'Remove somebody who can be spoken to, of',
    fr: 'Retirer un contact de',
  },
  'debtors.optOut': { en: 'Close a channel for', fr: 'Fermer un canal pour' },
  'debtors.wrongPerson': {
    en: 'Block an address that belongs to somebody else, of',
    fr: 'Bloquer une adresse qui appartient à quelqu’un d’autre, pour',
  },
  'debtors.retryAddress': {
    en: 'Try an address that refused a message again, of',
    fr: 'Réessayer une adresse qui a refusé un message, pour',
  },
  'debtors.addNote': { en: 'Write a note about', fr: 'Écrire une note sur' },
  'debtors.endComeBack': {
    en: 'Say that the day to come back is done with, for',
    fr: 'Dire que le rappel est traité, pour',
  },
  'communications.acknowledge': {
    en: 'Say that a message of unknown outcome was seen, of',
    fr: 'Dire qu’un message au sort inconnu a été vu, pour',
  },
  'debtors.readReply': {
    en: 'Say that the answer was read, of',
    fr: 'Dire que la réponse a été lue, de',
  },
  'debtors.closeReply': {
    en: 'Record what a reply means, answer it and mark it as read, of',
    fr: 'Enregistrer ce que dit une réponse, y répondre et la marquer comme lue, de',
  },
  'debtors.recordDataRequest': {
    en: 'Record a request about personal data of',
    fr: 'Enregistrer une demande sur les données personnelles de',
  },
  'debtors.decideDataRequest': {
    en: 'Decide about a request on personal data of',
    fr: 'Décider d’une demande sur les données personnelles de',
  },
  'debtors.reportSituation': {
    en: 'Record a situation that you were told of, which stops every message, of',
    fr: 'Enregistrer une situation qui vous a été signalée, et arrêter tout message, pour',
  },
  'debtors.decideSituation': {
    en: 'Record what was found out about the reported situation of',
    fr: 'Enregistrer ce qui a été vérifié de la situation signalée par',
  },
  'debtors.promise': {
    en: 'Record a promise to pay, which pauses the recoveries, of',
    fr: 'Enregistrer une promesse de paiement, qui suspend les recouvrements, de',
  },
  'debtors.pause': {
    en: 'Pause every recovery, also those that come later, of',
    fr: 'Suspendre tous les recouvrements, même à venir, de',
  },
  'debtors.resume': { en: 'End the pause of', fr: 'Mettre fin à la suspension de' },
  'company.stopSending': {
    en: 'Stop everything that is sent to debtors',
    fr: 'Arrêter tous les envois aux débiteurs',
  },
  'company.resumeSending': {
    en: 'Let messages to debtors leave again',
    fr: 'Reprendre les envois aux débiteurs',
  },
  'payments.create': { en: 'Record a payment', fr: 'Enregistrer un paiement' },
  'payments.receive': {
    en: 'Record one sum received for several invoices',
    fr: 'Enregistrer une somme reçue pour plusieurs factures',
  },
  'payments.settle': { en: 'Settle a payment', fr: 'Régulariser un paiement' },
  'payments.refund': {
    en: 'Record the refund of a payment',
    fr: 'Enregistrer le remboursement d’un paiement',
  },
  'payments.reverse': {
    en: 'Record that the bank took back a payment',
    fr: 'Enregistrer le rejet d’un paiement par la banque',
  },
  'workflow.recordFiling': {
    en: 'Record what was filed or served for',
    fr: 'Enregistrer ce qui a été déposé ou signifié pour',
  },
  'workflow.takeBack': {
    en: 'Take back a planned message about',
    fr: 'Retirer un message prévu au sujet de',
  },
  'cascades.create': { en: 'Create a cascade', fr: 'Créer une cascade' },
  'cascades.update': { en: 'Change a cascade', fr: 'Modifier une cascade' },
  'tasks.bulk': { en: 'Act on many invoices at once', fr: 'Agir sur de nombreuses factures à la fois' },
  'tasks.export': { en: 'Make a file with an export', fr: 'Préparer un fichier d’export' },
  'tasks.start': { en: 'Start a task that was judged', fr: 'Lancer une tâche déjà examinée' },
  'tasks.undo': {
    en: 'Undo an import: delete the invoices it created',
    fr: 'Annuler une importation : supprimer les factures qu’elle a créées',
  },
  'tasks.cancel': { en: 'Cancel a task', fr: 'Annuler une tâche' },
  'webhooks.retryDelivery': {
    en: 'Send an event to a webhook again',
    fr: 'Renvoyer un événement à un webhook',
  },
  'webhooks.recover': {
    en: 'Deliver what a webhook missed',
    fr: 'Livrer à un webhook ce qu’il a manqué',
  },
  'apiKeys.delete': { en: 'Deactivate an API key, at once', fr: 'Désactiver une clé d’API, aussitôt' },
  'oauthClients.delete': {
    en: 'Switch an OAuth client off, for good',
    fr: 'Désactiver définitivement un client OAuth',
  },
  'sandbox.advance': { en: 'Let time pass in the sandbox', fr: 'Faire passer le temps dans le bac à sable' },
}

export const simulationText: Texts = {
  en: 'Let this happen in the sandbox',
  fr: 'Faire arriver ceci dans le bac à sable',
}

export const triggerTexts: Record<TriggerAction, Texts> = {
  start: { en: 'Start the recovery of', fr: 'Lancer le recouvrement de' },
  pause: { en: 'Pause the recovery of', fr: 'Suspendre le recouvrement de' },
  resume: { en: 'Resume the recovery of', fr: 'Reprendre le recouvrement de' },
  cancel: { en: 'Cancel the recovery, for good, of', fr: 'Annuler définitivement le recouvrement de' },
  escalate: { en: 'Escalate the recovery of', fr: 'Passer à l’étape suivante, plus ferme, pour' },
}

export const channelTexts: Record<Channel, Texts> = {
  email: { en: 'Send an email about', fr: 'Envoyer un e-mail au sujet de' },
  sms: { en: 'Send an SMS about', fr: 'Envoyer un SMS au sujet de' },
  lrar: { en: 'Send a registered letter about', fr: 'Envoyer une lettre recommandée au sujet de' },
  voice: { en: 'Call by telephone about', fr: 'Appeler par téléphone au sujet de' },
}

/** Why the contact rules moved a message to another moment. */
export const shiftTexts: Record<string, Texts> = {
  outside_hours: {
    en: 'nobody is contacted before 08:00 or from 20:00 on',
    fr: 'personne n’est contacté avant 8 h ni à partir de 20 h',
  },
  call_hours: {
    en: 'calls are made during office hours only',
    fr: 'les appels se font aux heures de bureau seulement',
  },
  sunday: { en: 'nobody is contacted on a Sunday', fr: 'personne n’est contacté un dimanche' },
  public_holiday: { en: 'it is a public holiday', fr: 'c’est un jour férié' },
  one_contact_a_day: {
    en: 'this person is already contacted that day, and one contact a day is the limit',
    fr: 'cette personne est déjà contactée ce jour-là, et la limite est d’un contact par jour',
  },
  channel_cooldown: {
    en: 'three days pass between two messages on one channel, counting debtors who share an email or a phone as one',
    fr: 'trois jours séparent deux messages sur un même canal, les débiteurs qui partagent un e-mail ou un téléphone comptant pour un seul',
  },
  weekly_cap: {
    en: 'this debtor has had as many messages in seven rolling days as the company allows',
    fr: 'ce débiteur a reçu le maximum de messages permis en sept jours glissants',
  },
  monthly_cap: {
    en: 'this debtor has had as many messages in thirty rolling days as the company allows',
    fr: 'ce débiteur a reçu le maximum de messages permis en trente jours glissants',
  },
  call_cap: {
    en: 'a consumer is called four times in thirty rolling days at most',
    fr: 'un consommateur est appelé quatre fois en trente jours glissants au plus',
  },
  sign_of_life: {
    en: 'the debtor has just answered or paid, and is left in peace for three days',
    fr: 'le débiteur vient de répondre ou de payer, et est laissé tranquille trois jours',
  },
  notice_running: {
    en: 'the time to pay of the formal notice is still running',
    fr: 'le délai de la mise en demeure court encore',
  },
  not_due: { en: 'the invoice is not overdue before then', fr: 'la facture n’est pas échue avant' },
}

export const otherRuleText: Texts = {
  en: 'the contact rules ask for it',
  fr: 'les règles de contact l’exigent',
}

export const planTexts = {
  title: { en: 'To be confirmed', fr: 'À confirmer' },
  howTo: {
    en: 'Nothing has been done yet. Answer **yes** within 10 minutes, and exactly this is done; anything else drops it.',
    fr: 'Rien n’est encore fait. Répondez **oui** dans les 10 minutes, et exactement ceci sera fait ; toute autre réponse l’annule.',
  },
  until: { en: 'until', fr: 'jusqu’au' },
  untilResumed: { en: 'until you resume it', fr: 'jusqu’à ce que vous le repreniez' },
  on: { en: 'on', fr: 'le' },
  moved: { en: 'Asked for', fr: 'Demandé pour' },
  because: { en: 'moved by the rules', fr: 'déplacé par les règles' },
  invoice: { en: 'invoice', fr: 'la facture' },
  done: { en: 'Done', fr: 'Fait' },
  refused: { en: 'Refused', fr: 'Refusé' },
  notTried: { en: 'Not tried', fr: 'Non tenté' },
} as const satisfies Record<string, Texts>

/** What the program says instead of the model. */
export const programTexts = {
  cut: {
    en: 'I stopped here: one answer may look things up eight times at most. Ask for something more precise, or go on in a new message.',
    fr: 'Je m’arrête ici : une réponse peut consulter les données huit fois au plus. Posez une question plus précise, ou continuez dans un nouveau message.',
  },
  interrupted: {
    en: 'This answer was interrupted; nothing was done. Ask again.',
    fr: 'Cette réponse a été interrompue ; rien n’a été fait. Reposez la question.',
  },
} as const satisfies Record<string, Texts>
