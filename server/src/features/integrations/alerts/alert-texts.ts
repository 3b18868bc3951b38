import type { SaidReply, Situation } from '../../../domain/recovery/told.ts'
import type { alertedEvents } from '../../platform/events/alerts.ts'
import { withDe } from '../../recovery/messages/compose/texts/typography.ts'

/** The facts for one line of a mail or of its page. */
export interface AlertFacts {
  debtor: string
  invoice: string
  balance: string
  data: Record<string, unknown>
  /** Who is written to after a message came back. */
  nextPerson: string | null
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
  return (data: Record<string, unknown>) => format.format(Date.parse(String(data.date ?? data.dueOn)))
}
const [englishDay, frenchDay] = [dayIn('en-GB'), dayIn('fr-FR')]
const englishAnswers: Record<SaidReply, string> = {
  payment_sent: 'says that it is already paid',
  invoice_not_received: 'says that it never arrived',
  waiting_approval: 'says that it waits for approval',
  hand_over: 'asks for an answer from you',
}
const frenchAnswers: Record<SaidReply, string> = {
  payment_sent: 'dit l’avoir déjà payée',
  invoice_not_received: 'dit ne pas l’avoir reçue',
  waiting_approval: 'dit qu’elle attend une validation',
  hand_over: 'attend une réponse de votre part',
}
const englishSituations: Record<Situation, string> = {
  insolvency: 'over-indebtedness or insolvency',
  deceased: 'the person has died',
  identity_theft: 'identity theft',
  protected_person: 'the person is a minor or under guardianship',
}
const frenchSituations: Record<Situation, string> = {
  insolvency: 'surendettement ou procédure collective',
  deceased: 'décès de la personne',
  identity_theft: 'usurpation d’identité',
  protected_person: 'personne mineure ou protégée (tutelle, curatelle)',
}
const situationIn = (texts: Record<Situation, string>, { situation }: Record<string, unknown>): string =>
  texts[situation as Situation]
const answerIn = (answers: Record<SaidReply, string>, { said }: Record<string, unknown>): string | null =>
  typeof said === 'string' ? (answers[said as SaidReply] ?? null) : null
const point = (data: Record<string, unknown>) => (data.contactPoint === 'phone' ? 'phone' : 'email')

