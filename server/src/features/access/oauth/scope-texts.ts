import type { Scope } from '../../../kit/actor.ts'

/**
 * The effect of a scope, shown before consent: it only reads, it changes data, it sends messages to debtors or costs money, or it
 * creates something (keys, webhooks) that stays after the consent is withdrawn.
 */
export const effects = ['reads', 'changes', 'sends', 'outlives'] as const
export type Effect = (typeof effects)[number]

interface ScopeText {
  does: string
  /** A consequence that is not obvious. */
  note?: string
}

export const scopeTexts: Record<Scope, { effect: Effect; fr: ScopeText; en: ScopeText }> = {
  'invoices:read': {
    effect: 'reads',
    fr: { does: 'Voir les factures et leur statut' },
    en: { does: 'See invoices and their status' },
  },
  'debtors:read': {
    effect: 'reads',
    fr: { does: 'Voir les débiteurs, avec leurs adresses, e-mails et téléphones' },
    en: { does: 'See debtors, with their addresses, emails and phone numbers' },
  },
  'payments:read': {
    effect: 'reads',
    fr: { does: 'Voir les paiements' },
    en: { does: 'See payments' },
  },
  'workflow:read': {
    effect: 'reads',
    fr: { does: 'Voir les relances faites et prévues, et les réglages de l’entreprise' },
    en: { does: 'See reminders sent and planned, and the company’s settings' },
  },
  'reports:read': {
    effect: 'reads',
    fr: { does: 'Voir les statistiques et les rapports' },
    en: { does: 'See figures and reports' },
  },
  'scoring:read': {
    effect: 'reads',
    fr: { does: 'Voir les scores de solvabilité des débiteurs' },
    en: { does: 'See how likely debtors are to pay' },
  },
  'debtors:write': {
    effect: 'changes',
    fr: { does: 'Ajouter et modifier des débiteurs, et donc à qui l’on écrit' },
    en: { does: 'Add and change debtors, and so who is written to' },
  },
  'payments:write': {
    effect: 'changes',
    fr: {
      does: 'Enregistrer des paiements et des remboursements',
      note: 'L’argent ne bouge pas, mais les relances d’une facture payée s’arrêtent.',
    },
    en: {
      does: 'Record payments and refunds',
      note: 'No money moves, but the reminders of a paid invoice stop.',
    },
  },
  'invoices:delete': {
    effect: 'changes',
    fr: { does: 'Supprimer des factures dont le recouvrement n’a pas commencé' },
    en: { does: 'Delete invoices whose recovery has not begun' },
  },
  // Creating an invoice starts its recovery unless `autoStartWorkflow` is false, so this scope can send messages.
  'invoices:write': {
    effect: 'sends',
    fr: {
      does: 'Créer et modifier des factures',
      note: 'Une nouvelle facture lance ses relances.',
    },
    en: { does: 'Create and change invoices', note: 'A new invoice sets off its reminders.' },
  },
  'workflow:trigger': {
    effect: 'sends',
    fr: {
      does: 'Lancer, suspendre, annuler ou durcir le recouvrement d’une facture',
      note: 'Annulé, ses relances s’arrêtent pour de bon.',
    },
    en: {
      does: 'Start, pause, cancel or escalate the recovery of an invoice',
      note: 'Cancelled, its reminders stop for good.',
    },
  },
  'notifications:send': {
    effect: 'sends',
    fr: { does: 'Envoyer des e-mails et des SMS aux débiteurs, et les faire appeler' },
    en: { does: 'Send emails and SMS to debtors, and have them called' },
  },
  'lrar:send': {
    effect: 'sends',
    fr: { does: 'Envoyer des lettres recommandées', note: 'Chaque lettre est facturée.' },
    en: { does: 'Send registered letters', note: 'Every letter is charged.' },
  },
  'agent:chat': {
    effect: 'sends',
    fr: {
      does: 'Utiliser l’assistant en votre nom',
      note: 'Il peut faire tout ce qui est accordé ici.',
    },
    en: { does: 'Use the assistant in your name', note: 'It can do everything granted here.' },
  },
  'webhooks:manage': {
    effect: 'outlives',
    fr: {
      does: 'Créer des clés API, des webhooks et des applications',
      note: 'Inviter des membres, changer leur rôle et les retirer.',
    },
    en: {
      does: 'Create API keys, webhooks and applications',
      note: 'Invite members, give them other roles and remove them.',
    },
  },
  'company:manage': {
    effect: 'changes',
    fr: {
      does: 'Modifier les réglages et les cascades de l’entreprise',
      note: 'Et arrêter tous ses envois. L’IBAN n’en fait partie que dans le bac à sable.',
    },
    en: {
      does: 'Change the settings and cascades of the company',
      note: 'And stop everything it sends. The IBAN is part of it in the sandbox only.',
    },
  },
  'texts:manage': {
    effect: 'changes',
    fr: { does: 'Modifier les textes que lisent les débiteurs' },
    en: { does: 'Change the texts that debtors read' },
  },
}
