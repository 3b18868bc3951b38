import { z } from 'zod'
import { day, line, optional } from '../../../kit/fields.ts'
import type { ModelTool, ToolCall } from '../../../kit/model.ts'

const noInput = z.strictObject({})
const invoiceNumbers = optional(z.array(line(100)).min(1).max(20)).meta({
  description: 'Which of the invoices, by number; all of this call unless given',
})
const note = optional(line(200)).meta({ description: 'What was said about it, in one short sentence' })

/** The tools of the model during a call. Arguments are validated here, and again by the functions that use them. */
const tools = {
  identity_confirmed: {
    description:
      'The person has said that they are whom you asked for. The program then checks it, and tells you what the call is about.',
    input: noInput,
  },
  another_person: {
    description:
      'The person passes the telephone to whom you asked for, or connects you. The program waits, and greets the next person.',
    input: noInput,
  },
  wrong_person: {
    description:
      'The person has said that this number is not that of whom you asked for. The number is never used again; the call ends.',
    input: noInput,
  },
  opt_out: {
    description: 'The person does not want to be called any more. Done at once; the call ends.',
    input: noInput,
  },
  voicemail: {
    description: 'A machine or a recorded announcement answers. Nothing is left on it; the call ends.',
    input: noInput,
  },
  hand_over: {
    description:
      'The person wants to speak to a human, asks for what only the creditor can answer, or proposes instalments. It is passed on; the call ends.',
    input: z.strictObject({ to: line(100).meta({ description: 'To whom, or about what' }) }),
  },
  end_call: { description: 'Everything is said: the call ends.', input: z.strictObject({ note }) },
  record_promise: {
    description:
      'The person says on which day they will pay. The program says what that means and asks for a yes; only then is it recorded, and the reminders wait.',
    input: z.strictObject({
      date: day.meta({ description: 'YYYY-MM-DD' }),
      amountCents: optional(z.int().min(1).max(1_000_000_000_000)).meta({
        description: 'If they promise a part: in cents',
      }),
      invoiceNumbers,
    }),
  },
  record_dispute: {
    description: 'The person contests an invoice: says that it is wrong or not owed. Its reminders stop.',
    input: z.strictObject({
      reason: line(300).meta({ description: 'Their reason, in one sentence' }),
      invoiceNumbers,
    }),
  },
  payment_sent: { description: 'The person says that they have paid.', input: z.strictObject({ note }) },
  invoice_not_received: {
    description: 'The person says that the invoice never arrived.',
    input: z.strictObject({ note }),
  },
  waiting_approval: {
    description: 'The person says that the invoice waits for somebody’s approval.',
    input: z.strictObject({ note }),
  },
} as const

type ToolName = keyof typeof tools
export type ValidToolCall = {
  [N in ToolName]: { name: N; input: z.output<(typeof tools)[N]['input']> }
}[ToolName]

/** Tools that reveal nothing about the debt: offered before the person is identified. */
const toolsBeforeIdentification: readonly ToolName[] = [
  'identity_confirmed',
  'another_person',
  'wrong_person',
  'opt_out',
  'voicemail',
  'hand_over',
  'end_call',
]

const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name)
/** A consumer's invoice waits for nobody's approval. */
const isOffered = (name: ToolName, isIdentified: boolean, isConsumer: boolean) =>
  isConsumer && name === 'waiting_approval'
    ? false
    : isIdentified
      ? name !== 'identity_confirmed' && name !== 'another_person'
      : toolsBeforeIdentification.includes(name)

const toolDescriptions = Object.entries(tools).map(([name, { description, input }]) => ({
  name: name as ToolName,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }),
}))

export const toolsFor = (isIdentified: boolean, isConsumer: boolean): ModelTool[] =>
  toolDescriptions.filter(({ name }) => isOffered(name, isIdentified, isConsumer))

/** The valid tool call; otherwise the reason of the refusal, for the model. */
export function validateToolCall(
  { name, input, isMalformed }: ToolCall,
  isIdentified: boolean,
  isConsumer: boolean,
): ValidToolCall | { refused: string } {
  if (!isToolName(name)) return { refused: 'there is no such tool' }
  if (!isOffered(name, isIdentified, isConsumer))
    return { refused: isIdentified ? 'that is known already' : 'first the person has to say who they are' }
  if (isMalformed) return { refused: 'the arguments are not valid JSON' }
  const parsed = tools[name].input.safeParse(input ?? {})
  if (parsed.success) return { name, input: parsed.data } as ValidToolCall
  const [issue] = parsed.error.issues
  return { refused: `${issue!.path.join('.') || 'arguments'}: ${issue!.message}` }
}
