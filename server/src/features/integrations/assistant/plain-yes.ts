const plainYes = new Set([
  'oui',
  'oui merci',
  'oui je confirme',
  'je confirme',
  'yes',
  'yes please',
  'yes i confirm',
  'i confirm',
])

/** True only for a plain yes; with any other words it is an ordinary message. */
export const isYes = (message: string): boolean =>
  plainYes.has(
    message
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\p{P}\s]+/gu, ' ')
      .trim(),
  )
