/** A text that begins with one of these asks us to stop, in French or English. */
const leadingStopWords = new Set([
  'stop',
  'stopall',
  'stopsms',
  'arret',
  'arreter',
  'arretez',
  'desabonner',
  'desabonnement',
  'desinscription',
  'desinscrire',
  'unsubscribe',
  'optout',
])
/** These words may begin other sentences too: they mean stop only if they are the whole text. */
const standaloneStopWords = new Set(['end', 'quit', 'cancel', 'revoke', 'fin', 'annuler'])

/** Whether a reply asks us to stop writing on this channel. The first word decides, whatever follows. */
export function isStopWord(text: string): boolean {
  const words = text
    // Before too: to sort many marks takes quadratic time.
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const [word] = words
  return (
    word !== undefined &&
    (leadingStopWords.has(word) || (words.length === 1 && standaloneStopWords.has(word)))
  )
}
