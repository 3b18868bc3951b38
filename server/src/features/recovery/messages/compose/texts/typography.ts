export { fr } from '../../../../../domain/french.ts'

/** The plural begins at two. */
export const paidSum = (sum: string): string => `${sum} ${/^[01],/.test(sum) ? 'payé' : 'payés'}`

const beforeName = (word: 'de' | 'que', name: string): string =>
  /^[aeiouyàâäéèêëîïôöùûü]/i.test(name) ? `${word.slice(0, -1)}’${name}` : `${word} ${name}`

/** A name after "de": `de Martin`, `d’Atelier Martin`. */
export const withDe = (name: string): string => beforeName('de', name)
/** The same after "que": `que Martin`, `qu’Atelier Martin`. */
export const withQue = (name: string): string => beforeName('que', name)
