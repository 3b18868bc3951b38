import { forbiddenIn } from '../../../../../domain/contact/forbidden-words.ts'
import { paymentDetailsIn } from '../../../../../domain/contact/payment-details.ts'
import type { FaultCode } from '../../../../../kit/errors.ts'
import type { Language } from './labels.ts'
import type { OwnTexts, TemplateValues } from './message-content.ts'

/** The placeholders that a company may use in its own texts. */
export const placeholders = ['creditor', 'debtor', 'reference', 'sum', 'dueDate'] as const

/** Shows the placeholders themselves, for the API that lists our texts. */
export const placeholderValues: TemplateValues = {
  creditor: '{{creditor}}',
  debtor: '{{debtor}}',
  reference: '{{reference}}',
  sum: '{{sum}}',
  dueDate: '{{dueDate}}',
  isSeveral: false,
  isSumForSeveral: false,
  isConsumer: false,
  isAskedForNumber: false,
  isTimeBarred: false,
  isCollected: false,
  following: 'nothing',
  caller: '{{creditor}}',
}

// One repetition only: with another one for the spaces, a text of 600 characters would take seconds.
const anyPlaceholder = /\{\{([^{}]*)\}\}/g

const isPlaceholder = (name: string): name is (typeof placeholders)[number] =>
  (placeholders as readonly string[]).includes(name)

/** Placeholders that do not exist, including unclosed braces. */
export const unknownPlaceholders = (text: string): string[] => {
  const unknown = [...text.matchAll(anyPlaceholder)]
    .map(match => match[1]!.trim())
    .filter(name => !isPlaceholder(name))
  return /\{\{|\}\}/.test(text.replaceAll(anyPlaceholder, '')) ? [...unknown, '{{'] : unknown
}

/** Replaces all placeholders in one pass: inserted values are not searched for placeholders again. */
export const fillPlaceholders = (text: string, values: TemplateValues): string =>
  text.replaceAll(anyPlaceholder, (whole, inner: string) => {
    const name = inner.trim()
    return isPlaceholder(name) ? values[name] : whole
  })

/** Whether a text would show this value. */
export const names = (text: string, placeholder: (typeof placeholders)[number]): boolean =>
  [...text.matchAll(anyPlaceholder)].some(match => match[1]!.trim() === placeholder)

/** Why a company's own text is refused. */
export interface TextFault {
  field: keyof OwnTexts
  code: FaultCode
  message: string
}

export function faultsOf(field: TextFault['field'], text: string, language: Language): TextFault[] {
  const unknown = unknownPlaceholders(text).map(name => ({
    field,
    code: 'unknown_placeholder' as const,
    message: `holds ${name.startsWith('{{') ? 'braces that are not closed' : `{{${name}}}, which nobody could fill in`}; there are ${placeholders.map(known => `{{${known}}}`).join(', ')}`,
  }))
  return [...unknown, ...wordFaultsIn(text, language).map(fault => ({ field, ...fault }))]
}

/** What no text that somebody wrote may tell a debtor. */
export const wordFaultsIn = (text: string, language: Language): Omit<TextFault, 'field'>[] =>
  wordFindingsIn(text, language).map(({ code, message }) => ({ code, message }))

/** The same, with the words that were found. */
export function wordFindingsIn(text: string, language: Language) {
  // The court and the late-payment sums are named in our own parts of the message, where they are allowed.
  const forbidden = forbiddenIn(text, { language, mayNameCourt: false, mayClaim: false }).map(word => ({
    code: 'forbidden_word' as const,
    found: word as string,
    message: `says or means “${word}”, which a reminder must not`,
  }))
  const details = paymentDetailsIn(text).map(({ kind, found }) => ({
    code: 'payment_details' as const,
    found,
    message: `holds “${found}”, which reads as ${kind === 'link' ? 'a link or an address' : 'a bank account'}; a message has only the link and the account that we put in, so that nobody can redirect a payment by words. Leave it out${kind === 'link' ? ', or put a space after the full stop' : ''}`,
  }))
  return [...forbidden, ...details]
}

/** A cache: the same few texts are used for many messages. */
const judged = new Map<string, readonly TextFault[]>()
const judgedMax = 1_000

/** The faults of texts as they are stored. A text may be older than the rule that it breaks. */
export const faultsInStored = (own: OwnTexts | null, language: Language): TextFault[] =>
  (['subject', 'opening'] as const).flatMap(field => {
    const text = own?.[field] ?? null
    if (text === null) return []
    const key = `${language} ${field} ${text}`
    const known = judged.get(key)
    if (known) return known
    const faults = faultsOf(field, text, language)
    if (judged.size >= judgedMax) judged.clear()
    judged.set(key, faults)
    return faults
  })

/** The stored texts that may be sent; ours replace the others. */
export function usableTexts(own: OwnTexts | null, language: Language): OwnTexts {
  const refused = faultsInStored(own, language).map(({ field }) => field)
  const usable = (field: TextFault['field']) => (refused.includes(field) ? null : (own?.[field] ?? null))
  return { subject: usable('subject'), opening: usable('opening') }
}
