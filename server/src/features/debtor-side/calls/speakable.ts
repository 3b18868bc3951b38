import { forbiddenIn } from '../../../domain/contact/forbidden-words.ts'

/*
 * What a model wanted to say, made fit to be said: by the same words that no letter may contain.
 */
const link = /https?:|www\.|\b[\w-]+\.(?:com|fr|net|org|io|eu|info|biz|example)\b/i

export const spokenMost = 700

const withoutMarkup = (text: string) =>
  text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_#`~|<>{}[\]\\]/g, ' ')
    .replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Sentence by sentence; one that may not be said is left out. Empty when nothing is left. */
export function speakable(text: string, of: { language: 'fr' | 'en'; mayNameCourt: boolean }): string {
  const isAllowed = (sentence: string) =>
    !link.test(sentence) && forbiddenIn(sentence, { ...of, mayClaim: true }).length === 0
  const whole = withoutMarkup(text)
    .split(/(?<=[.?!…])\s+/)
    .filter(isAllowed)
    .join(' ')
  if (whole.length <= spokenMost) return whole
  const end = Math.max(...['.', '?', '!'].map(mark => whole.lastIndexOf(mark, spokenMost - 1)))
  return end > 0 ? whole.slice(0, end + 1) : whole.slice(0, whole.lastIndexOf(' ', spokenMost))
}
