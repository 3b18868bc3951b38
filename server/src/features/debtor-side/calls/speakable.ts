import { forbiddenIn } from '../../../domain/contact/forbidden-words.ts'

/*
 * Filters what a model wants to say by the same forbidden words as letters.
 */
const link = /https?:|www\.|(?<![\w-])[\w-]+\.(?:com|fr|net|org|io|eu|info|biz|example)\b/i

export const spokenMaxChars = 700

const withoutMarkup = (text: string) =>
  text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[*_#`~|<>{}[\]\\]/g, ' ')
    .replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Leaves out every sentence that may not be said. Empty if nothing is left. */
export function speakable(text: string, options: { language: 'fr' | 'en'; mayNameCourt: boolean }): string {
  const isAllowed = (sentence: string) =>
    !link.test(sentence) && forbiddenIn(sentence, { ...options, mayClaim: true }).length === 0
  const whole = withoutMarkup(text)
    .split(/(?<=[.?!…])\s+/)
    .filter(isAllowed)
    .join(' ')
  if (whole.length <= spokenMaxChars) return whole
  const end = Math.max(...['.', '?', '!'].map(mark => whole.lastIndexOf(mark, spokenMaxChars - 1)))
  return end > 0 ? whole.slice(0, end + 1) : whole.slice(0, whole.lastIndexOf(' ', spokenMaxChars))
}
