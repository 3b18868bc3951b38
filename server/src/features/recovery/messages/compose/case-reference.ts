const unambiguous = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Seven characters to read out or type, from the random end of an id: `R-4T9K2QM`. */
export function caseReference(id: string): string {
  const bits = BigInt(`0x${id.replaceAll('-', '').slice(-12)}`)
  const characters = Array.from({ length: 7 }, (_, i) => unambiguous[Number((bits >> BigInt(5 * i)) & 31n)])
  return `R-${characters.join('')}`
}
