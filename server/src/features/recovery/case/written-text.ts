import type { Keyring } from '../../../kit/crypto.ts'

/** What a person wrote in a message of their own. */
export interface WrittenText {
  /** Null: our subject, or none. */
  subject: string | null
  /** Null: our text; a list of open invoices needs none. */
  text: string | null
}

const purposeOf = (extraId: string): string => `written ${extraId}`

export const sealWritten = (keyring: Pick<Keyring, 'seal'>, extraId: string, written: WrittenText): string =>
  keyring.seal(purposeOf(extraId), JSON.stringify(written))

export const openWritten = (keyring: Pick<Keyring, 'open'>, extraId: string, sealed: string): WrittenText =>
  JSON.parse(keyring.open(purposeOf(extraId), sealed))

/** The paragraphs of a text as it was typed: one per line. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

export const wordsOf = ({ subject, text }: WrittenText) => ({ subject, paragraphs: paragraphsOf(text ?? '') })
