import { paragraph } from './block.ts'
import { englishLabels, references, weOr } from './english-blocks.ts'
import {
  accessoriesApart,
  amountToPay,
  type Collector,
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { partyOnOneLine } from './template-writer.ts'

/** `our letter R-4T9K2QM of 20 May 2026`: each first letter with its day. */
const lettersIn = ({ letters }: Collector) =>
  letters.map(({ reference, day }) => `our letter ${reference} of ${englishLabels.date(day)}`).join(', ')

const smsTemplate: Template = {
  subject: () => '',
  // Others may read the screen of a private person, so the text contains neither the word invoice nor a sum.
  opening: values =>
    values.isAskedForNumber || (values.isConsumer && values.isCollected)
      ? 'a message is waiting for you:'
      : values.isConsumer
        ? `a message is waiting for you about your file ${values.reference}:`
        : `your ${singularOrPlural(values, 'invoice', 'invoices')} ${values.reference} ${singularOrPlural(values, 'is', 'are')} awaiting payment. Pay or dispute:`,
  blocks: ({ creditor, collector, link }, opening) => [
    paragraph(
      collector === null
        ? `${creditor.name}: ${opening} ${link}`
        : `${collector.name} for ${creditor.name}, ${lettersIn(collector)}: ${opening} ${link}`,
    ),
  ],
}

function remainingSum(content: MessageContent): string {
  const { indemnity, interest } = accessoriesApart(content)
  const named = [...(interest > 0 ? ['interest'] : []), ...(indemnity > 0 ? ['compensation'] : [])]
  const sum = amountToPay(content, 'en')
  return named.length === 0 ? sum : `${sum}, ${named.join(' and ')} included,`
}

function callSubject(content: MessageContent): string {
  const [first, ...more] = content.invoices
  return first && more.length === 0
    ? `I am calling about invoice ${first.number}, due on ${englishLabels.date(first.dueDate)}. Unless we are mistaken, ${remainingSum(content)} is still to be paid.`
    : `I am calling about ${content.invoices.length} invoices, ${references(content, 3)}. Unless we are mistaken, ${remainingSum(content)} in all is still to be paid.`
}

const identityQuestion = ({ debtor }: MessageContent) =>
  debtor.isConsumer
    ? `Am I speaking with ${debtor.name}?`
    : `Have I reached ${debtor.name}? May I speak to the person who looks after suppliers’ invoices?`

/** What a collector must say once the listener is identified: art. R124-4 C. pr. civ. d'exécution. */
const spokenMandate = ({ creditor, collector }: MessageContent): string | null =>
  collector &&
  `The business of ${partyOnOneLine(collector)}, is amicable recovery, here for the creditor ${partyOnOneLine(creditor)}. This follows ${lettersIn(collector)}.`

/** What we store of the call: its outcome and a note, no recording and no transcript. */
const callNotice =
  'This call is not recorded. Software transcribes what you say for the length of the call, and a short note of its result is kept.'

/** The debt is not mentioned before the identity of the listener is known. */
const callTemplate = (
  question: (values: TemplateValues) => string,
  more?: (content: MessageContent) => string | null,
): Template => ({
  subject: values =>
    values.isCollected
      ? `Hello, I am an artificial intelligence calling on behalf of ${values.caller}.`
      : `Hello, I am an artificial intelligence working for ${values.caller}.`,
  isSubjectFixed: true,
  opening: question,
  blocks: (content, opening) => {
    const mandate = spokenMandate(content)
    const rest = more?.(content) ?? null
    return [
      paragraph(`${identityQuestion(content)} If not, tell me and I will stop here.`),
      paragraph(callNotice),
      mandate === null ? null : paragraph(mandate),
      paragraph(callSubject(content)),
      paragraph(opening),
      rest === null ? null : paragraph(rest),
      paragraph(
        `Our written messages${weOr(content, '', creditor => ` for ${creditor}`)} hold a link or a code by which you can pay${content.isTimeBarred ? '' : ', pick a date'} or dispute. If you do not wish to be called again, tell me. Thank you, and goodbye.`,
      ),
    ]
  },
})

export const englishSms: LanguageTexts['sms'] = {
  sms_reminder: smsTemplate,
  extra_message: smsTemplate,
  written_message: smsTemplate,
}

/** Past the time bar nobody is asked for a day, which could not be recorded. */
const whenToPay =
  (question: string) =>
  ({ isTimeBarred }: TemplateValues) =>
    `Have you already paid? If not, ${isTimeBarred ? 'tell me what is holding up the payment.' : question}`

export const englishCalls: LanguageTexts['voice'] = {
  ai_call: callTemplate(whenToPay('when do you expect to pay?'), ({ debtor }) =>
    debtor.isConsumer
      ? 'If you did not receive the invoice, or do not agree, tell me.'
      : 'If something is holding it up, an invoice that never arrived, an approval still to come or a disagreement, tell me. And if somebody else takes care of it, tell me whom to contact.',
  ),
  ai_call_2: callTemplate(whenToPay('which date or which amounts would suit you?'), content =>
    content.isTimeBarred
      ? null
      : weOr(
          content,
          'I will note your dates and amounts and pass them on. I cannot agree to anything myself.',
          creditor =>
            `I will note your dates and amounts and tell ${creditor}. I cannot agree to anything in its place.`,
        ),
  ),
  extra_message: callTemplate(
    () =>
      'If you have already paid, please disregard this call. If not, tell me whether a question or a disagreement is holding up the payment.',
  ),
}
