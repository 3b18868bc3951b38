import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replyTextDaysMax } from '../domain/retention.ts'
import { keepMonths, keepReplyDays } from '../features/access/companies/settings.ts'
import { recipientsOf, shownProvider, type Use } from '../features/debtor-side/page/notice-facts.ts'
import { missingCollectorSettings } from './collector.ts'
import { type CommandLine, UsageError } from './command-line.ts'
import { type Config, ConfigError, publicUrlOf } from './config.ts'

/** The templates, which are also pages of the documentation. */
const folder = join(import.meta.dirname, '../../../docs/privacy')

export const papers = [
  'processing-agreement',
  'sub-processors',
  'security-measures',
  'retention',
  'register',
  'breach-procedure',
  'impact-assessment',
] as const
/** Those that a company reads and signs. */
export const papersInFrench = [
  'processing-agreement',
  'sub-processors',
  'security-measures',
  'retention',
] as const

type Language = 'fr' | 'en'

const needed = [
  'OPERATOR_NAME',
  'OPERATOR_ADDRESS',
  'OPERATOR_REGISTRATION',
  'OPERATOR_EMAIL',
  'HOST_NAME',
  'HOST_ADDRESS',
  'PUBLIC_URL',
] as const

const uses: Record<Use, Record<Language, readonly [whatFor: string, data: string]>> = {
  email: { fr: ['e-mails', 'nom, adresse e-mail, texte'], en: ['emails', 'name, email address, text'] },
  sms: { fr: ['SMS', 'numéro, texte'], en: ['text messages', 'number, text'] },
  lrar: {
    fr: ['lettres recommandées', 'nom, adresse, lettre'],
    en: ['registered letters', 'name, address, letter'],
  },
  voice: {
    fr: ['appels et transcription', 'numéro, paroles pendant l’appel'],
    en: ['calls and transcription', 'number, words during the call'],
  },
  payment: { fr: ['paiement en ligne', 'facture, somme'], en: ['online payment', 'invoice, sum'] },
  model: {
    fr: ['modèle de langage', 'ce que l’assistant lit, paroles pendant l’appel'],
    en: ['language model', 'what the assistant reads, words during the call'],
  },
}
const ownServer = { fr: 'un serveur choisi par l’exploitant', en: 'a server that the operator chose' }
const none = { fr: 'aucun', en: 'none' }

/** What stands in the places of the templates. */
export function placesOf(
  config: Config,
  language: Language,
  today: string,
): Readonly<Record<string, string>> {
  const missing = needed.filter(name => !config[name])
  if (missing.length > 0)
    throw new ConfigError(`The papers cannot be filled. Not set: ${missing.join(', ')}.`)
  const configured: Record<Use, string | null> = {
    email: config.EMAIL_PROVIDER,
    sms: config.SMS_PROVIDER ?? null,
    lrar: config.LETTER_PROVIDER ?? null,
    voice: config.VOICE_PROVIDER ?? null,
    payment: config.PAYMENT_PROVIDER ?? null,
    model: config.MODEL_PROVIDER ?? null,
  }
  const recipients = recipientsOf(configured)
  const nameFor = (use: Use) => {
    const found = recipients.find(one => one.use === use)
    return found ? (shownProvider(found, language) ?? ownServer[language]) : none[language]
  }
  const rows = recipients.map(one => {
    const shown = nameFor(one.use)
    const at = shown.endsWith(')') ? shown.lastIndexOf(' (') : -1
    const [name, country] = at < 0 ? [shown, '………………'] : [shown.slice(0, at), shown.slice(at + 2, -1)]
    return `| ${[name, country, ...uses[one.use][language]].join(' | ')} |`
  })
  return {
    ...Object.fromEntries(needed.map(name => [name, String(config[name])])),
    PUBLIC_URL: publicUrlOf(config),
    DATE: today,
    COLLECTOR:
      missingCollectorSettings(config).length > 0
        ? none[language]
        : `${config.COLLECTOR_NAME}, ${config.COLLECTOR_ADDRESS}`,
    SUB_PROCESSORS: rows.join('\n'),
    RECIPIENTS: [config.HOST_NAME!, ...recipients.map(one => nameFor(one.use))]
      .filter((name, at, all) => all.indexOf(name) === at)
      .join(', '),
    EMAIL_PROVIDER: nameFor('email'),
    VOICE_PROVIDER: nameFor('voice'),
    MODEL_PROVIDER: nameFor('model'),
    KEEP_MIN: String(keepMonths.min),
    KEEP_MAX: String(keepMonths.max),
    KEEP_MONTHS: String(keepMonths.usual),
    KEEP_CONSUMERS: String(keepMonths.usualOfConsumers),
    KEEP_REPLY_DAYS: String(keepReplyDays.usual),
    KEEP_REPLY_MIN: String(keepReplyDays.min),
    KEEP_REPLY_MAX: String(keepReplyDays.max),
    REPLY_TEXT_MAX: String(replyTextDaysMax),
  }
}

/** One paper, filled. A place that nobody fills is a fault of the template. */
export function fillPaper(
  paper: string,
  language: Language,
  places: Readonly<Record<string, string>>,
): string {
  const template = readFileSync(join(folder, language === 'fr' ? 'fr' : '.', `${paper}.md`), 'utf8')
  return template.replaceAll(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = places[name]
    if (value === undefined) throw new Error(`${paper}.md has an unknown place ${name}`)
    return value
  })
}

export function privacyCommand(config: Config, { values }: CommandLine, now: number): void {
  const { paper, language = 'en' } = values
  if (language !== 'en' && language !== 'fr')
    throw new UsageError('privacy papers: --language is fr or en; nothing was printed')
  const all: readonly string[] = language === 'fr' ? papersInFrench : papers
  if (paper !== undefined && !all.includes(paper))
    throw new UsageError(`privacy papers: --paper is one of ${all.join(', ')}; nothing was printed`)
  const places = placesOf(config, language, new Date(now).toISOString().slice(0, 10))
  const filled = (paper === undefined ? all : [paper]).map(name => fillPaper(name, language, places))
  console.log(filled.join('\n---\n\n'))
}
