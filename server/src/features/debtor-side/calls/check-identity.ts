import type { CallTexts } from './call-texts.ts'
import type { LiveCall } from './read-call.ts'
import { digitsIn, isYes } from './recognise-speech.ts'

const asksMax = 2
/** The minimum length of a postal code; with fewer digits the person said something else. */
const codeDigitsMin = 4

export interface Utterance {
  text: string
  endsCall: boolean
}

/**
 * Checks who is on the phone. The program asks and judges by itself: before that, nothing about a debt is spoken or given to the
 * model. At a business, the person confirms that they are in charge of supplier invoices, because another person may have
 * answered. A consumer gives the postal code that the creditor gave us.
 */
export interface IdentityCheck {
  readonly isConfirmed: boolean
  /** The last thing said was our question. */
  readonly isAsking: boolean
  /** Another person is coming to the phone and has heard nothing yet. */
  readonly expectsAnother: boolean
  /** The next question; the end of the call if it was asked often enough, or if there is nothing to check against. */
  ask(): Utterance
  /** The first question to a person who has just come to the phone. */
  askAnother(question: string): Utterance
  /** `unclear`: the model answers. */
  judge(speech: string): 'confirmed' | 'ask' | 'unclear'
  /** The model spoke, so a yes no longer answers our question. */
  noteModelSpoke(): void
  expectAnother(): void
}

export function identityCheck(
  { file }: Pick<LiveCall, 'file'>,
  { identity: texts }: Pick<CallTexts, 'identity'>,
): IdentityCheck {
  const isConsumer = file.type === 'consumer'
  const postalCode = digitsIn(file.postal_code ?? '')
  const caller = file.creditor.collector?.name ?? file.creditor.name
  let asked = 0
  let isConfirmed = false
  let expectsAnother = false
  let isCodeAsked = false
  let isAskedLast = false

  /** A few extra digits may be words that sound like a digit; a list of codes is refused. */
  function isRightCode(digits: string): boolean {
    return digits.length <= postalCode.length + 2 && digits.includes(postalCode)
  }

  function judgeConsumer(speech: string) {
    const digits = digitsIn(speech)
    if (!isCodeAsked) return isYes(speech) ? 'ask' : 'unclear'
    if (digits.length < codeDigitsMin) return 'unclear'
    return isRightCode(digits) ? 'confirmed' : 'ask'
  }

  function judgeBusiness(speech: string) {
    if (!isYes(speech)) return 'unclear'
    return isAskedLast ? 'confirmed' : 'ask'
  }

  function ask(): Utterance {
    expectsAnother = false
    if (isConsumer && postalCode.length < codeDigitsMin)
      return { text: texts.messageWaits(caller), endsCall: true }
    if (asked >= asksMax) return { text: texts.notVerified, endsCall: true }
    asked++
    isAskedLast = true
    isCodeAsked = isConsumer
    return { text: isConsumer ? texts.postalCode : texts.isInCharge, endsCall: false }
  }

  return {
    get isConfirmed() {
      return isConfirmed
    },
    get isAsking() {
      return isAskedLast && !isConfirmed
    },
    get expectsAnother() {
      return expectsAnother
    },
    ask,
    askAnother(question) {
      if (!isConsumer) return ask()
      expectsAnother = false
      return { text: question, endsCall: false }
    },
    judge(speech) {
      const verdict = isConsumer ? judgeConsumer(speech) : judgeBusiness(speech)
      if (verdict === 'confirmed') isConfirmed = true
      return verdict
    },
    noteModelSpoke() {
      isAskedLast = false
    },
    expectAnother() {
      // For a consumer the count stays, so that guessing postal codes gets no further tries.
      if (!isConsumer) asked = 0
      isCodeAsked = false
      isAskedLast = false
      expectsAnother = true
    },
  }
}
