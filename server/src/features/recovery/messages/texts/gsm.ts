// GSM 03.38: any other character and the network counts 70 to a message instead of 160; those of the second row count double.
const single =
  '@£$¥èéùìòÇ\nØøÅåÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà_ΔΦΓΛΩΠΨΣΘΞ'
const double = '^{}\\[~]|€'

/** Signs without a decomposition, by the nearest the alphabet has. */
const nearest: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
  '‐': '-',
  '…': '...',
  œ: 'oe',
  Œ: 'OE',
  ç: 'c',
  '·': '.',
  '•': '-',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  þ: 'th',
  ð: 'd',
}

const isKnown = (character: string) => single.includes(character) || double.includes(character)

function inAlphabet(character: string): string {
  if (isKnown(character)) return character
  const own = nearest[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return [...own].map(letter => (isKnown(letter) ? letter : '?')).join('')
}

/** A text as every phone shows it and every network counts it; a letter the alphabet does not know loses its mark. */
export const inGsm = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/[\p{Zs}\t]/gu, ' ')].map(inAlphabet).join('')

/** How many of the 160 places of a message a text takes; of one that goes as several, each has 153. */
export const placesOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (double.includes(character) ? 2 : 1), 0)

export const placesOfTwo = 2 * 153
