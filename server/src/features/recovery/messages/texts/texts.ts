import type { Channel } from '../../../../domain/contact/channel.ts'
import { saidInEnglish } from './english-blocks.ts'
import { englishCalls, englishSms } from './english-brief.ts'
import { englishEmails, englishLetters } from './english-written.ts'
import { saidInFrench } from './french-blocks.ts'
import { frenchCalls, frenchSms } from './french-brief.ts'
import { frenchEmails, frenchLetters } from './french-written.ts'
import type { Language, Notice, Template, Text, Words } from './notice.ts'
import { cleaned } from './one-line.ts'
import { filled } from './own-words.ts'

/** Grows by one whenever a word that reaches a debtor changes, so that a message names the words it was written with. */
export const textsVersion = 2

const words: Record<Language, Words> = {
  fr: { email: frenchEmails, sms: frenchSms, lrar: frenchLetters, voice: frenchCalls },
  en: { email: englishEmails, sms: englishSms, lrar: englishLetters, voice: englishCalls },
}

const said = { fr: saidInFrench, en: saidInEnglish }

/** In an email and a letter the creditor stands before the subject, whoever chose its words. */
const from = { fr: (creditor: string) => `${creditor} : `, en: (creditor: string) => `${creditor}: ` }

export function templateOf(step: string, channel: Channel, language: Language): Template | null {
  const onChannel: Record<string, Template> = words[language][channel]
  return Object.hasOwn(onChannel, step) ? onChannel[step]! : null
}

/** Every step that sends has its words here; a step without words on a channel is never reserved for it. */
export function textOf(
  step: string,
  channel: Channel,
): ((language: Language, notice: Notice) => Text) | null {
  if (!templateOf(step, channel, 'fr')) return null
  return (language, given) => {
    const template = templateOf(step, channel, language)!
    const notice = cleaned(given)
    const facts = said[language](notice)
    const ownSubject = template.isSubjectFixed ? null : (notice.own?.subject ?? null)
    const ownOpening = notice.own?.opening ?? null
    const subject = ownSubject === null ? template.subject(facts) : filled(ownSubject, facts)
    const opening = ownOpening === null ? template.opening(facts) : filled(ownOpening, facts)
    const hasCreditorFirst = channel === 'email' || channel === 'lrar'
    return {
      heading: subject.charAt(0).toUpperCase() + subject.slice(1),
      subject: hasCreditorFirst ? from[language](notice.creditor.name) + subject : subject,
      blocks: template.blocks(notice, opening).filter(block => block !== null),
    }
  }
}

export const stepsWithWords = (channel: Channel): string[] => Object.keys(words.fr[channel])
