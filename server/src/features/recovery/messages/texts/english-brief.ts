import { paragraph } from './block.ts'
import { englishLabels, references, sum } from './english-blocks.ts'
import { countOf, type Notice, type Said, type Template, type Words } from './notice.ts'

const textMessage: Template = {
  subject: () => '',
  opening: said => `invoice ${said.reference} (${said.sum}) seems unpaid; pay or dispute:`,
  blocks: (notice, opening) => [paragraph(`${notice.creditor.name}: ${opening} ${notice.link}`)],
}

const rest = (notice: Notice) =>
  notice.isClaimedBeyond ? `${sum(notice)}, before interest and compensation,` : sum(notice)

function matter(notice: Notice): string {
  const [first] = notice.invoices
  return first && countOf(notice) === 1
    ? `I am calling about invoice ${first.number}, due on ${englishLabels.date(first.dueDate)}. Unless we are mistaken, ${rest(notice)} is still to be paid.`
    : `I am calling about invoices ${references(notice, 3)}. Unless we are mistaken, ${rest(notice)} in all is still to be paid.`
}

/** Nothing is said of a debt before it is known who listens. */
const call = (question: string, ...more: ((said: Pick<Said, 'creditor'>) => string)[]): Template => ({
  subject: said => `Hello, I am an artificial intelligence calling on behalf of ${said.creditor}.`,
  isSubjectFixed: true,
  opening: () => question,
  blocks: (notice, opening) => [
    paragraph(`Am I speaking with ${notice.debtor.name}? If not, tell me and I will stop here.`),
    paragraph(matter(notice)),
    paragraph(opening),
    ...more.map(say => paragraph(say({ creditor: notice.creditor.name }))),
    paragraph(
      `Our emails hold a link by which you can pay, propose a date or dispute. You can also answer in writing to ${notice.creditor.name}, at ${notice.creditor.replyEmail}. This call is not recorded; a short note of its result is kept. If you do not wish to be called again, tell me. Thank you, and goodbye.`,
    ),
  ],
})

export const englishSms: Words['sms'] = { sms_reminder: textMessage, extra_message: textMessage }

export const englishCalls: Words['voice'] = {
  ai_call: call(
    'Is your payment already on its way? If not, when do you expect to pay?',
    () =>
      'If something is holding it up, an invoice that never arrived, an approval still to come or a disagreement, tell me. And if somebody else takes care of it, tell me whom to contact.',
  ),
  ai_call_2: call(
    'Is your payment already on its way? If not, let us look for a solution: a date, instalments or a settlement.',
    ({ creditor }) =>
      `Tell me what is possible for you. I will pass it on to ${creditor}, who will answer you: I cannot agree to anything in its place.`,
  ),
  extra_message: call(
    'If you have already paid, please disregard this call. If not, tell me whether a question or a disagreement is holding up the payment.',
  ),
}
