import { paragraph } from './block.ts'
import { englishLabels, references, sum } from './english-blocks.ts'
import {
  invoiceCountOf,
  type LanguageTexts,
  type MessageContent,
  type Template,
  type TemplateValues,
} from './message-content.ts'

const smsTemplate: Template = {
  subject: () => '',
  opening: values => `invoice ${values.reference} (${values.sum}) seems unpaid; pay or dispute:`,
  blocks: (content, opening) => [paragraph(`${content.creditor.name}: ${opening} ${content.link}`)],
}

const remainingSum = (content: MessageContent) =>
  content.hasEarlierClaim ? `${sum(content)}, before interest and compensation,` : sum(content)

function callSubject(content: MessageContent): string {
  const [first] = content.invoices
  return first && invoiceCountOf(content) === 1
    ? `I am calling about invoice ${first.number}, due on ${englishLabels.date(first.dueDate)}. Unless we are mistaken, ${remainingSum(content)} is still to be paid.`
    : `I am calling about invoices ${references(content, 3)}. Unless we are mistaken, ${remainingSum(content)} in all is still to be paid.`
}

/** The debt is not mentioned before the identity of the listener is known. */
const callTemplate = (
  question: string,
  ...more: ((values: Pick<TemplateValues, 'creditor'>) => string)[]
): Template => ({
  subject: values => `Hello, I am an artificial intelligence calling on behalf of ${values.creditor}.`,
  isSubjectFixed: true,
  opening: () => question,
  blocks: (content, opening) => [
    paragraph(`Am I speaking with ${content.debtor.name}? If not, tell me and I will stop here.`),
    paragraph(callSubject(content)),
    paragraph(opening),
    ...more.map(say => paragraph(say({ creditor: content.creditor.name }))),
    paragraph(
      `Our emails for ${content.creditor.name} hold a link by which you can pay, propose a date or dispute. This call is not recorded; a short note of its result is kept. If you do not wish to be called again, tell me. Thank you, and goodbye.`,
    ),
  ],
})

export const englishSms: LanguageTexts['sms'] = { sms_reminder: smsTemplate, extra_message: smsTemplate }

export const englishCalls: LanguageTexts['voice'] = {
  ai_call: callTemplate(
    'Is your payment already on its way? If not, when do you expect to pay?',
    () =>
      'If something is holding it up, an invoice that never arrived, an approval still to come or a disagreement, tell me. And if somebody else takes care of it, tell me whom to contact.',
  ),
  ai_call_2: callTemplate(
    'Is your payment already on its way? If not, let us look for a solution: a date, instalments or a settlement.',
    ({ creditor }) =>
      `Tell me what is possible for you. I will pass it on to ${creditor}, who will answer you: I cannot agree to anything in its place.`,
  ),
  extra_message: callTemplate(
    'If you have already paid, please disregard this call. If not, tell me whether a question or a disagreement is holding up the payment.',
  ),
}
