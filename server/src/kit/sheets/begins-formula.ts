const formula = /^'*[=+\-@\t\r]/

/**
 * Text that a spreadsheet would treat as a formula, and text that already has our apostrophe. Some languages of Excel read
 * full-width signs as the usual ones, so the compatible form of the text (NFKC) is compared.
 */
export const beginsFormula = (text: string): boolean => formula.test(text.normalize('NFKC'))
