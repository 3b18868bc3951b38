// GSM 03.38: with any other character an SMS holds 70 characters instead of 160. The extended characters count double.
const basicCharacters =
  '@£$¥èéùìòÇ\nØøÅåÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà_ΔΦΓΛΩΠΨΣΘΞ'
const extendedCharacters = '^{}\\[~]|€'

/** Replacements for characters without a Unicode decomposition. */
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

const isKnown = (character: string) =>
  basicCharacters.includes(character) || extendedCharacters.includes(character)

function toGsmCharacter(character: string): string {
  if (isKnown(character)) return character
  const own = nearest[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return [...own].map(letter => (isKnown(letter) ? letter : '?')).join('')
}

/** A text in the GSM alphabet; a letter that is not in it loses its accent. */
export const toGsm = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/[\p{Zs}\t]/gu, ' ')].map(toGsmCharacter).join('')

/** The length of a text as an SMS: one SMS holds 160 characters; in a longer text each part holds 153. */
export const smsLengthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (extendedCharacters.includes(character) ? 2 : 1), 0)

export const twoSmsLength = 2 * 153
