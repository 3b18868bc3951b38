import type { Text } from '../../src/features/recovery/messages/compose/texts/message-content.ts'

/** What is read as running text: not tables, not the quoted law, not addresses. */
export const proseOf = ({ blocks }: Text): string[] =>
  blocks.flatMap(block =>
    block.kind === 'paragraph' || block.kind === 'small'
      ? [block.text]
      : block.kind === 'action'
        ? [block.lead]
        : [],
  )

/** Names, addresses and figures say nothing about how a text is written: each counts as one short word, an article in brackets as none. */
const neutral = (text: string): string =>
  text
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/ \(article[^)]*\)/g, '')
    .replaceAll(/\S+@\S+|www\.\S+|https?:\S+/g, 'nom')
    .replaceAll(/\+33( \d+)+/g, 'nom')
    .replaceAll(/Menuiserie Lambert|Durand et Fils SARL|Cabinet Rivoire/g, 'nom')
    .replaceAll(/\d[\d ,./-]*€?|[A-Z]+-\d{4}-\d+/g, 'nom ')

export const sentencesOf = (text: string): string[] =>
  neutral(text)
    .split(/[.!?]+/)
    .map(sentence => sentence.trim())
    .filter(sentence => /\p{L}/u.test(sentence))

export const wordsOf = (sentence: string): string[] =>
  sentence.split(/\s+/).filter(word => /[\p{L}\d]/u.test(word))

/** Groups of vowels that are heard. A plain e or es at the end is silent, é before a vowel is a syllable of its own. */
export function syllablesOf(word: string): number {
  const heard = word
    .toLowerCase()
    .replaceAll('œ', 'e')
    .replaceAll(/[^\p{L}]/gu, '')
    .replaceAll(/(?<=[aeiouéèêàâ])y(?=[aeiouéèêàâ])/g, 'j')
    .replace(/(?<=[^aeiouyéèêëàâîïôûù])es?$/, '')
    .replaceAll(/é(?=[aeiou])/g, 'éx')
  return Math.max(1, (heard.match(/[aeiouyéèêëàâîïôûüù]+/g) ?? []).length)
}

/** Flesch’s measure with the weights of Kandel and Moles (1958) for French: 100 is very easy, 30 difficult. */
export function kandelMoles(prose: readonly string[]): number {
  const sentences = prose.flatMap(sentencesOf)
  const words = sentences.flatMap(wordsOf)
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  return 207 - 1.015 * (words.length / sentences.length) - 73.6 * (syllables / words.length)
}
