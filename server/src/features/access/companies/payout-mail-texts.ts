import { fr } from '../../../domain/french.ts'
import type { ActorRef } from '../../../kit/events.ts'
import type { MailContent } from '../../platform/account-mail/enqueue-notice.ts'
import type { WaitingField } from './payout-fields.ts'

/** A line of the mail: what happened to a field, with masked values. */
export interface PayoutNews {
  what: 'requested' | 'confirmed' | 'withdrawn' | 'applied'
  field: WaitingField
  from: string | null
  to: string | null
  effectiveAt?: string
}

interface PayoutMail {
  by: { kind: ActorRef['kind']; email: string | null }
  news: readonly PayoutNews[]
  timeZone: string
  link: string
}

interface Texts {
  locale: string
  empty: string
  /** Before a colon; French has a space there. */
  colon: string
  fields: Record<WaitingField, string>
  subjects: Record<'requested' | 'withdrawn' | 'applied', string>
  what: (news: PayoutNews, at: string) => string
  by: { person: (email: string) => string; operator: string; itself: string; ended: string }
  frame: (mail: { lines: string; by: string; next: string; link: string }) => string
  next: { waiting: string; done: string }
}

const texts: Record<'fr' | 'en', Texts> = {
  en: {
    locale: 'en-GB',
    empty: 'empty',
    colon: ':',
    fields: {
      legalName: 'Legal name',
      iban: 'IBAN',
      accountHolder: 'Account holder',
      replyEmail: 'Address for replies',
      telephone: 'Telephone',
      paymentAccount: 'Account for card payments',
      mediator: 'Mediator',
      logo: 'Logo',
    },
    subjects: {
      requested: 'A change of where you are paid was requested',
      withdrawn: 'A change of where you are paid was withdrawn',
      applied: 'Where you are paid has changed',
    },
    what: ({ what }, at) =>
      ({
        requested: `requested; it takes effect on ${at}`,
        confirmed: 'confirmed by a second owner',
        withdrawn: 'withdrawn',
        applied: 'in effect from now on',
      })[what],
    by: {
      person: email => `Done by ${email}.`,
      operator: 'Done by the operator of Relance.',
      itself: 'It has waited 24 hours, and nobody withdrew it.',
      ended: 'Whoever requested it is no longer an owner, or has chosen a new password since.',
    },
    next: {
      waiting:
        'If this is right, there is nothing to do. If it is not, withdraw the change now, and tell the operator:',
      done: 'If this is right, there is nothing to do. If it is not, tell the operator at once, and look at the page of your company:',
    },
    frame: ({ lines, by, next, link }) => `Hello,

This concerns where the debtors of your company pay and answer, and what they see beside it.

${lines}

${by}

${next}

  ${link}

Relance
`,
  },
  fr: {
    locale: 'fr-FR',
    empty: 'vide',
    colon: '\u00a0:',
    fields: {
      legalName: 'Raison sociale',
      iban: 'IBAN',
      accountHolder: 'Titulaire du compte',
      replyEmail: 'Adresse de réponse',
      telephone: 'Téléphone',
      paymentAccount: 'Compte des paiements par carte',
      mediator: 'Médiateur',
      logo: 'Logo',
    },
    subjects: {
      requested: 'Une modification de vos coordonnées de paiement est demandée',
      withdrawn: 'Une modification de vos coordonnées de paiement est annulée',
      applied: 'Vos coordonnées de paiement ont changé',
    },
    what: ({ what }, at) =>
      ({
        requested: fr`demandé ; prend effet le ${at}`,
        confirmed: 'confirmé par un second propriétaire',
        withdrawn: 'annulé',
        applied: 'en vigueur dès maintenant',
      })[what],
    by: {
      person: email => `Fait par ${email}.`,
      operator: 'Fait par l’exploitant de Relance.',
      itself: 'Le délai de 24 heures est écoulé, et personne n’a annulé la modification.',
      ended:
        'La personne qui l’a demandée n’est plus propriétaire, ou a choisi un nouveau mot de passe depuis.',
    },
    next: {
      waiting: fr`Si c’est exact, il n’y a rien à faire. Sinon, annulez la modification sans attendre, et prévenez l’exploitant :`,
      done: fr`Si c’est exact, il n’y a rien à faire. Sinon, prévenez l’exploitant sans attendre, et consultez la page de votre entreprise :`,
    },
    frame: ({ lines, by, next, link }) => fr`Bonjour,

Ceci concerne l’endroit où les débiteurs de votre entreprise paient et répondent, et ce qu’ils voient à côté.

${lines}

${by}

${next}

  ${link}

Relance
`,
  },
}

/** Only masked values: other people may read a mail, and the page shows the full values. */
export function payoutMailContent(
  language: 'fr' | 'en',
  { by, news, timeZone, link }: PayoutMail,
): MailContent {
  const text = texts[language]
  const format = new Intl.DateTimeFormat(text.locale, { dateStyle: 'long', timeStyle: 'long', timeZone })
  const lines = news.map(one => {
    const at = one.effectiveAt === undefined ? '' : format.format(Date.parse(one.effectiveAt))
    return `  ${text.fields[one.field]}${text.colon} ${one.from ?? text.empty} → ${one.to ?? text.empty}\n    ${text.what(one, at)}`
  })
  const isWaiting = news.some(({ what }) => what === 'requested')
  const isApplied = news.some(({ what }) => what === 'applied')
  const subject = text.subjects[isWaiting ? 'requested' : isApplied ? 'applied' : 'withdrawn']
  const ofItself = isApplied ? text.by.itself : text.by.ended
  const actor =
    by.kind === 'operator' ? text.by.operator : by.email === null ? ofItself : text.by.person(by.email)
  const next = text.next[isWaiting ? 'waiting' : 'done']
  return { subject, text: text.frame({ lines: lines.join('\n'), by: actor, next, link }) }
}
