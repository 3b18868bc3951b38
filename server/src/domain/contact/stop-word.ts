/** What networks and people write in French and English when they want no more messages. */
const first = new Set([
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
/** Words that begin other sentences too: only alone do they ask us to stop. */
const alone = new Set(['end', 'quit', 'cancel', 'revoke', 'fin', 'annuler'])

/** Whether an answer asks us to stop writing on this channel: its first word says so, whatever politeness follows. */
export function isStopWord(text: string): boolean {
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const [word] = words
  return word !== undefined && (first.has(word) || (words.length === 1 && alone.has(word)))
}
