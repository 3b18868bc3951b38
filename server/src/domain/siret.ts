const laPoste = '356000000'

/** Every second digit counts double, beginning with the last but one. */
const luhn = (digits: string): number =>
  [...digits].reduce((sum, digit, index) => {
    const value = (digits.length - index) % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)

/** Nine digits with a right check digit. */
export const isSiren = (text: string): boolean => /^\d{9}$/.test(text) && luhn(text) % 10 === 0

/** Luhn over the 14 digits. For establishments of La Poste the sum of the digits must be divisible by 5 instead. */
export function hasValidCheckDigit(siret: string): boolean {
  if (!/^\d{14}$/.test(siret)) return false
  const digits = [...siret].map(Number)
  if (luhn(siret) % 10 === 0) return true
  return siret.startsWith(laPoste) && digits.reduce((sum, digit) => sum + digit, 0) % 5 === 0
}