const english = {
  somebody: 'a debtor',
  more: (rest: number) => `and ${rest} more`,
  link: 'The details and your choices are on this page (nothing happens by opening it):',
  footer:
    'You get this mail because you follow the invoices of your company with Relance. You can switch it off on that page.',
  footerAlways:
    'You get this mail because you own a company with Relance. It cannot be switched off: a claim that is not declared in time may be lost.',
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
        `The ${point(data) === 'email' ? 'email address' : 'phone number'} of ${debtor} belongs to somebody else. ${debtor} is not contacted until it is corrected.`,
      next: 'Correct it on that page.',
    },
    'message.bounced': {
      one: ({ debtor }) => `A message to ${debtor} came back`,
      many: total => `${total} messages came back`,
      line: ({ debtor, invoice, data, nextPerson }) =>
        `A message to ${debtor} about invoice ${invoice} came back (${englishChannels[String(data.channel)]}).${nextPerson === null ? '' : ` From now on messages go to ${nextPerson}.`}`,
      next: 'If it went to the address on record, and there is nobody else to write to, the reminders that need that address wait until you correct it, or let it be tried again.',
    },
    'reply.received': {
      one: ({ debtor }) => `${debtor} has answered`,
      many: total => `${total} answers have arrived`,
      line: ({ debtor, invoice, data }) => {
        const answer = answerIn(englishAnswers, data)
        return answer === null
          ? `${debtor} answered a message about invoice ${invoice}.`
          : `Invoice ${invoice}: ${debtor} ${answer}.`
      },
      next: 'What was said in a call or chosen on the page is written here, and the history has the note of the call. What was written arrives where answers of debtors arrive, usually your inbox. Nothing more is sent until you say that you have read it.',
    },
    'situation.reported': {
      one: ({ debtor }) => `A situation of ${debtor} is reported: check it`,
      many: total => `Situations of ${total} debtors are reported`,
      line: ({ debtor, invoice, data }) =>
        `Reported of ${debtor}: ${situationIn(englishSituations, data)} (invoice ${invoice}). Nothing is sent. Say what you have checked.`,
      next: 'Nothing is sent to this debtor, for any invoice, until you record what you have checked: the proceedings, or the heir or guardian, on the record of the debtor. Whoever writes to a person in such a situation may harm them.',
    },
    'insolvency.declaration_due': {
      one: ({ debtor, data }) => `Declare your claim on ${debtor} by ${englishDay({ date: data.declareBy })}`,
      many: total => `${total} claims have to be declared soon`,
      line: ({ debtor, data }) =>
        data.kind === 'over_indebtedness'
          ? `${debtor}: an over-indebtedness procedure is open. State your claim to the commission by ${englishDay({ date: data.declareBy })}.`
          : `${debtor}: proceedings are open. Declare your claim by ${englishDay({ date: data.declareBy })}.`,
      next: 'After that day the claim may be lost. When it is declared, record the day on the record of the debtor: these mails end.',
    },
    'debtor.request_due': {
      one: ({ debtor, data }) => `Answer ${debtor} about personal data by ${englishDay(data)}`,
      many: total => `${total} requests about personal data must be answered`,
      line: ({ debtor, data }) =>
        data.kind === 'restriction'
          ? `${debtor} asked you to restrict the use of personal data. Your answer is due by ${englishDay(data)}.`
          : `${debtor} objected to the use of personal data. Your answer is due by ${englishDay(data)}.`,
      next: 'The reminders wait for your decision. Tell the person what you decided and why, then record it.',
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
    'limitation.approaching': {
      one: ({ invoice, data }) =>
        `Invoice ${invoice} will be time-barred around ${englishDay({ date: data.limitationEndsOn })}`,
      many: total => `${total} invoices will be time-barred soon`,
      line: ({ debtor, invoice, balance, data }) =>
        `Invoice ${invoice} of ${debtor} (${balance} open) will be time-barred around ${englishDay({ date: data.limitationEndsOn })} (estimate). ${
          data.debtorType === 'public_body'
            ? 'A written demand changes that only if its receipt is proven.'
            : 'A reminder or a formal notice does not change that.'
        }`,
      next: 'Decide before that day what you do, with legal advice if you need it. Relance files nothing for you.',
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
        rejected: 'Dispute rejected: the reminders go on',
        partly: 'Dispute accepted in part: the reminders go on for the rest',
        upheld: 'Dispute accepted: the reminders stay stopped',
      },
      amount: 'Sum that is not owed, if the debtor is right in part',
      answer: 'Why you do not accept it, or not wholly (the debtor reads it)',
      submit: 'Answer the debtor',
      hint: 'The debtor is told on their page, and by email if they receive emails. The sum is recorded as a credit note.',
    },
    address: { email: 'The right email address', phone: 'The right phone number', submit: 'Correct it' },
    read: 'I have read the answer',
    situation: {
      legend: 'What have you checked?',
      decisions: {
        identity_theft: 'The identity was misused: the invoice is disputed',
        not_confirmed: 'Checked, not confirmed: the debtor is told, and the reminders may go on',
      },
      submit: 'Record the decision',
    },
    pause: 'Pause the reminders',
    decision: {
      legend: 'How does it go on?',
      actions: {
        cancel: 'Stop for good',
        escalate: 'End the amicable stage and prepare the file (nothing is filed)',
        resume: 'Go on with the reminders',
      },
      noticeReceived: 'I know that the debtor received the formal notice',
      submit: 'Decide',
    },
    request: {
      legend: 'What did you decide?',
      decisions: {
        granted: 'Granted: the reminders stay stopped',
        refused: 'Refused: the reminders go on',
      },
      submit: 'Record the decision',
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
  link: 'Les détails et vos choix sont sur cette page (l’ouvrir ne déclenche rien)\u00a0:',
  footer:
    'Vous recevez cet e-mail parce que vous suivez les factures de votre entreprise avec Relance. Vous pouvez l’arrêter sur cette page.',
  footerAlways:
    'Vous recevez cet e-mail en tant que propriétaire d’une entreprise chez Relance. Il ne peut pas être désactivé\u00a0: une créance qui n’est pas déclarée à temps peut être perdue.',
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
      one: ({ debtor }) => `Les coordonnées ${withDe(debtor)} sont celles de quelqu’un d’autre`,
      many: total => `${total} coordonnées sont celles de quelqu’un d’autre`,
      line: ({ debtor, data }) =>
        `${point(data) === 'email' ? 'L’adresse e-mail' : 'Le numéro de téléphone'} ${withDe(debtor)} appartient à quelqu’un d’autre. ${debtor} n’est plus contacté tant que ces coordonnées ne sont pas corrigées.`,
      next: 'Corrigez-les sur cette page.',
    },
    'message.bounced': {
      one: ({ debtor }) => `Un message à ${debtor} est revenu`,
      many: total => `${total} messages sont revenus`,
      line: ({ debtor, invoice, data, nextPerson }) =>
        `Un message à ${debtor} au sujet de la facture ${invoice} est revenu (${frenchChannels[String(data.channel)]}).${nextPerson === null ? '' : ` Les messages vont désormais à ${nextPerson}.`}`,
      next: 'S’il était adressé aux coordonnées enregistrées, et que personne d’autre ne peut le recevoir, les rappels qui en ont besoin attendent que vous les corrigiez, ou les fassiez réessayer.',
    },
    'reply.received': {
      one: ({ debtor }) => `${debtor} a répondu`,
      many: total => `${total} réponses sont arrivées`,
      line: ({ debtor, invoice, data }) => {
        const answer = answerIn(frenchAnswers, data)
        return answer === null
          ? `${debtor} a répondu à un message au sujet de la facture ${invoice}.`
          : `Facture ${invoice}\u00a0: ${debtor} ${answer}.`
      },
      next: 'Ce qui a été dit au téléphone ou choisi sur la page est écrit ici, et l’historique garde la note de l’appel. Ce qui a été écrit est là où arrivent les réponses des débiteurs, le plus souvent dans votre boîte de réception. Plus rien n’est envoyé tant que vous n’avez pas dit l’avoir lue.',
    },
    'situation.reported': {
      one: ({ debtor }) => `Une situation de ${debtor} est signalée\u00a0: à vérifier`,
      many: total => `Des situations de ${total} débiteurs sont signalées`,
      line: ({ debtor, invoice, data }) =>
        `Signalé pour ${debtor}\u00a0: ${situationIn(frenchSituations, data)} (facture ${invoice}). Plus rien ne part. Dites ce que vous avez vérifié.`,
      next: 'Plus rien ne part vers ce débiteur, pour aucune facture, tant que vous n’avez pas enregistré ce que vous avez vérifié\u00a0: la procédure, ou l’héritier ou le représentant, sur la fiche du débiteur. Écrire à une personne dans cette situation peut lui nuire.',
    },
    'insolvency.declaration_due': {
      one: ({ debtor, data }) =>
        `Déclarez votre créance sur ${debtor} au plus tard le ${frenchDay({ date: data.declareBy })}`,
      many: total => `${total} créances sont à déclarer bientôt`,
      line: ({ debtor, data }) =>
        data.kind === 'over_indebtedness'
          ? `${debtor}\u00a0: une procédure de surendettement est ouverte. Indiquez votre créance à la commission au plus tard le ${frenchDay({ date: data.declareBy })}.`
          : `${debtor}\u00a0: une procédure est ouverte. Déclarez votre créance au plus tard le ${frenchDay({ date: data.declareBy })}.`,
      next: 'Passé ce jour, la créance peut être perdue. Une fois la créance déclarée, inscrivez-en la date sur la fiche du débiteur\u00a0: ces e-mails cessent.',
    },
    'debtor.request_due': {
      one: ({ debtor, data }) =>
        `Répondez à ${debtor} au sujet de ses données, au plus tard le ${frenchDay(data)}`,
      many: total => `${total} demandes sur des données personnelles attendent une réponse`,
      line: ({ debtor, data }) =>
        data.kind === 'restriction'
          ? `${debtor} vous demande de limiter l’usage de ses données. Votre réponse est due le ${frenchDay(data)} au plus tard.`
          : `${debtor} s’oppose à l’usage de ses données. Votre réponse est due le ${frenchDay(data)} au plus tard.`,
      next: 'Les rappels attendent votre décision. Dites à la personne ce que vous avez décidé et pourquoi, puis enregistrez-le.',
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
    'limitation.approaching': {
      one: ({ invoice, data }) =>
        `La facture ${invoice} sera prescrite vers le ${frenchDay({ date: data.limitationEndsOn })}`,
      many: total => `${total} factures seront bientôt prescrites`,
      line: ({ debtor, invoice, balance, data }) =>
        `La facture ${invoice} de ${debtor} (reste dû\u00a0: ${balance}) sera prescrite vers le ${frenchDay({ date: data.limitationEndsOn })} (estimation). ${
          data.debtorType === 'public_body'
            ? 'Une demande écrite n’y change quelque chose que si sa réception est prouvée.'
            : 'Un rappel ou une mise en demeure n’y change rien.'
        }`,
      next: 'Décidez avant ce jour de ce que vous faites, au besoin avec un conseil. Relance ne dépose rien pour vous.',
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
        rejected: 'Contestation rejetée\u00a0: les rappels reprennent',
        partly: 'Contestation acceptée en partie\u00a0: les rappels reprennent pour le reste',
        upheld: 'Contestation acceptée\u00a0: les rappels restent arrêtés',
      },
      amount: 'Somme qui n’est pas due, si le débiteur a raison en partie',
      answer: 'Pourquoi vous ne l’acceptez pas, ou pas entièrement (le débiteur le lit)',
      submit: 'Répondre au débiteur',
      hint: 'Le débiteur l’apprend sur sa page, et par e-mail s’il en reçoit. La somme est enregistrée comme avoir.',
    },
    address: {
      email: 'La bonne adresse e-mail',
      phone: 'Le bon numéro de téléphone',
      submit: 'Corriger',
    },
    read: 'J’ai lu la réponse',
    situation: {
      legend: 'Qu’avez-vous vérifié\u00a0?',
      decisions: {
        identity_theft: 'L’identité a été usurpée\u00a0: la facture est contestée',
        not_confirmed:
          'Vérifié, non confirmé\u00a0: le débiteur en est informé et les rappels peuvent reprendre',
      },
      submit: 'Enregistrer la décision',
    },
    pause: 'Mettre les rappels en pause',
    decision: {
      legend: 'Quelle est la suite\u00a0?',
      actions: {
        cancel: 'Arrêter définitivement',
        escalate: 'Terminer l’amiable et préparer le dossier (rien n’est déposé)',
        resume: 'Reprendre les rappels',
      },
      noticeReceived: 'Je sais que le débiteur a reçu la mise en demeure',
      submit: 'Décider',
    },
    request: {
      legend: 'Qu’avez-vous décidé\u00a0?',
      decisions: {
        granted: 'Acceptée\u00a0: les rappels restent arrêtés',
        refused: 'Refusée\u00a0: les rappels reprennent',
      },
      submit: 'Enregistrer la décision',
    },
    off: 'Ne plus m’écrire à ce sujet',
    isOff:
      'Vous ne recevez plus d’e-mails sur vos factures. Un propriétaire peut changer cela sur la page de l’entreprise.',
    dead: 'Ce lien ne fonctionne plus',
    deadText: 'Il a plus de deux semaines, ou vous ne recevez plus ces e-mails.',
  },
}

export const alertTexts = { fr: french, en: english }
