import type { LocalDate } from '../time.ts'
import {
  type CriterionCode,
  criterionCodes,
  type Depth,
  daysSincePayment,
  delayTrend,
  exposureRatio,
  overdueDays,
  type Score,
  type ScoreInputs,
} from './score.ts'

export type ScoreLanguage = 'fr' | 'en'
type Sentence = (inputs: ScoreInputs, today: LocalDate) => string
type Sentences = Readonly<Record<CriterionCode, Sentence>>

const round = (value: number) => Math.floor(value + 0.5)

/** One decimal, or none if it would be zero. */
const decimal = (value: number, language: ScoreLanguage): string => {
  const text = (Math.round(value * 10) / 10).toString()
  return language === 'fr' ? text.replace('.', ',') : text
}

const perCent = (part: number, whole: number) => round((100 * part) / Math.max(1, whole))

const meanOverdue = (inputs: ScoreInputs, today: LocalDate) => {
  const { centDays, cents } = overdueDays(inputs, today)
  return cents === 0 ? 0 : round(centDays / cents)
}
const meanDelay = ({ delayDays, settledInvoices }: ScoreInputs) =>
  settledInvoices === 0 ? 0 : round(delayDays / settledInvoices)

const countText =
  (one: string, many: string, isOne: (n: number) => boolean) =>
  (n: number): string =>
    `${n} ${isOne(n) ? one : many}`
const en = (one: string, many = `${one}s`) => countText(one, many, n => n === 1)
const fr = (one: string, many = `${one}s`) => countText(one, many, n => n < 2)

const days = { en: en('day'), fr: fr('jour') }

const depthInEnglish: Record<Depth, string> = {
  none: 'Nothing has been sent yet.',
  email: 'The recovery has gone as far as an email.',
  sms: 'The recovery has gone as far as an SMS.',
  voice: 'The recovery has gone as far as a call.',
  lrar: 'The recovery has gone as far as a registered letter.',
  judicial: 'The amicable stage has ended.',
}
const depthInFrench: Record<Depth, string> = {
  none: 'Rien n’a encore été envoyé.',
  email: 'Le recouvrement est allé jusqu’à l’e-mail.',
  sms: 'Le recouvrement est allé jusqu’au SMS.',
  voice: 'Le recouvrement est allé jusqu’à l’appel téléphonique.',
  lrar: 'Le recouvrement est allé jusqu’à la lettre recommandée.',
  judicial: 'Le suivi amiable est terminé.',
}

const english: Sentences = {
  ageing: (inputs, today) =>
    inputs.overdueInvoices === 0
      ? 'Nothing is past due.'
      : `What is owed is ${days.en(meanOverdue(inputs, today))} past due, weighted by balance.`,
  delay_history: inputs =>
    inputs.settledInvoices === 0
      ? 'No invoice has been settled in 24 months.'
      : `${en('settled invoice')(inputs.settledInvoices)}, paid ${days.en(meanDelay(inputs))} after the due date on average.`,
  bad_outcomes: ({ badOutcomes }) =>
    `${en('invoice')(badOutcomes)} written off, or with the amicable stage ended, in 24 months.`,
  exposure: inputs =>
    inputs.exposures.length === 0
      ? 'Nothing is open.'
      : `What is open is ${decimal(exposureRatio(inputs), 'en')} times your median invoice.`,
  open_count: ({ overdueInvoices }) => `${en('invoice')(overdueInvoices)} overdue at the same time.`,
  silence: ({ contactsSinceSign }) =>
    `${en('message')(contactsSinceSign)} since the debtor last paid or answered.`,
  unreachable: ({ deadChannels, letterCameBack }) =>
    `Nothing arrives by ${en('channel')(deadChannels)}${letterCameBack ? '; a registered letter was refused, not collected or came back' : ''}.`,
  broken_promises: ({ brokenPromises, keptPromises }) =>
    `${en('promise')(brokenPromises)} broken, ${keptPromises} kept.`,
  disputes: ({ rejectedDisputes, openDisputes }) =>
    `${en('dispute')(rejectedDisputes)} rejected, ${openDisputes} open.`,
  payment_incidents: ({ failedPayments, reversedPayments }) =>
    `${en('payment')(failedPayments)} failed, ${reversedPayments} taken back after arriving.`,
  escalation_depth: ({ depth }) => depthInEnglish[depth],
  partial_stall: (inputs, today) =>
    inputs.partCents === 0
      ? 'No open invoice is paid in part.'
      : `Part paid, ${perCent(inputs.partCents, inputs.partAmountCents)} % still owed, ${days.en(daysSincePayment(inputs, today))} since the last payment.`,
  trend: inputs => {
    const trend = delayTrend(inputs)
    return trend === null
      ? 'Too few settled invoices to see a trend.'
      : `The last 3 invoices were paid ${days.en(round(trend.last))} late on average, the earlier ones ${round(trend.earlier)}.`
  },
}

