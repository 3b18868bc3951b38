import type { CallTexts } from './call-texts.ts'
import type { LiveCall } from './read-call.ts'
import { digitsIn, isYes } from './recognise-speech.ts'

const asksMax = 2
/** What a postal code has at least; with fewer digits a person said something else. */
const codeDigitsMin = 4

export interface Utterance {
  text: string
  endsCall: boolean
}

/**
 * Whether the program knows to whom it speaks. It asks and judges by itself: nothing of a debt is spoken, or told to the model,
 * before that. At a business, the person says yes to the question whether they follow the invoices of suppliers: who answers
 * the telephone need not be that person. A consumer gives the postal code that the creditor gave us.
 */
export interface IdentityCheck {
  readonly isConfirmed: boolean
  /** The last thing said was our question. */
  readonly isAsking: boolean
  /** Somebody else is coming to the telephone: they have heard nothing yet. */
  readonly expectsAnother: boolean
  /** The next question; the end of the call if it was asked often enough, or if there is nothing to check by. */
  ask(): Utterance
  /** The first question to somebody who has just come to the telephone. */
  askAnother(question: string): Utterance
  /** `unclear`: the model answers. */
  judge(speech: string): 'confirmed' | 'ask' | 'unclear'
  /** The model spoke: a yes is then no answer to our question. */
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

  /** A few digits more may be words that sound like one; a list of codes is no answer. */
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
      // Somebody who guesses postal codes gets no further tries by it.
      if (!isConsumer) asked = 0
      isCodeAsked = false
      isAskedLast = false
      expectsAnother = true
    },
  }
}
