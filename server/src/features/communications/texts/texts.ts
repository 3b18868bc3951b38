import type { Channel } from '../../../domain/channel.ts'
import { englishCalls, englishSms } from './english-brief.ts'
import { englishEmails, englishLetters } from './english-written.ts'
import { frenchCalls, frenchSms } from './french-brief.ts'
import { frenchEmails, frenchLetters } from './french-written.ts'
import type { Language, Notice, Text, Words } from './notice.ts'

const words: Record<Language, Words> = {
  fr: { email: frenchEmails, sms: frenchSms, lrar: frenchLetters, voice: frenchCalls },
  en: { email: englishEmails, sms: englishSms, lrar: englishLetters, voice: englishCalls },
}

/** Every step that sends has its words here; a step without words on a channel is never reserved for it. */
export function textOf(
  step: string,
  channel: Channel,
): ((language: Language, notice: Notice) => Text) | null {
  if (!Object.hasOwn(words.fr[channel], step)) return null
  return (language, notice) => {
    const onChannel: Words[Channel] = words[language][channel]
    return onChannel[step as keyof typeof onChannel](notice)
  }
}

export const stepsWithWords = (channel: Channel): string[] => Object.keys(words.fr[channel])
