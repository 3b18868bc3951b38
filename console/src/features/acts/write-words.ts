import type { TextFinding } from '@relance/sdk'
import { defineWords } from '../../lib/language.tsx'

export const templates = ['written_message', 'extra_message', 'account_statement'] as const
export type TemplateName = (typeof templates)[number]

export const words = defineWords(
  {
    invoice: 'Facture',
    noInvoice: 'Aucune facture n’est en relance',
    channel: 'Canal',
    template: 'Message',
    templates: {
      written_message: 'Texte libre',
      extra_message: 'Rappel type',
      account_statement: 'Relevé de compte',
    } satisfies Record<TemplateName, string>,
    from: 'Partir d’un modèle',
    none: 'Aucun',
    own: (name: string) => `${name} (vos mots)`,
    to: 'À',
    mainOnly:
      'Le message va au contact principal du canal. Pour écrire à une autre personne, faites-en d’abord le contact principal.',
    subject: 'Objet',
    subjectHint: 'Le nom de votre société vient devant.',
    text: 'Texte',
    textHint:
      'Remplis à l’envoi\u00a0: {{reference}}, {{sum}}, {{dueDate}}, {{debtor}}, {{creditor}}. La somme, le lien et les mentions légales s’y ajoutent.',
    listHint: 'Avant la liste. Sans texte, une phrase type.',
    at: 'Pas avant',
    atHint: (zone: string) => `Sans date, dès que les règles le permettent. Heure du client (${zone}).`,
    instead: 'À la place de la prochaine étape',
    insteadHint: 'Sinon, rien d’autre ne bouge.',
    preview: 'Aperçu du message',
    parts: (count: number) => (count === 1 ? '1 SMS' : `${count} SMS`),
    noPreview: 'L’aperçu demande un texte.',
    onPaper: 'Une lettre et un appel n’ont pas d’aperçu ici.',
    download: 'Télécharger le relevé (PDF)',
    leaves: (when: string) => `Part ${when}`,
    waits: (when: string, rules: string) => `Attend ${when}\u00a0: ${rules}`,
    send: 'Envoyer',
    write: 'Écrire',
    close: 'Fermer',
    findings: {
      forbidden_word: (found: string) => `«\u202f${found}\u202f» ne s’écrit pas dans une relance.`,
      payment_details: (found: string) =>
        `«\u202f${found}\u202f» se lit comme un lien ou un compte. Le message porte seulement le lien et le compte prévus.`,
      unknown_placeholder: (found: string) => `«\u202f${found}\u202f» ne peut pas être rempli.`,
      sum_shown: () => 'D’autres peuvent voir l’écran d’un particulier\u00a0: aucune somme ici.',
      number_shown: () =>
        'Le lien de ce SMS demande le numéro de la facture\u00a0: le texte ne le donne pas.',
      too_long: () => 'Deux SMS au plus.',
    } satisfies Record<TextFinding['code'], (found: string) => string>,
  },
  {
    invoice: 'Invoice',
    noInvoice: 'No invoice is in recovery',
    channel: 'Channel',
    template: 'Message',
    templates: {
      written_message: 'Free text',
      extra_message: 'Standard reminder',
      account_statement: 'Statement of account',
    },
    from: 'Start from a template',
    none: 'None',
    own: name => `${name} (your words)`,
    to: 'To',
    mainOnly:
      'The message goes to the main contact of the channel. To write to somebody else, make them the main contact first.',
    subject: 'Subject',
    subjectHint: 'The name of your company stands before it.',
    text: 'Text',
    textHint:
      'Filled in when it is sent: {{reference}}, {{sum}}, {{dueDate}}, {{debtor}}, {{creditor}}. The sum, the link and what the law wants are added.',
    listHint: 'Before the list. Without a text, a standard sentence.',
    at: 'Not before',
    atHint: zone => `Without a day, as soon as the rules allow it. The debtor’s time (${zone}).`,
    instead: 'Instead of the next step',
    insteadHint: 'Otherwise nothing else moves.',
    preview: 'Preview of the message',
    parts: count => (count === 1 ? '1 SMS' : `${count} SMS`),
    noPreview: 'The preview needs a text.',
    onPaper: 'A letter and a call have no preview here.',
    download: 'Download the statement (PDF)',
    leaves: when => `Leaves ${when}`,
    waits: (when, rules) => `Waits until ${when}: ${rules}`,
    send: 'Send',
    write: 'Write',
    close: 'Close',
    findings: {
      forbidden_word: found => `“${found}” is not written in a reminder.`,
      payment_details: found =>
        `“${found}” reads as a link or an account. The message has only the link and the account that belong there.`,
      unknown_placeholder: found => `“${found}” cannot be filled in.`,
      sum_shown: () => 'Others may see the screen of a private person: no sum here.',
      number_shown: () => 'The link of this SMS asks for the invoice number: the text does not give it.',
      too_long: () => 'Two SMS at most.',
    },
  },
)
