/** Lengths of an IBAN by country (registry of ISO 13616); for a country not listed here 15 to 34 characters are accepted. */
const lengths: Record<string, number> = {
  AD: 24,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
}

/** Without spaces and in capitals. */
export const compactIban = (text: string): string => text.replaceAll(' ', '').toUpperCase()

/** ISO 13616: the right length, and mod 97 = 1 after the first four characters are moved to the end. */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  if (iban.length !== (lengths[iban.slice(0, 2)] ?? iban.length)) return false
  const check = Number(iban.slice(2, 4))
  // 00, 01 and 99 leave the same remainder as 97, 98 and 02, and are never given out.
  if (check < 2 || check > 98) return false
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}

/** An IBAN of a country whose length is known: another kind of number is hardly ever mistaken for one. */
export const isRegisteredIban = (iban: string): boolean =>
  lengths[iban.slice(0, 2)] !== undefined && isIban(iban)
