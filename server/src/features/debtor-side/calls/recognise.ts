/** As it is compared: small letters without accents, apostrophes straight, one space between words. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^a-z0-9' ]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()

/*
 * The program hears these itself, so that somebody who wants no more calls does not depend on a model to be understood.
 * One too many closes a channel, which a company can see; one too few rings somebody who asked not to be rung.
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

/** Whoever speaks does not want to be called any more. */
export const isOptOut = (text: string): boolean => {
  const words = plain(text)
  return noMoreCalls.some(pattern => pattern.test(words))
}

const yes =
  /^(?:(?:ah|euh|well) )?(?:oui|ouais|exact|exactement|tout a fait|c'est (?:bien )?(?:moi|nous|ca)|lui meme|elle meme|yes|yeah|speaking|this is (?:he|she|me|him|her)|that's (?:me|us|right|correct)|correct)\b/

/** A plain yes to the question who it is; anything else is not one. */
export const isYes = (text: string): boolean => yes.test(plain(text))
