import type { alertedEvents } from '../../platform/events/alerts.ts'

/** The facts for one line of a mail or of its page. */
export interface AlertFacts {
  debtor: string
  invoice: string
  balance: string
  data: Record<string, unknown>
}

type AlertName = (typeof alertedEvents)[number] | 'provider_away'

/** `provider_away.email` is the kind of one channel. */
export const kindOf = (kind: string): { name: AlertName; channel: string } =>
  kind.startsWith('provider_away.')
    ? { name: 'provider_away', channel: kind.slice('provider_away.'.length) }
    : { name: kind as AlertName, channel: '' }

interface KindTexts {
  /** The subject for one, and for several. */
  one: (facts: AlertFacts) => string
  many: (total: number, channel: string) => string
  line: (facts: AlertFacts) => string
  /** What follows from it, and what to do. */
  next: string
}

const englishChannels: Record<string, string> = {
  email: 'email',
  sms: 'text messages',
  lrar: 'registered letters',
  voice: 'calls',
}
const frenchChannels: Record<string, string> = {
  email: 'e-mails',
  sms: 'SMS',
  lrar: 'lettres recommandées',
  voice: 'appels',
}
const dayIn = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (data: Record<string, unknown>) => format.format(Date.parse(String(data.date)))
}
const [englishDay, frenchDay] = [dayIn('en-GB'), dayIn('fr-FR')]
const point = (data: Record<string, unknown>) => (data.contactPoint === 'phone' ? 'phone' : 'email')

const english = {
  somebody: 'a debtor',
  more: (rest: number) => `and ${rest} more`,
  link: 'Everything about it, and what you can do, is on this page (nothing happens by opening it):',
  footer:
    'You get this mail because you follow the invoices of your company with Relance. You can switch it off on that page.',
  kinds: {
    'dispute.opened': {
      one: ({ debtor, invoice }) => `${debtor} disputes invoice ${invoice}`,
      many: total => `${total} invoices are disputed`,
      line: ({ debtor, invoice, balance }) => `${debtor} disputes invoice ${invoice} (${balance} open).`,
      next: 'The reminders for a disputed invoice wait until you have answered.',
    },
    'promise.recorded': {
      one: ({ debtor, data }) => `${debtor} promises to pay by ${englishDay(data)}`,
      many: total => `${total} payments are promised`,
      line: ({ debtor, invoice, data }) =>
        `${debtor} promises to pay invoice ${invoice} by ${englishDay(data)}.`,
      next: 'The reminders wait for that day and two working days more. There is nothing to do.',
    },
    'promise.broken': {
      one: ({ debtor, invoice }) => `${debtor} has not paid invoice ${invoice} as promised`,
      many: total => `${total} promised payments did not arrive`,
      line: ({ debtor, invoice, balance, data }) =>
        `${debtor} promised to pay invoice ${invoice} by ${englishDay(data)}; ${balance} is still open.`,
      next: 'The reminders go on by themselves, unless you pause them.',
    },
    'debtor.wrong_person': {
      one: ({ debtor }) => `The address of ${debtor} belongs to somebody else`,
      many: total => `${total} addresses belong to somebody else`,
      line: ({ debtor, data }) =>
        `The ${point(data) === 'email' ? 'email address' : 'phone number'} of ${debtor} belongs to somebody else.`,
      next: 'Nobody is written to until the address is corrected.',
    },
    'message.bounced': {
      one: ({ debtor }) => `A message to ${debtor} came back`,
      many: total => `${total} messages came back`,
      line: ({ debtor, invoice, data }) =>
        `A message to ${debtor} about invoice ${invoice} came back (${englishChannels[String(data.channel)]}).`,
      next: 'Check the address: with a wrong one the reminders reach nobody.',
    },
    'reply.received': {
      one: ({ debtor }) => `${debtor} has answered`,
      many: total => `${total} answers have arrived`,
      line: ({ debtor, invoice }) => `${debtor} answered a message about invoice ${invoice}.`,
      next: 'You find the answer where answers of debtors arrive, usually your mailbox. Nothing more is sent until you say that you have read it.',
    },
    'decision.due': {
      one: ({ debtor, invoice }) => `Decide how it goes on: ${debtor}, invoice ${invoice}`,
      many: total => `${total} invoices wait for your decision`,
      line: ({ debtor, invoice, balance, data }) =>
        data.cause === 'unknown_send'
          ? `Nobody knows whether the last message to ${debtor} about invoice ${invoice} arrived.`
          : `The reminders of invoice ${invoice} are over; ${debtor} owes ${balance}.`,
      next: 'Nothing more happens until you decide.',
    },
    provider_away: {
      one: () => 'Messages wait',
      many: (_, channel) => `Your messages wait: ${englishChannels[channel]} cannot be sent at the moment`,
      line: () => '',
      next: 'The provider does not accept messages. Yours are kept, and leave by themselves when it is back. There is nothing to do.',
    },
  } as Record<AlertName, KindTexts>,
  page: {
    title: 'What has happened',
    done: 'Done.',
    refused: 'This could not be done. It may be settled already, or what was typed is not right.',
    settled: 'There is nothing more to do here.',
    noRight: 'Your role may not act on this. Ask an owner of your company.',
    rest: (rest: number) => `And ${rest} more; see them in the list of events.`,
    reason: 'What the debtor says:',
    dispute: {
      legend: 'What do you answer?',
      outcomes: {
        rejected: 'The invoice is right: the reminders go on',
        partly: 'The debtor is right in part: the reminders go on',
        upheld: 'The debtor is right: the reminders stay stopped',
      },
      submit: 'Answer the debtor',
      hint: 'The debtor is told by email.',
    },
    address: { email: 'The right email address', phone: 'The right phone number', submit: 'Correct it' },
    read: 'I have read the answer',
    pause: 'Pause the reminders',
    decision: {
      legend: 'How does it go on?',
      actions: {
        cancel: 'Stop for good',
        escalate: 'On to the court',
        resume: 'Go on with the reminders',
      },
      submit: 'Decide',
    },
    off: 'Do not mail me about this any more',
    isOff:
      'You are not mailed about your invoices any more. An owner can change that on the page of the company.',
    dead: 'This link does not work any more',
    deadText: 'It is older than two weeks, or you do not get these mails any more.',
  },
}

