import type { Hold, Today } from '@relance/sdk'
import { defineWords } from '../../lib/language.tsx'

export type QueueLine = NonNullable<Today['queues']>[number]
export type HeldLine = NonNullable<Today['held']>[number]
export type Unit = 'debtors' | 'invoices'
type StopCause = NonNullable<Today['stopped']>['because']
export type Trouble = 'bounced' | 'failed' | 'unknown'

/** The order in which the figures of a line are named. */
export const unitOrder = ['debtors', 'invoices'] as const satisfies readonly Unit[]

const plural = (n: number) => (n > 1 ? 's' : '')

export const words = defineWords(
  {
    today: 'Aujourd’hui',
    previousDay: 'Jour précédent',
    nextDay: 'Jour suivant',
    backToToday: 'Revenir à aujourd’hui',
    days: 'Jours',
    leaving: 'Partent aujourd’hui',
    leavingThen: 'Contacts prévus',
    leftThen: 'Messages du jour',
    leavingRows: 'Clients contactés',
    allLeaving: (n: number, text: string) => (n > 1 ? `Les ${text} clients` : 'Ce client dans la liste'),
    nothingLeaves: 'Plus rien n’est à envoyer aujourd’hui.',
    figures: 'La journée en chiffres',
    planned: (_n: number) => 'à envoyer',
    left: (n: number) => `envoyé${plural(n)}`,
    collected: 'encaissés',
    stopped: {
      sending_stopped: 'Rien ne part\u00a0: les envois sont arrêtés.',
      company_incomplete: 'Rien ne part\u00a0: il manque à la société une adresse ou un moyen de paiement.',
      mandate_missing: 'Rien ne part\u00a0: le mandat de recouvrement manque.',
      collector_unconfigured: 'Rien ne part\u00a0: l’exploitant n’a pas fini de configurer le recouvrement.',
    } satisfies Record<StopCause, string>,
    troubles: {
      bounced: (n: number, text: string) => `${text} rejeté${plural(n)}`,
      failed: (_n: number, text: string) => `${text} en échec`,
      unknown: (_n: number, text: string) => `${text} sans nouvelle`,
    } satisfies Record<Trouble, unknown>,
    parked: (n: number, text: string) => `${text} client${plural(n)} que rien ne fait avancer`,
    parkedHint: 'Le traitement a échoué plusieurs fois. L’exploitant doit le relancer.',
    held: {
      title: 'Retenues',
      empty: 'Rien n’est retenu.',
      names: {
        dispute: 'Contestation ouverte',
        wrong_person: 'Mauvais destinataire',
        address_refused: 'Adresse refusée',
        situation: 'Situation à vérifier',
        insolvency: 'Procédure ouverte',
        reply: 'Réponse à lire',
        upheld: 'Contestation acceptée',
        reopened: 'Paiement reparti',
        promise: 'Promesse en cours',
        asked: 'En pause, à votre demande',
        debtor: 'Client en pause',
      } satisfies Record<Hold, string>,
      until: {
        dispute: 'jusqu’à votre décision',
        wrong_person: 'jusqu’à une nouvelle adresse',
        address_refused: 'jusqu’à une adresse corrigée ou réessayée',
        situation: 'jusqu’à votre décision',
        insolvency: 'tant que dure la procédure',
        reply: 'jusqu’à votre lecture',
        upheld: 'jusqu’à votre reprise',
        reopened: 'jusqu’à votre reprise',
        promise: 'jusqu’au jour promis',
        asked: 'jusqu’à la date choisie ou votre reprise',
        debtor: 'jusqu’à la date choisie ou votre reprise',
      } satisfies Record<Hold, string>,
    },
    units: {
      invoices: (n: number, text: string) => `${text} facture${plural(n)}`,
      debtors: (n: number, text: string) => `${text} client${plural(n)}`,
    } satisfies Record<Unit, unknown>,
    moreThan: (text: string) => `plus de ${text}`,
    dataOf: (time: string) => `données de ${time}`,
  },
  {
    today: 'Today',
    previousDay: 'Previous day',
    nextDay: 'Next day',
    backToToday: 'Back to today',
    days: 'Days',
    leaving: 'Leaving today',
    leavingThen: 'Planned contacts',
    leftThen: 'Messages of the day',
    leavingRows: 'Clients to be contacted',
    allLeaving: (n, text) => (n === 1 ? 'This client in the list' : `All ${text} clients`),
    nothingLeaves: 'Nothing is left to send today.',
    figures: 'The day in numbers',
    planned: (_n: number) => 'to send',
    left: (_n: number) => 'sent',
    collected: 'collected',
    stopped: {
      sending_stopped: 'Nothing is sent: sending is stopped.',
      company_incomplete: 'Nothing is sent: the company lacks an address or a means of payment.',
      mandate_missing: 'Nothing is sent: the mandate to collect is missing.',
      collector_unconfigured: 'Nothing is sent: the operator has not finished setting up the collection.',
    },
    troubles: {
      bounced: (_n, text) => `${text} bounced`,
      failed: (_n, text) => `${text} failed`,
      unknown: (_n, text) => `${text} of unknown outcome`,
    },
    parked: (n, text) => `${text} ${n === 1 ? 'client that does' : 'clients that do'} not move on`,
    parkedHint: 'Their processing failed several times. The operator has to start it again.',
    held: {
      title: 'Held back',
      empty: 'Nothing is held.',
      names: {
        dispute: 'Open dispute',
        wrong_person: 'Wrong person',
        address_refused: 'Refused address',
        situation: 'Situation to check',
        insolvency: 'Proceedings open',
        reply: 'Reply to read',
        upheld: 'Dispute upheld',
        reopened: 'Money went back',
        promise: 'Promise to pay',
        asked: 'Paused at your request',
        debtor: 'Debtor paused',
      },
      until: {
        dispute: 'until you decide',
        wrong_person: 'until there is a new address',
        address_refused: 'until it is corrected or tried again',
        situation: 'until you decide',
        insolvency: 'as long as the proceedings last',
        reply: 'until you read it',
        upheld: 'until you resume',
        reopened: 'until you resume',
        promise: 'until the promised day',
        asked: 'until the chosen date, or until you resume',
        debtor: 'until the chosen date, or until you resume',
      },
    },
    units: {
      invoices: (n, text) => `${text} ${n === 1 ? 'invoice' : 'invoices'}`,
      debtors: (n, text) => `${text} ${n === 1 ? 'client' : 'clients'}`,
    },
    moreThan: text => `more than ${text}`,
    dataOf: time => `data of ${time}`,
  },
)
