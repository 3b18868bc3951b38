/** A whole number of cents, never a fraction. */
export type Cents = number & { readonly __brand: 'Cents' }

export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of cents: ${amount}`)
  // Zero has one sign: −0 would reach a letter as "-0,00 €".
  return (amount === 0 ? 0 : amount) as Cents
}

export function addCents(left: Cents, right: Cents): Cents {
  return cents(left + right)
}

export function subtractCents(left: Cents, right: Cents): Cents {
  return cents(left - right)
}

const locales = { fr: 'fr-FR', en: 'en-GB' } as const
const formats = new Map<string, Intl.NumberFormat>()

/** `1 200,00 €` in French, with the no-break spaces of French typography; `€1,200.00` in English. */
export function formatMoney(amount: Cents, currency: string, language: 'fr' | 'en'): string {
  const key = `${language} ${currency}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(locales[language], {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    })
    formats.set(key, format)
  }
  // As decimal text: dividing by 100 loses cents on the largest sums.
  const digits = String(Math.abs(amount)).padStart(3, '0')
  const decimal = `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  return format.format(decimal as Intl.StringNumericLiteral)
}

/** ISO 4217, active codes of states and territories whose minor unit is a hundredth. */
const twoDecimalCurrencies = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
  CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
  KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
  NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
  TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`.split(/\s+/),
)

/** Sums are stored in hundredths, so only these currencies are accepted. The code is in capitals. */
export function isTwoDecimalCurrency(code: string): boolean {
  return twoDecimalCurrencies.has(code)
}

/** One sum per currency, in order of first occurrence. Different currencies are never added up. */
export function sumPerCurrency(
  amounts: Iterable<{ cents: number; currency: string }>,
): { currency: string; cents: Cents }[] {
  const sums = new Map<string, Cents>()
  for (const amount of amounts)
    sums.set(amount.currency, addCents(sums.get(amount.currency) ?? cents(0), cents(amount.cents)))
  return [...sums].map(([currency, sum]) => ({ currency, cents: sum }))
}
