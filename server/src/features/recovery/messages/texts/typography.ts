/**
 * French with its no-break spaces: before `: ; ? ! »` and after `«`. Only our own words are changed, never what is filled in, since a
 * reference is copied as it stands.
 */
export const fr = (strings: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  strings
    .map(part => part.replaceAll(/ (?=[:;?!»])/g, '\u00a0').replaceAll('« ', '«\u00a0'))
    .map((part, at) => (at === 0 ? part : `${values[at - 1]}${part}`))
    .join('')

/** The plural begins at two. */
export const paidSum = (sum: string): string => `${sum} ${/^[01],/.test(sum) ? 'payé' : 'payés'}`

const beforeName = (word: 'de' | 'que', name: string): string =>
  /^[aeiouyàâäéèêëîïôöùûü]/i.test(name) ? `${word.slice(0, -1)}’${name}` : `${word} ${name}`

/** A name after "de": `de Martin`, `d’Atelier Martin`. */
export const withDe = (name: string): string => beforeName('de', name)
/** The same after "que": `que Martin`, `qu’Atelier Martin`. */
export const withQue = (name: string): string => beforeName('que', name)
