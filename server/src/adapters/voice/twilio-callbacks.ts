import type { ReceiptOutcome } from '../../domain/contact/receipt.ts'
import type { Form } from '../../kit/http/form.ts'
import type { CallbackReader, ProviderEvent } from '../callback.ts'
import { signedForm, valueIn } from '../twilio.ts'

type CallEnd = NonNullable<Extract<ProviderEvent, { kind: 'receipt' }>['call']>

/** Twilio's names for the states of a call, and what each means for the message and for the call. */
const meanings: Record<string, { outcome: ReceiptOutcome; call?: CallEnd }> = {
  'in-progress': { outcome: 'delivered' },
  completed: { outcome: 'delivered', call: 'over' },
  busy: { outcome: 'no_answer', call: 'unreachable' },
  'no-answer': { outcome: 'no_answer', call: 'unreachable' },
  // Cancelled while it rang: the person may have heard it.
  canceled: { outcome: 'no_answer', call: 'unreachable' },
  failed: { outcome: 'bounced', call: 'unreachable' },
}

export type AnsweredBy = 'human' | 'machine' | 'unknown'

/** The result of machine detection. */
export function answeredByIn(form: Form): AnsweredBy {
  const answeredBy = valueIn(form, 'AnsweredBy') ?? ''
  return answeredBy === 'human' ? 'human' : /^(machine|fax)/.test(answeredBy) ? 'machine' : 'unknown'
}

/** Callbacks about a call: its status, and whether a person or a machine answered. */
export const twilioVoiceCallbacks = ({ authToken }: { authToken: string }): CallbackReader => ({
  async read(request) {
    const form = signedForm(authToken, request)
    if (!form) return 'forged'
    const { code, wall } = request
    const callSid = valueIn(form, 'CallSid')
    if (code === null || !callSid) return []
    const timestamp = Date.parse(valueIn(form, 'Timestamp') ?? '')
    const base = { kind: 'receipt' as const, code, at: Number.isNaN(timestamp) ? wall : timestamp }
    const status = valueIn(form, 'CallStatus') ?? ''
    const meaning = Object.hasOwn(meanings, status) ? meanings[status]! : null
    if (!meaning) return []
    const event: ProviderEvent = {
      ...base,
      outcome: meaning.outcome,
      eventId: `${callSid} ${status} ${valueIn(form, 'SequenceNumber') ?? ''}`,
    }
    const isMachine = meaning.outcome === 'delivered' && answeredByIn(form) === 'machine'
    const call = isMachine ? 'voicemail' : meaning.call
    return [call ? { ...event, call } : event]
  },
})
