/** A way to name a currency. `code` null: several currencies have it, so that nobody can tell which one is meant. */
export interface CurrencyName {
  text: string
  code: string | null
}

const name = (text: string, code: string | null): CurrencyName => ({ text, code })

/** Beside a sum. */
export const signs: readonly CurrencyName[] = [
  name('€', 'EUR'),
  name('EUR', 'EUR'),
  name('euros', 'EUR'),
  name('£', 'GBP'),
  name('GBP', 'GBP'),
  name('USD', 'USD'),
  name('US$', 'USD'),
  name('$US', 'USD'),
  name('CHF', 'CHF'),
  name('Fr.', 'CHF'),
  name('CAD', 'CAD'),
  name('CA$', 'CAD'),
  name('zł', 'PLN'),
  name('PLN', 'PLN'),
  name('SEK', 'SEK'),
  name('$', null),
  name('¥', null),
  name('kr', null),
]

/** Alone in a column. */
export const names: readonly CurrencyName[] = [
  ...signs,
  name('eur', 'EUR'),
  name('Euro', 'EUR'),
  name('Dollar US', 'USD'),
  name('Livre sterling', 'GBP'),
  name('Franc suisse', 'CHF'),
  name('Dollar', null),
]

/** What Windows-1252 can write. */
export const isWestern = ({ text }: CurrencyName): boolean => !text.includes('ł')

/** Number formats of Excel. A number is a built-in format: its sign is that of the computer that shows it. */
export const formats: readonly { format: number | string; code: string | null }[] = [
  { format: '#,##0.00\\ "€"', code: 'EUR' },
  { format: '#,##0.00\\ [$€-40C]', code: 'EUR' },
  { format: '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', code: 'EUR' },
  { format: '#,##0.00\\ €', code: 'EUR' },
  { format: '#,##0.00\\ "€";[Red]\\-#,##0.00\\ "€"', code: 'EUR' },
  { format: '[$EUR]\\ #,##0.00', code: 'EUR' },
  { format: '[$£-809]#,##0.00', code: 'GBP' },
  { format: '"£"#,##0.00', code: 'GBP' },
  { format: '[$USD]\\ #,##0.00', code: 'USD' },
  { format: '#,##0.00\\ "US$"', code: 'USD' },
  { format: '[$CHF-100C]\\ #,##0.00', code: 'CHF' },
  { format: '#,##0.00\\ "CHF"', code: 'CHF' },
  { format: '"$"#,##0.00', code: null },
  { format: '#,##0.00\\ "$"', code: null },
  { format: '[$$-409]#,##0.00', code: null },
  { format: '[$¥-411]#,##0.00', code: null },
  { format: 7, code: null },
  { format: 44, code: null },
]
export const plainFormats = ['#,##0.00', '#,##0.00_ ;[Red]\\-#,##0.00\\ ', '_-* #,##0.00\\ _€_-'] as const
