import { defineWords } from '../../lib/language.tsx'

export const sumsWords = defineWords(
  {
    title: 'Les quatre sommes du jour',
    overdue: 'Échu',
    old: 'Échu\u00a0> 60\u00a0j',
    promised: 'Promis cette semaine',
    collected: 'Encaissé ce mois',
    invoices: (n: number, text: string) => (n === 1 ? '1 facture' : `${text} factures`),
    since: (change: string) => `${change} depuis lundi`,
    sinceLast: (change: string) => `${change} depuis lundi dernier`,
    promises: (n: number, text: string) => (n === 1 ? '1 promesse' : `${text} promesses`),
    atLeast: (text: string) => `au moins ${text}`,
    kept: (percent: string) => `${percent}\u00a0% tenues le mois dernier`,
    against: (change: string) => `${change} sur le mois dernier, mêmes jours`,
  },
  {
    title: 'The four sums of the day',
    overdue: 'Overdue',
    old: 'Overdue > 60 days',
    promised: 'Promised this week',
    collected: 'Collected this month',
    invoices: (n, text) => (n === 1 ? '1 invoice' : `${text} invoices`),
    since: change => `${change} since Monday`,
    sinceLast: change => `${change} since last Monday`,
    promises: (n, text) => (n === 1 ? '1 promise' : `${text} promises`),
    atLeast: text => `at least ${text}`,
    kept: percent => `${percent}% kept last month`,
    against: change => `${change} on the same days of last month`,
  },
)
