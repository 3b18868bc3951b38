/**
 * A reminder without a court's title must not mention a bailiff, a seizure, a department that does not exist, a credit record, or
 * a sum that the law does not give (art. L111-8 C. pr. civ. d'exécution; L121-1 and L121-6 C. consom.).
 */
interface Rule {
  word: string
  /** Matched against the normalized text: lower case, without accents. */
  pattern: RegExp
  /** Set for a word that is harmless in the other language. */
  language?: 'fr' | 'en'
}

const rule = (word: string, pattern: RegExp, language?: 'fr' | 'en'): Rule => ({
  word,
  pattern,
  ...(language && { language }),
})

const threats: readonly Rule[] = [
  rule('huissier', /\bhuissiers?\b/),
  rule('commissaire de justice', /\bcommissaires? de justice\b/),
  rule('saisie', /\bsaisies?\b|\bsaisie-[a-z]+/),
  rule('saisir', /\bsaisi[a-z]* (?:vos|votre|ses|sur|le compte|les comptes|le salaire)\b/),
  rule('service contentieux', /\bcontentieux\b/),
  rule('titre exécutoire', /\btitres? executoires?\b/),
  rule('exécution forcée', /\bexecution forcee\b/),
  rule('expulsion', /\bexpulsions?\b|\bexpulse[rsz]?\b/, 'fr'),
  rule('police', /\bpolic(?:e|iers?)\b|\bgendarme[a-z]*\b/),
  rule('prison', /\bprisons?\b|\bjail(?:ed)?\b|\bemprison[a-z]*\b|\bimprison[a-z]*\b/),
  rule('pénal', /\bpena(?:l|le|les|ux)\b|\bcriminal\b|\bescroquerie\b|\bfraud\b/),
  rule('fichage', /\bfichage\b|\bfiche[sr]? (?:a la )?banque\b|\binterdit bancaire\b|\bblack ?list[a-z]*\b/),
  rule('bailiff', /\bbailiffs?\b|\benforcement (?:officer|agent)s?\b/),
  rule('seizure', /\bseiz(?:e|es|ed|ure|ures|ing)\b|\brepossess[a-z]*\b/),
  rule('litigation department', /\blitigation\b|\blegal department\b/),
  rule('garnish', /\bgarnish[a-z]*\b/),
  rule(
    'poursuites',
    /\bpoursuites?\b|\bwill sue\b|\bsu(?:e|ing) you\b|\bporter plainte\b|\bprosecut[a-z]*\b/,
  ),
  // The Banque de France helps with over-indebtedness: a sentence about that which names no record is not a threat.
  rule(
    'credit record',
    /(?:^|[.?!] )(?![^.?!]*(?:surendette|over-?indebted))[^.?!]*\bbanque de france\b|(?:^|[.?!])(?:(?!\b(?:fich|signal|inscri|report|record))[^.?!])*\b(?:fich|signal|inscri|report|record)[a-z]*\b[^.?!]*\bbanque de france\b|\bcredit (?:record|score|rating)s?\b/,
  ),
]

const courts: readonly Rule[] = [
  rule('tribunal', /\btribuna(?:l|ux|ls)\b/),
  rule('juge', /\bjuges?\b|\bjudges?\b/),
  rule('judiciaire', /\bjudiciaires?\b|\bjudicial\b/),
  rule('justice', /\bjustice\b/),
  rule('injonction', /\binjonctions?\b|\binjunctions?\b/),
  rule('assignation', /\bassignations?\b|\bassigner\b/, 'fr'),
  rule('court', /\bcourts?\b/, 'en'),
  rule('lawsuit', /\blaw ?suits?\b|\blegal (?:action|proceedings)\b|\bsue[ds]?\b/, 'en'),
]

const additions: readonly Rule[] = [
  rule('frais', /\bfrais\b|\bhonoraires\b/, 'fr'),
  rule('intérêts', /\binterets?\b/, 'fr'),
  rule('indemnité', /\bindemnites?\b|\bindemnisation\b/, 'fr'),
  rule('pénalité', /\bpenalites?\b|\bmajorations?\b|\bamendes?\b/, 'fr'),
  rule('fee', /\bfees?\b|\bsurcharges?\b|\bcharges\b/, 'en'),
  rule('interest', /\binterest\b/, 'en'),
  rule('penalty', /\bpenalt(?:y|ies)\b|\bfines?\b|\bcompensation\b/, 'en'),
]

/** Letters of other alphabets that look like ours, and digits used as letters. */
const lookalikes: Record<string, string> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ғ: 'f',
  н: 'h',
  һ: 'h',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  ӏ: 'l',
  м: 'm',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  υ: 'u',
  ԝ: 'w',
  х: 'x',
  у: 'y',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  χ: 'x',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ſ: 's',
  ƒ: 'f',
  ꞌ: "'",
  '’': "'",
  ʼ: "'",
}
const lettersForDigits: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** In lower case, without accents, invisible characters and letters of other alphabets that look like ours. */
export const withoutDisguise = (text: string) =>
  [
    ...text
      // Before too: to sort many marks takes quadratic time.
      .replaceAll(/\p{M}/gu, '')
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, ''),
  ]
    .map(letter => lookalikes[letter] ?? letter)
    .join('')

/** Joins letters that were written apart, such as `h u i s s i e r` or `h.u.i.s.s.i.e.r`. */
const joinSpacedLetters = (text: string) =>
  text.replaceAll(/(?<![a-z])[a-z](?:[\s._*·|/-]+[a-z](?![a-z])){2,}/g, spaced =>
    spaced.replaceAll(/[^a-z]/g, ''),
  )

/** Replaces digits used as letters (`hu1ssier`), only in words that also contain letters. */
const replaceDigits = (text: string) =>
  text.replaceAll(/[\w@$!]+/g, word =>
    /[a-z]/.test(word) ? [...word].map(character => lettersForDigits[character] ?? character).join('') : word,
  )

/** All the ways a reader may understand the text. */
const readingsOf = (text: string): string[] => {
  const normalized = withoutDisguise(text).replaceAll(/\s+/g, ' ')
  const joined = normalized.replaceAll(/(?<=[a-z])[._*·|](?=[a-z])/g, '')
  return [
    normalized,
    joined,
    joinSpacedLetters(normalized),
    replaceDigits(normalized),
    replaceDigits(joinSpacedLetters(normalized)),
  ]
}

export interface TextPermissions {
  language: 'fr' | 'en'
  /** The company allows the court to be named. */
  mayNameCourt: boolean
  /** The message claims what the law adds for late payment. */
  mayClaim: boolean
}

/** The forbidden words that a text contains, each once, even if they are disguised. */
export function forbiddenIn(text: string, { language, mayNameCourt, mayClaim }: TextPermissions): string[] {
  const rules = [...threats, ...(mayNameCourt ? [] : courts), ...(mayClaim ? [] : additions)]
  const readings = readingsOf(text)
  return rules
    .filter(({ language: ruleLanguage }) => ruleLanguage === undefined || ruleLanguage === language)
    .filter(({ pattern }) => readings.some(reading => pattern.test(reading)))
    .map(({ word }) => word)
}