const french: Sentences = {
  ageing: (inputs, today) =>
    inputs.overdueInvoices === 0
      ? 'Rien n’est échu.'
      : `Les sommes dues sont échues depuis ${days.fr(meanOverdue(inputs, today))}, en moyenne pondérée par le solde.`,
  delay_history: inputs =>
    inputs.settledInvoices === 0
      ? 'Aucune facture n’a été réglée en 24 mois.'
      : `${fr('facture réglée', 'factures réglées')(inputs.settledInvoices)}, ${days.fr(meanDelay(inputs))} après l’échéance en moyenne.`,
  bad_outcomes: ({ badOutcomes }) =>
    `${fr('facture déclarée irrécouvrable ou au suivi amiable terminé', 'factures déclarées irrécouvrables ou au suivi amiable terminé')(badOutcomes)} en 24 mois.`,
  exposure: inputs =>
    inputs.exposures.length === 0
      ? 'Aucun encours.'
      : `L’encours représente ${decimal(exposureRatio(inputs), 'fr')} fois votre facture médiane.`,
  open_count: ({ overdueInvoices }) =>
    `${fr('facture échue', 'factures échues')(overdueInvoices)} en même temps.`,
  silence: ({ contactsSinceSign }) =>
    `${fr('message')(contactsSinceSign)} depuis le dernier paiement ou la dernière réponse.`,
  unreachable: ({ deadChannels, letterCameBack }) =>
    `Rien n’arrive par ${fr('canal', 'canaux')(deadChannels)}${letterCameBack ? ' ; une lettre recommandée a été refusée, non réclamée ou retournée' : ''}.`,
  broken_promises: ({ brokenPromises, keptPromises }) =>
    `${fr('promesse non tenue', 'promesses non tenues')(brokenPromises)}, ${fr('tenue')(keptPromises)}.`,
  disputes: ({ rejectedDisputes, openDisputes }) =>
    `${fr('contestation rejetée', 'contestations rejetées')(rejectedDisputes)}, ${openDisputes} en cours.`,
  payment_incidents: ({ failedPayments, reversedPayments }) =>
    `${fr('paiement échoué', 'paiements échoués')(failedPayments)}, ${fr('repris', 'repris')(reversedPayments)} après encaissement.`,
  escalation_depth: ({ depth }) => depthInFrench[depth],
  partial_stall: (inputs, today) =>
    inputs.partCents === 0
      ? 'Aucune facture ouverte n’est payée en partie.'
      : `Paiement partiel, ${perCent(inputs.partCents, inputs.partAmountCents)} % restent dus, dernier paiement il y a ${days.fr(daysSincePayment(inputs, today))}.`,
  trend: inputs => {
    const trend = delayTrend(inputs)
    return trend === null
      ? 'Trop peu de factures réglées pour voir une tendance.'
      : `Les 3 dernières factures ont été payées avec ${days.fr(round(trend.last))} de retard en moyenne, les précédentes avec ${round(trend.earlier)}.`
  },
}

const languages: Readonly<Record<ScoreLanguage, Sentences>> = { en: english, fr: french }

/** Why a criterion has its points, with the numbers behind them. */
export const explainCriterion = (
  code: CriterionCode,
  inputs: ScoreInputs,
  today: LocalDate,
  language: ScoreLanguage,
): string => languages[language][code](inputs, today)

const factorsMax = 5

/** The criteria with the most points, highest first. */
export const topCriteria = ({ points }: Score): CriterionCode[] =>
  criterionCodes
    .filter(code => points[code] > 0)
    .sort((left, right) => points[right] - points[left])
    .slice(0, factorsMax)
