import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { DataRequestDecision, DataRequestKind } from '../../../domain/data-request.ts'
import { fr } from '../../../domain/french.ts'
import { cents, formatMoney } from '../../../domain/money/money.ts'
import type { SkipBecause, StepName } from '../../../domain/recovery/cascade.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import type { SaidReply, Situation, SituationDecision } from '../../../domain/recovery/told.ts'
import type { DisputeCategory } from './debtor-events.ts'
import type { HistoryParams, HistoryTexts, ReceiptOnDay } from './history-codes.ts'

const months = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
)

/** A day as French writes it: `1er décembre 2026`. */
const dayText = (date: string): string => {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${day === '01' ? '1er' : Number(day)} ${months[Number(month) - 1]} ${year}`
}
const momentText = (moment: string): string =>
  `${dayText(moment)} à ${moment.slice(11, 16)} (temps universel)`

const stepTexts: Record<StepName, string> = {
  email_prise_en_charge: 'e-mail de prise en charge',
  relance_email_1: 'première relance par e-mail',
  sms_reminder: 'rappel par SMS',
  relance_email_2: 'deuxième relance par e-mail',
  ai_call: 'appel',
  relance_email_3: 'troisième relance par e-mail',
  lrar_mise_en_demeure: 'mise en demeure',
  ai_call_2: 'second appel',
  email_dernier_avis: 'dernier avis par e-mail',
  revue_judiciaire: 'décision',
}

const acceptedTexts: Record<Channel, string> = {
  email: 'E-mail accepté par le serveur de messagerie.',
  sms: 'SMS accepté par l’opérateur.',
  lrar: 'Lettre recommandée déposée.',
  voice: 'Appel passé.',
}

/** How the message of another invoice went. */
const wayTexts: Record<Channel, string> = {
  email: 'par e-mail',
  sms: 'par SMS',
  lrar: 'par lettre recommandée',
  voice: 'par téléphone',
}

const receiptText = (channel: Channel, { outcome, on }: ReceiptOnDay): string => {
  const day = dayText(on)
  switch (outcome) {
    case 'delivered':
      return channel === 'voice' ? `Décroché le ${day}.` : `Remis le ${day}.`
    case 'bounced':
      return fr`Revenu sans être remis le ${day} ; ce n’est pas un contact.`
    case 'no_answer':
      return 'Personne n’a répondu.'
    case 'presented':
      return `Présentée le ${day}.`
    case 'signed':
      return `Signée le ${day}.`
    case 'refused':
      return `Refusée par le destinataire le ${day}.`
    case 'unclaimed':
      return `Non réclamée, retournée le ${day}.`
  }
}

const skipTexts: Record<SkipBecause, string> = {
  no_phone: fr`Étape omise : aucun numéro de téléphone n’est connu.`,
  no_mobile: fr`Étape omise : aucun numéro de mobile n’est connu.`,
  opted_out: fr`Étape omise : le client ne veut pas être contacté ainsi.`,
  small_balance: fr`Étape omise : la somme est trop faible pour un appel.`,
  no_provider: fr`Étape omise : aucun prestataire n’est configuré pour ce canal.`,
  notice_instead: fr`Étape omise : une mise en demeure pour une autre facture a été envoyée par e-mail ce jour-là.`,
  replaced: fr`Étape omise : un message demandé part à sa place.`,
  letter_first: fr`Étape omise : le premier message d’un mandataire est un e-mail ou une lettre.`,
}

const holdTexts: Record<Hold, string> = {
  asked: 'pause demandée',
  promise: 'un paiement est promis',
  dispute: 'une contestation est ouverte',
  upheld: 'la contestation a été acceptée',
  reopened: 'de l’argent reçu est reparti',
  insolvency: 'une procédure est ouverte',
  wrong_person: 'l’adresse est celle de quelqu’un d’autre',
  address_refused: 'l’adresse a refusé un message',
  situation: 'une situation signalée attend une décision',
  reply: 'une réponse du client n’est pas lue',
  debtor: 'le client est en pause',
}

const callTexts: Record<CallOutcome, string> = {
  unreachable: 'Personne n’a été joint',
  nothing_agreed: 'L’appel s’est terminé sans résultat',
  voicemail: fr`Un répondeur a décroché ; aucun message n’y a été laissé`,
  hand_over: 'La personne veut parler à quelqu’un',
  waiting_approval: 'La facture attend une validation',
  invoice_not_received: 'La personne dit n’avoir jamais reçu la facture',
  payment_sent: 'La personne dit que le paiement est en route',
  promise: 'Un paiement a été promis',
  dispute: 'La facture est contestée',
  wrong_person: 'C’était quelqu’un d’autre',
  opt_out: 'La personne ne veut plus être appelée',
}

const channelTexts: Record<Channel, string> = {
  email: 'Le client ne veut plus recevoir d’e-mails',
  sms: 'Le client ne veut plus recevoir de SMS',
  voice: 'Le client ne veut plus être appelé',
  lrar: 'Le client ne veut plus recevoir de lettres recommandées',
}

const routeTexts: Record<HistoryParams['judicial']['route'], string> = {
  small_claims: 'la procédure simplifiée de recouvrement',
  payment_order: 'l’injonction de payer',
  administrative_court: 'le tribunal administratif',
}

const basisTexts: Record<HistoryParams['written_off']['basis'], string> = {
  amicable_failed: 'le recouvrement amiable a échoué',
  liquidation: 'le client est en liquidation',
  untraceable: 'le client est introuvable',
  enforcement_failed: 'l’exécution a échoué',
  time_barred: 'la créance est prescrite',
}

const disputeTexts: Record<HistoryParams['dispute_resolved']['outcome'], string> = {
  upheld: fr`Contestation acceptée ; les relances restent arrêtées.`,
  rejected: 'Contestation rejetée.',
  partly: 'Contestation acceptée en partie.',
}

const endedTexts: Record<Hold, string> = {
  asked: 'La pause demandée est terminée',
  promise: 'Plus rien n’est promis',
  dispute: 'La contestation est close',
  upheld: 'La contestation acceptée est traitée',
  reopened: 'L’argent reparti est traité',
  insolvency: 'La procédure est terminée',
  wrong_person: 'L’adresse a été corrigée',
  address_refused: 'Une autre adresse est utilisée, ou celle-ci est réessayée',
  situation: 'Une décision a été prise sur la situation signalée',
  reply: 'La réponse a été lue',
  debtor: 'La pause du client est terminée',
}

const refusedTexts: Record<Channel, string> = {
  email: 'L’adresse e-mail ne fonctionne pas',
  sms: 'Le numéro de téléphone ne reçoit pas de SMS',
  voice: 'Le numéro de téléphone ne peut pas être appelé',
  lrar: fr`La lettre est revenue : l’adresse postale ne fonctionne pas`,
}

const saidTexts: Record<SaidReply, string> = {
  payment_sent: 'la facture est déjà payée',
  invoice_not_received: 'la facture n’est jamais arrivée',
  waiting_approval: 'la facture attend une validation',
  hand_over: 'une réponse du créancier est attendue',
}

const situationTexts: Record<Situation, string> = {
  insolvency: 'surendettement ou procédure collective',
  deceased: 'la personne est décédée',
  identity_theft: 'quelqu’un a usurpé son identité',
  protected_person: 'la personne est mineure ou protégée',
}

const decisionTexts: Record<SituationDecision, string> = {
  insolvency: fr`Vérifié : la procédure est enregistrée.`,
  representative: fr`Vérifié : un héritier ou un représentant est enregistré ; c’est à lui que nous écrivons désormais.`,
  identity_theft: fr`Vérifié : l’identité a été usurpée ; la facture est contestée.`,
  not_confirmed: fr`Vérifié : ce qui a été signalé n’est pas confirmé ; le client en est informé.`,
}

const requestTexts: Record<DataRequestKind, string> = {
  objection: 'Opposition à l’usage des données (art. 21 du RGPD)',
  restriction: 'Demande de limiter l’usage des données (art. 18 du RGPD)',
}
const requestDecisionTexts: Record<DataRequestDecision, string> = {
  granted: fr`acceptée ; les relances restent arrêtées`,
  refused: 'refusée',
  lifted: 'la limitation est levée',
}

const insolvencyTexts: Readonly<Record<string, string>> = {
  safeguard: 'Une procédure de sauvegarde',
  receivership: 'Une procédure de redressement judiciaire',
  liquidation: 'Une procédure de liquidation judiciaire',
  over_indebtedness: 'Une procédure de surendettement',
}

const categoryTexts: Record<DisputeCategory, string> = {
  not_received: 'marchandise ou prestation non reçue',
  not_as_agreed: 'non conforme ou défectueux',
  wrong_quantity: 'quantité',
  wrong_amount: 'prix ou montant',
  already_paid: 'déjà payée',
  not_owed: 'non due ou non commandée',
  other: 'autre motif',
}

const methodTexts: Readonly<Record<string, string>> = {
  cheque: 'par chèque',
  card: 'par carte',
  bank_transfer: 'par virement',
  sepa_debit: 'par prélèvement',
  payment_link: 'par lien de paiement',
}

const sum = ({ amountCents, currency }: { amountCents: number; currency: string }) =>
  formatMoney(cents(amountCents), currency, 'fr')
const withReason = (text: string, reason: string | undefined) =>
  reason === undefined ? text : fr`${text} Motif : ${reason}`
const withWords = (text: string, words: string | undefined) =>
  words === undefined ? `${text}.` : fr`${text} : ${words}`
const goesOn = (isStillHeld: boolean) =>
  isStillHeld ? 'autre chose retient encore les relances' : 'les relances reprennent'

function message(
  { channel, groupedWith, insteadOf, receipts = [] }: HistoryParams['message_accepted'],
  outcome: string,
): string {
  const way =
    groupedWith !== undefined
      ? [`Groupée avec ${groupedWith}, ${wayTexts[channel]}.`]
      : insteadOf === 'lrar' && channel === 'email'
        ? [
            fr`Envoyée par e-mail : aucune adresse postale n’est connue, ou la somme est trop faible pour une lettre.`,
          ]
        : []
  return [...way, outcome, ...receipts.map(receipt => receiptText(channel, receipt))].join(' ')
}

export const frenchHistory: HistoryTexts = {
  message_accepted: params => message(params, acceptedTexts[params.channel]),
  message_accepted_late: params => message(params, 'Accepté, comme on l’a appris plus tard.'),
  message_given_up: params =>
    message(
      params,
      withWords(`Arrêté après ${params.attempts} essais`, params.reason && `${params.reason}.`),
    ),
  message_refused: params => message(params, withWords('Refusé', params.reason && `${params.reason}.`)),
  message_unknown: params =>
    message(
      params,
      fr`Sans nouvelle de cet envoi ; il compte comme un contact et n’est pas répété aujourd’hui.`,
    ),
  message_failed: params =>
    message(
      params,
      withWords('N’a pas pu être envoyé, sera peut-être réessayé', params.reason && `${params.reason}.`),
    ),
  message_undeliverable: () => fr`Non envoyé : le jour venu, cette voie n’était plus possible.`,
  message_taken_back: () => 'Retiré avant l’envoi.',
  step_skipped: ({ because }) => skipTexts[because],
  step_jumped: () => 'Sautée par une escalade.',
  awaiting_decision: () =>
    fr`Les relances sont terminées. À vous de décider : terminer l’amiable, échéancier, classement comme irrécouvrable ou clôture.`,
  promise_broken: ({ isStillHeld }) => fr`Le paiement promis n’est pas arrivé ; ${goesOn(isStillHeld)}.`,
  pause_over: ({ isStillHeld }) => fr`La pause demandée est terminée ; ${goesOn(isStillHeld)}.`,
  started: ({ reason }) => withReason('Recouvrement démarré.', reason),
  paused: ({ until, reason }) =>
    withReason(until === undefined ? 'Mis en pause.' : `Mis en pause jusqu’au ${momentText(until)}.`, reason),
  resumed: ({ reason }) => withReason('Repris.', reason),
  debtor_paused: ({ until, reason }) =>
    withReason(
      until === undefined ? 'Client mis en pause.' : `Client mis en pause jusqu’au ${momentText(until)}.`,
      reason,
    ),
  cancelled: ({ hasClosingNotice, reason }) =>
    withReason(
      hasClosingNotice ? fr`Relance clôturée ; un avis de clôture est prévu.` : 'Relance clôturée.',
      reason,
    ),
  escalated: ({ step, reason }) =>
    withReason(fr`Étape suivante : ${stepTexts[step as StepName] ?? step}.`, reason),
  judicial: ({ route, limitationOn, isNoticeConfirmed, reason }) =>
    withReason(
      fr`Suivi amiable terminé. Voie possible : ${routeTexts[route]}. Rien n’a été déposé : la prescription court jusqu’au ${dayText(limitationOn)} (estimation).${isNoticeConfirmed ? ' Le créancier confirme que la mise en demeure a été reçue.' : ''}`,
      reason,
    ),
  filed: ({ date, note }) => withWords(`Déposé le ${dayText(date)}`, note),
  served: ({ date, note }) => withWords(`Signifié le ${dayText(date)}`, note),
  written_off: ({ basis }) => fr`Classé comme irrécouvrable : ${basisTexts[basis]}.`,
  promised: params => withWords(`${sum(params)} promis pour le ${dayText(params.date)}`, params.note),
  disputed: params =>
    withWords(
      `Le client conteste ${sum(params)} de la facture${params.category === undefined ? '' : ` (${categoryTexts[params.category]})`}`,
      params.reason,
    ),
  dispute_resolved: ({ outcome, amountCents, currency, reason }) =>
    withReason(
      amountCents === undefined || currency === undefined
        ? disputeTexts[outcome]
        : `Contestation acceptée pour ${sum({ amountCents, currency })}.`,
      reason,
    ),
  opted_out: ({ channel, reason }) => withWords(channelTexts[channel], reason),
  wrong_person: ({ point, reason }) =>
    fr`${point === 'email' ? 'L’adresse e-mail' : 'Le numéro de téléphone'} est à quelqu’un d’autre${reason === undefined ? '' : ` (${reason})`} ; corrigez, et les relances reprennent.`,
  wrong_address_given: () =>
    fr`La nouvelle adresse est à quelqu’un d’autre ; corrigez-la, et les relances reprennent.`,
  address_refused: ({ channel }) =>
    fr`${refusedTexts[channel]} ; corrigez. Les relances qui en ont besoin attendent, sauf si une autre personne peut les recevoir.`,
  next_person: ({ channel }) =>
    fr`${channel === 'email' ? 'Les e-mails' : 'Les SMS et les appels'} vont au contact suivant du client.`,
  insolvency_opened: ({ kind, on }) =>
    fr`${insolvencyTexts[kind ?? ''] ?? 'Une procédure'} est ouverte${on === undefined ? '' : ` depuis le ${dayText(on)}`} ; les relances sont en pause.`,
  reply_received: ({ said }) =>
    fr`Le client a répondu${said === undefined ? '' : ` (${saidTexts[said]})`} ; les relances attendent que sa réponse soit lue.`,
  situation_reported: ({ said, isTold, reason }) =>
    withReason(
      said === undefined
        ? 'Le client a signalé sa situation. Rien ne part avant une décision.'
        : fr`${isTold ? 'Signalement enregistré' : 'Le client signale'} : ${situationTexts[said]}. Rien ne part avant une décision.`,
      reason,
    ),
  situation_decided: ({ decision, reason }) => withReason(decisionTexts[decision], reason),
  data_requested: ({ kind, receivedOn, dueOn, reason }) =>
    withReason(
      fr`${requestTexts[kind]} : reçue le ${dayText(receivedOn)}, réponse due le ${dayText(dueOn)} au plus tard. Les relances attendent.`,
      reason,
    ),
  data_request_decided: ({ kind, decision, reason }) =>
    withReason(fr`${requestTexts[kind]} : ${requestDecisionTexts[decision]}.`, reason),
  note_written: ({ note, comeBackOn }) =>
    withWords(comeBackOn === undefined ? 'Note' : `Note, à revoir le ${dayText(comeBackOn)}`, note),
  hold_ended: ({ hold, stillHeldBy, reason }) =>
    withReason(
      stillHeldBy === undefined
        ? `${endedTexts[hold]}.`
        : stillHeldBy.length === 0
          ? fr`${endedTexts[hold]} ; les relances reprennent.`
          : fr`${endedTexts[hold]} ; toujours en pause : ${stillHeldBy.map(other => holdTexts[other]).join(', ')}.`,
      reason,
    ),
  call_ended: ({ outcome, note }) => withWords(callTexts[outcome], note),
  payment_received: params =>
    `${sum(params)} reçus${params.method === undefined ? '' : ` ${methodTexts[params.instrument ?? params.method]}`}.`,
  payment_refunded: params => withReason(`${sum(params)} rendus au client.`, params.reason),
  payment_reversed: params => withReason(`${sum(params)} reçus ont été repris.`, params.reason),
  credit_added: params => `Avoir${params.number === undefined ? '' : ` ${params.number}`} de ${sum(params)}.`,
}
