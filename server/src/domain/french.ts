/**
 * French with its no-break spaces: before `: ; ? ! »` and after `«`. Only our own words are changed, never inserted values,
 * because a reference must be copied unchanged.
 */
export const fr = (strings: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  strings
    .map(part => part.replaceAll(/ (?=[:;?!»])/g, '\u00a0').replaceAll('« ', '«\u00a0'))
    .map((part, at) => (at === 0 ? part : `${values[at - 1]}${part}`))
    .join('')
