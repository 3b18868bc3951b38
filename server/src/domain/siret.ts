const laPoste = '356000000'

/** Luhn over the 14 digits. For establishments of La Poste the sum of the digits must be divisible by 5 instead. */
export function hasValidCheckDigit(siret: string): boolean {
  if (!/^\d{14}$/.test(siret)) return false
  const digits = [...siret].map(Number)
  const luhn = digits.reduce((sum, digit, index) => {
    const doubled = index % 2 === 0 ? digit * 2 : digit
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  if (luhn % 10 === 0) return true
  return siret.startsWith(laPoste) && digits.reduce((sum, digit) => sum + digit, 0) % 5 === 0
}
