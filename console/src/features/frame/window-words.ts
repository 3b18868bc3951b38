import type { Group } from '../../lib/commands.ts'
import { defineWords } from '../../lib/language.tsx'
import type { Theme } from '../../lib/preferences.ts'

/** The words of the windows, which are loaded when they are opened. */
export const windowWords = defineWords(
  {
    notOpen: 'pas encore ouverte',
    signOut: 'Se déconnecter',
    account: 'Votre compte',
    legal: 'Mentions légales',
    theme: 'Apparence',
    themes: { system: 'Comme le système', light: 'Clair', dark: 'Sombre' } satisfies Record<Theme, string>,
    language: 'Langue',
    letters: 'Touches d’une seule lettre',
    allKeys: 'Raccourcis',
    keysAbout:
      'Une touche seule n’agit jamais dans un champ. Ce qui est grisé n’est pas possible sur cette page.',
    commands: 'Commandes',
    debtors: 'Clients',
    invoices: 'Factures',
    placeholder: 'Un client, une facture, une commande',
    nothing: 'Rien ne correspond.',
    results: (count: number) => (count === 1 ? '1 résultat' : `${count} résultats`),
    close: 'Fermer',
    searchFailed: 'La recherche n’a pas répondu.',
    groups: {
      work: 'À faire',
      go: 'Aller à',
      debtor: 'Client',
      invoice: 'Facture',
      company: 'Société',
      console: 'Console',
    } satisfies Record<Group, string>,
  },
  {
    notOpen: 'not open yet',
    signOut: 'Sign out',
    account: 'Your account',
    legal: 'Legal notice',
    theme: 'Appearance',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    letters: 'Single-letter keys',
    allKeys: 'All keys',
    keysAbout: 'A key alone never acts inside a field. What is greyed cannot be done on this page.',
    commands: 'Commands',
    debtors: 'Debtors',
    invoices: 'Invoices',
    placeholder: 'A debtor, an invoice, a command',
    nothing: 'Nothing matches.',
    results: (count: number) => (count === 1 ? '1 result' : `${count} results`),
    close: 'Close',
    searchFailed: 'The search did not answer.',
    groups: {
      work: 'To do',
      go: 'Go to',
      debtor: 'Debtor',
      invoice: 'Invoice',
      company: 'Company',
      console: 'Console',
    },
  },
)

/** The names of the languages, each in its own. */
export const languageNames = { fr: 'Français', en: 'English' } as const
