const plain = new Set([
  'oui',
  'oui merci',
  'oui je confirme',
  'je confirme',
  'yes',
  'yes please',
  'yes i confirm',
  'i confirm',
])

/** A plain yes and nothing else: whatever a message says besides, it is a message. */
export const isYes = (message: string): boolean =>
  plain.has(
    message
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\p{P}\s]+/gu, ' ')
      .trim(),
  )