type AlertTexts = typeof english

const french: AlertTexts = {
  somebody: 'un débiteur',
  more: rest => `et ${rest} de plus`,
  link: 'Tout est sur cette page, avec ce que vous pouvez faire (l’ouvrir ne déclenche rien)\u00a0:',
  footer:
    'Vous recevez cet e-mail parce que vous suivez les factures de votre entreprise avec Relance. Vous pouvez l’arrêter sur cette page.',
  kinds: {
    'dispute.opened': {
      one: ({ debtor, invoice }) => `${debtor} conteste la facture ${invoice}`,
      many: total => `${total} factures sont contestées`,
      line: ({ debtor, invoice, balance }) =>
        `${debtor} conteste la facture ${invoice} (reste dû\u00a0: ${balance}).`,
      next: 'Les rappels d’une facture contestée attendent votre réponse.',
    },
    'promise.recorded': {
      one: ({ debtor, data }) => `${debtor} annonce un paiement pour le ${frenchDay(data)}`,
      many: total => `${total} paiements sont annoncés`,
      line: ({ debtor, invoice, data }) =>
        `${debtor} annonce le paiement de la facture ${invoice} pour le ${frenchDay(data)}.`,
      next: 'Les rappels attendent ce jour et deux jours ouvrés de plus. Vous n’avez rien à faire.',
    },
    'promise.broken': {
      one: ({ debtor, invoice }) => `${debtor} n’a pas payé la facture ${invoice} comme annoncé`,
      many: total => `${total} paiements annoncés ne sont pas arrivés`,
      line: ({ debtor, invoice, balance, data }) =>
        `${debtor} avait annoncé le paiement de la facture ${invoice} pour le ${frenchDay(data)}\u00a0; reste dû\u00a0: ${balance}.`,
      next: 'Les rappels reprennent d’eux-mêmes, sauf si vous les mettez en pause.',
    },
    'debtor.wrong_person': {
      one: ({ debtor }) => `Les coordonnées de ${debtor} sont celles de quelqu’un d’autre`,
      many: total => `${total} coordonnées sont celles de quelqu’un d’autre`,
      line: ({ debtor, data }) =>
        `${point(data) === 'email' ? 'L’adresse e-mail' : 'Le numéro de téléphone'} de ${debtor} appartient à quelqu’un d’autre.`,
      next: 'Plus personne n’est contacté tant que l’adresse n’est pas corrigée.',
    },
    'message.bounced': {
      one: ({ debtor }) => `Un message à ${debtor} est revenu`,
      many: total => `${total} messages sont revenus`,
      line: ({ debtor, invoice, data }) =>
        `Un message à ${debtor} au sujet de la facture ${invoice} est revenu (${frenchChannels[String(data.channel)]}).`,
      next: 'Vérifiez l’adresse\u00a0: si elle est fausse, les rappels n’atteignent personne.',
    },
    'reply.received': {
      one: ({ debtor }) => `${debtor} a répondu`,
      many: total => `${total} réponses sont arrivées`,
      line: ({ debtor, invoice }) => `${debtor} a répondu à un message au sujet de la facture ${invoice}.`,
      next: 'La réponse est là où arrivent celles des débiteurs, le plus souvent dans votre boîte aux lettres. Plus rien n’est envoyé tant que vous n’avez pas dit l’avoir lue.',
    },
    'decision.due': {
      one: ({ debtor, invoice }) => `Décidez de la suite\u00a0: ${debtor}, facture ${invoice}`,
      many: total => `${total} factures attendent votre décision`,
      line: ({ debtor, invoice, balance, data }) =>
        data.cause === 'unknown_send'
          ? `Personne ne sait si le dernier message à ${debtor} au sujet de la facture ${invoice} est arrivé.`
          : `Les rappels de la facture ${invoice} sont terminés\u00a0; ${debtor} doit ${balance}.`,
      next: 'Rien d’autre ne se passe avant votre décision.',
    },
    provider_away: {
      one: () => 'Des messages attendent',
      many: (_, channel) =>
        `Vos messages attendent\u00a0: les ${frenchChannels[channel]} ne partent pas en ce moment`,
      line: () => '',
      next: 'Le prestataire n’accepte pas de messages. Les vôtres sont conservés et partiront d’eux-mêmes à son retour. Vous n’avez rien à faire.',
    },
  },
  page: {
    title: 'Ce qui s’est passé',
    done: 'C’est fait.',
    refused: 'Cela n’a pas pu être fait. C’est peut-être déjà réglé, ou la saisie n’est pas valable.',
    settled: 'Il n’y a plus rien à faire ici.',
    noRight: 'Votre rôle ne permet pas d’agir ici. Demandez à un propriétaire de votre entreprise.',
    rest: rest => `Et ${rest} de plus\u00a0; ils sont dans la liste des événements.`,
    reason: 'Ce que dit le débiteur\u00a0:',
    dispute: {
      legend: 'Que répondez-vous\u00a0?',
      outcomes: {
        rejected: 'La facture est juste\u00a0: les rappels reprennent',
        partly: 'Le débiteur a raison en partie\u00a0: les rappels reprennent',
        upheld: 'Le débiteur a raison\u00a0: les rappels restent arrêtés',
      },
      submit: 'Répondre au débiteur',
      hint: 'Le débiteur en est informé par e-mail.',
    },
    address: {
      email: 'La bonne adresse e-mail',
      phone: 'Le bon numéro de téléphone',
      submit: 'Corriger',
    },
    read: 'J’ai lu la réponse',
    pause: 'Mettre les rappels en pause',
    decision: {
      legend: 'Quelle est la suite\u00a0?',
      actions: {
        cancel: 'Arrêter définitivement',
        escalate: 'Passer à la voie judiciaire',
        resume: 'Reprendre les rappels',
      },
      submit: 'Décider',
    },
    off: 'Ne plus m’écrire à ce sujet',
    isOff:
      'Vous ne recevez plus d’e-mails sur vos factures. Un propriétaire peut changer cela sur la page de l’entreprise.',
    dead: 'Ce lien ne fonctionne plus',
    deadText: 'Il a plus de deux semaines, ou vous ne recevez plus ces e-mails.',
  },
}

export const alertTexts = { fr: french, en: english }
