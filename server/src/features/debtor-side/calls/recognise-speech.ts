/** Normalises text for comparison: lower case, no accents, straight apostrophes, single spaces. */
const normalised = (text: string) =>
  text
    // Before too: to sort many marks takes quadratic time.
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^a-z0-9' ]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()

/*
 * The program recognises these itself, so that an opt-out never depends on a model. A false positive closes a channel, which
 * the company can see; a false negative means calling a person who asked not to be called.
 */
const noMoreCalls = [
  /^(?:(?:non|no|oh|euh|please|s'il vous plait) )*stop(?: stop)*(?: (?:merci|please|thanks|thank you|s'il vous plait))*$/,
  /\bne (?:m'|me |nous |l')?r?(?:appel|contact|telephon|derang|harcel)\w* (?:plus|jamais)\b/,
  /\bplus (?:jamais )?(?:etre|m'|me |nous )\s?r?(?:appel|contact|telephon|derang|demarch)/,
  /\b(?:arretez|arreter|arrete|cessez|cesser) (?:de |d')(?:m'|me |nous )?\s?r?(?:appel|contact|telephon|derang|harcel)/,
  /\b(?:arretez|cessez) (?:les |vos |ces )appels\b/,
  /\b(?:retirez|enlevez|supprimez|rayez|effacez)(?: |-)?(?:moi|nous|mon numero|notre numero|mes coordonnees)\b/,
  /\bplus (?:d'|aucun )appels?\b/,
  /\bstop (?:calling|phoning|contacting|ringing)\b/,
  /\b(?:do not|don't|dont|never) (?:ever )?(?:call|phone|ring|contact) (?:me|us|here|this number)(?: (?:again|any ?more|ever))?\b/,
  /\b(?:remove|delete|take) (?:me|us|my number|our number|this number)(?: off| from)?\b/,
  /\bno more calls\b/,
  /\bopt(?:ing)? (?:me )?out\b/,
]

/** The person does not want to be called any more. */
export const isOptOut = (text: string): boolean => {
  const plainText = normalised(text)
  return noMoreCalls.some(pattern => pattern.test(plainText))
}

const yes =
  /^(?:(?:ah|euh|well) )?(?:oui|ouais|exact|exactement|tout a fait|c'est (?:bien )?(?:moi|nous|ca)|lui meme|elle meme|je (?:le )?confirme|yes|yeah|speaking|this is (?:he|she|me|him|her)|that's (?:me|us|right|correct)|correct|i (?:do )?confirm)\b/
/** `Oui, je vous la passe`, `oui, mais pas moi`: a yes to something else. */
const butNot =
  /\b(?:mais|pas|non|passe|passer|transfere|instant|attendez|quittez|patientez|collegue|but|not|no|hold|moment|colleague|transfer)\b/

/** A plain yes, and nothing that takes it back. */
export const isYes = (text: string): boolean => {
  const plainText = normalised(text)
  return yes.test(plainText) && !butNot.test(plainText)
}

const spokenDigits = [
  'zero un deux trois quatre cinq six sept huit neuf',
  'zero one two three four five six seven eight nine',
].map(words => words.split(' '))

/** The digits in what was heard, as numerals or one by one in words. */
export const digitsIn = (text: string): string =>
  normalised(text)
    .split(/[ ']/)
    .map(word => {
      const digit = Math.max(...spokenDigits.map(words => words.indexOf(word)))
      return digit >= 0 ? String(digit) : word.replaceAll(/\D/g, '')
    })
    .join('')
