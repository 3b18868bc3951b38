import type { Channel } from '../../../../../domain/contact/channel.ts'
import { englishValues } from './english-blocks.ts'
import { englishEmails, englishLetters } from './english-emails-and-letters.ts'
import { englishCalls, englishSms } from './english-sms-and-calls.ts'
import { frenchValues } from './french-blocks.ts'
import { frenchEmails, frenchLetters } from './french-emails-and-letters.ts'
import { frenchCalls, frenchSms } from './french-sms-and-calls.ts'
import type { Language } from './labels.ts'
import type {
  LanguageTexts,
  MessageContent,
  OwnWords,
  Template,
  TemplateValues,
  Text,
} from './message-content.ts'
import { cleanTexts } from './one-line.ts'
import { fillPlaceholders, names, usableTexts } from './own-texts.ts'

/** Increased by one whenever a text for debtors changes, so that a message can name the version of its texts. */
export const textsVersion = 9

const textsByLanguage: Record<Language, LanguageTexts> = {
  fr: { email: frenchEmails, sms: frenchSms, lrar: frenchLetters, voice: frenchCalls },
  en: { email: englishEmails, sms: englishSms, lrar: englishLetters, voice: englishCalls },
}

const valuesByLanguage = { fr: frenchValues, en: englishValues }

/** In emails and letters the creditor's name comes before the subject, also before a company's own subject. */
const subjectPrefix = {
  fr: (creditor: string) => `${creditor}\u00a0: `,
  en: (creditor: string) => `${creditor}: `,
}

export function templateOf(step: string, channel: Channel, language: Language): Template | null {
  const onChannel: Record<string, Template> = textsByLanguage[language][channel]
  return Object.hasOwn(onChannel, step) ? onChannel[step]! : null
}

const filledWords = ({ subject, paragraphs }: OwnWords, values: TemplateValues): OwnWords => ({
  subject,
  paragraphs: paragraphs.map(text => fillPlaceholders(text, values)),
})

/** Every step that sends has texts here. A step without texts for a channel is never reserved for that channel. */
export function textOf(
  step: string,
  channel: Channel,
): ((language: Language, content: MessageContent) => Text) | null {
  if (!templateOf(step, channel, 'fr')) return null
  return (language, given) => {
    const template = templateOf(step, channel, language)!
    const cleaned = cleanTexts(given)
    const values = valuesByLanguage[language](cleaned)
    const words = cleaned.words ?? null
    const own =
      words === null
        ? usableTexts(cleaned.own, language)
        : { subject: words.subject, opening: words.paragraphs.join(' ') || null }
    // Others may see the screen of a private person, so neither a subject nor a text message shows a sum.
    const mayShowSum = (text: string | null) => !values.isConsumer || text === null || !names(text, 'sum')
    const ownSubject = template.isSubjectFixed || !mayShowSum(own.subject) ? null : own.subject
    // A text message must not contain the answer that its link asks for.
    const mayShowNumber = !values.isAskedForNumber || !names(own.opening ?? '', 'reference')
    const isOwnOpening = channel !== 'sms' || (mayShowSum(own.opening) && mayShowNumber)
    const ownOpening = isOwnOpening ? own.opening : null
    const content = words === null ? cleaned : { ...cleaned, words: filledWords(words, values) }
    const subject = ownSubject === null ? template.subject(values) : fillPlaceholders(ownSubject, values)
    const opening =
      ownOpening === null
        ? template.opening(values)
        : (channel === 'email' && content.words?.paragraphs[0]) || fillPlaceholders(ownOpening, values)
    const hasCreditorFirst = channel === 'email' || channel === 'lrar'
    const answered = content.written?.subject
    return {
      heading: subject.charAt(0).toUpperCase() + subject.slice(1),
      subject: answered
        ? `Re: ${answered.replace(/^(?:Re: )+/, '')}`
        : hasCreditorFirst
          ? subjectPrefix[language](content.creditor.name) + subject
          : subject,
      reference: content.invoices[0]!.number,
      blocks: template.blocks(content, opening).filter(block => block !== null),
    }
  }
}

export const stepsWithTexts = (channel: Channel): string[] => Object.keys(textsByLanguage.fr[channel])
