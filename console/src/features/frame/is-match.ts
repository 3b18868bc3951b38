const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replaceAll('’', "'")
    .toLowerCase()

/** Whether each word that was typed begins a word of the name; accents and capitals do not matter. */
export function isMatch(typed: string, name: string): boolean {
  const words = plain(name).split(/[\s']+/)
  return plain(typed)
    .split(/[\s']+/)
    .every(part => words.some(word => word.startsWith(part)))
}
