import type { Hold, Today } from '@relance/sdk'
import { defineWords } from '../../lib/language.tsx'

export type QueueLine = NonNullable<Today['queues']>[number]
export type HeldLine = NonNullable<Today['held']>[number]
export type Queue = QueueLine['kind']
export type Unit = QueueLine['unit']
type StopCause = NonNullable<Today['stopped']>['because']
export type Trouble = 'bounced' | 'failed' | 'unknown'

/** Display order: replies of debtors come before queues that can wait. */
export const queueOrder = [
  'situations',
  'replies',
  'disputes',
  'decide',
  'reopened',
  'wrongPerson',
  'addressRefused',
  'upheld',
  'unknown',
  'parked',
] as const satisfies readonly Queue[]

/** The order in which the figures of a line are named. */
export const unitOrder = [
  'replies',
  'addresses',
  'messages',
  'debtors',
  'invoices',
] as const satisfies readonly Unit[]

const plural = (n: number) => (n > 1 ? 's' : '')

export const words = defineWords(
  {
    today: 'Aujourd’hui',
    previousDay: 'Jour précédent',
    nextDay: 'Jour suivant',
    backToToday: 'Revenir à aujourd’hui',
    days: 'Jours',
    figures: 'La journée en chiffres',
    planned: (n: number) => `message${plural(n)} à partir`,
    left: (n: number) => `parti${plural(n)}`,
    collected: 'encaissés',
    stopped: {
      sending_stopped: 'Rien ne part : les envois sont arrêtés.',
      company_incomplete: 'Rien ne part : il manque à la société une adresse ou un moyen de paiement.',
      mandate_missing: 'Rien ne part : le mandat de recouvrement manque.',
      collector_unconfigured: 'Rien ne part : l’exploitant n’a pas fini de configurer le recouvrement.',
    } satisfies Record<StopCause, string>,
    troubles: {
      bounced: (n: number, text: string) => `${text} rejeté${plural(n)}`,
      failed: (_n: number, text: string) => `${text} en échec`,
      unknown: (_n: number, text: string) => `${text} au sort inconnu`,
    } satisfies Record<Trouble, unknown>,
    queues: {
      title: 'Vous attend',
      empty: 'Rien ne vous attend. Les relances suivent leur cours.',
      names: {
        situations: 'Situations à vérifier',
        replies: 'Réponses à lire',
        disputes: 'Contestations à examiner',
        decide: 'Décisions à prendre',
        reopened: 'Paiements repartis',
        wrongPerson: 'Adresses à corriger',
        addressRefused: 'Adresses refusées',
        upheld: 'Contestations acceptées, sans suite donnée',
        unknown: 'Messages au sort inconnu',
        parked: 'Débiteurs que rien ne fait avancer',
      } satisfies Record<Queue, string>,
      hints: {
        situations:
          'Surendettement, procédure, décès, identité, protection. Rien ne part avant votre décision.',
        replies: 'Le débiteur a écrit. Rien ne part avant votre lecture.',
        disputes: 'Le débiteur conteste. Les relances attendent votre décision.',
        decide: 'Les relances sont finies, ou ne peuvent pas continuer.',
        reopened: 'L’argent reçu est reparti. Reprenez les relances, ou non.',
        wrongPerson: 'L’adresse est celle de quelqu’un d’autre.',
        addressRefused: 'Un message est revenu. Ce qui en a besoin attend une adresse.',
        upheld: 'Reprenez les relances, ou émettez un avoir.',
        unknown: 'Le prestataire n’a pas dit s’ils sont partis. Ils ne sont pas renvoyés.',
        parked: 'Leur traitement a échoué plusieurs fois. L’exploitant doit le relancer.',
      } satisfies Record<Queue, string>,
    },
    held: {
      title: 'Ne partent pas',
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
        debtor: 'Débiteur en pause',
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
      messages: (n: number, text: string) => `${text} message${plural(n)}`,
      debtors: (n: number, text: string) => `${text} débiteur${plural(n)}`,
      replies: (n: number, text: string) => `${text} réponse${plural(n)}`,
      addresses: (n: number, text: string) => `${text} adresse${plural(n)}`,
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
    figures: 'The day in numbers',
    planned: n => (n === 1 ? 'message to send' : 'messages to send'),
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
    queues: {
      title: 'Waiting for you',
      empty: 'Nothing is waiting for you. The reminders take their course.',
      names: {
        situations: 'Situations to check',
        replies: 'Replies to read',
        disputes: 'Disputes to review',
        decide: 'Decisions to take',
        reopened: 'Money that went back',
        wrongPerson: 'Addresses to correct',
        addressRefused: 'Refused addresses',
        upheld: 'Disputes upheld, nothing done since',
        unknown: 'Messages of unknown outcome',
        parked: 'Debtors that do not move on',
      },
      hints: {
        situations:
          'Over-indebtedness, proceedings, a death, identity, protection. Nothing is sent before you decide.',
        replies: 'The debtor wrote. Nothing is sent before you have read it.',
        disputes: 'The debtor disputes. The reminders wait for your decision.',
        decide: 'The reminders are over, or cannot go on.',
        reopened: 'The money received went back. Resume the reminders, or not.',
        wrongPerson: 'The address is somebody else’s.',
        addressRefused: 'A message came back. What needs it waits for an address.',
        upheld: 'Resume the reminders, or issue a credit note.',
        unknown: 'The provider did not say whether they were sent. They are not sent again.',
        parked: 'Their processing failed several times. The operator has to start it again.',
      },
    },
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
      messages: (n, text) => `${text} ${n === 1 ? 'message' : 'messages'}`,
      debtors: (n, text) => `${text} ${n === 1 ? 'debtor' : 'debtors'}`,
      replies: (n, text) => `${text} ${n === 1 ? 'reply' : 'replies'}`,
      addresses: (n, text) => `${text} ${n === 1 ? 'address' : 'addresses'}`,
    },
    moreThan: text => `more than ${text}`,
    dataOf: time => `data of ${time}`,
  },
)
