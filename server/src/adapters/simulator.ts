import type { ChannelAdapter, Message, SendResult } from './channel.ts'

type SimulatedOutcome = 'bounce' | 'retry' | 'unknown'

const outcomeByNumber: Record<string, SimulatedOutcome> = {
  '000001': 'bounce',
  '000002': 'retry',
  '000003': 'unknown',
}

const outcomeIn = (text: string, magicWord: RegExp) =>
  magicWord.exec(text)?.[1]?.toLowerCase() as SimulatedOutcome | undefined

function simulatedOutcomeOf(message: Message): SimulatedOutcome | undefined {
  switch (message.channel) {
    case 'email':
      return outcomeIn(message.to.address, /^(bounce|retry|unknown)\+/i)
    case 'lrar':
      return outcomeIn(message.to.lines[0] ?? '', /^(bounce|retry|unknown)\b/i)
    case 'sms':
    case 'voice':
      return outcomeByNumber[message.to.slice(-6)]
  }
}

/** In the format of a real provider of the channel: SMTP replies, SMPP statuses, HTTP statuses of a deposit, SIP responses. */
const reasons: Record<Message['channel'], Record<SimulatedOutcome, string>> = {
  email: { bounce: 'rcpt 550 5.1.1', retry: 'rcpt 451 4.3.0', unknown: 'ECONNECTION' },
  sms: { bounce: 'submit_sm 0x0000000b', retry: 'submit_sm 0x00000058', unknown: 'ECONNECTION' },
  lrar: { bounce: 'deposit 422', retry: 'deposit 503', unknown: 'ECONNECTION' },
  voice: { bounce: 'invite 404', retry: 'invite 503', unknown: 'ECONNECTION' },
}

/**
 * The channel adapter of the sandbox: it opens no socket, and the recipient address chooses the outcome.
 * `save` must store one message per communication id, however often it is called.
 */
export function simulator<M extends Message>(
  channel: M['channel'],
  save: (message: M) => Promise<void>,
): ChannelAdapter<M> {
  const reason = reasons[channel]
  return {
    name: `${channel}-simulator`,
    reentry: 'idempotent',

    async send(message, { beforeCommit }): Promise<SendResult> {
      const outcome = simulatedOutcomeOf(message)
      if (outcome === 'bounce') return { outcome: 'permanent', reason: reason.bounce, isAddressRefused: true }
      if (outcome === 'retry') return { outcome: 'retryable', reason: reason.retry }

      await beforeCommit()
      await save(message)
      if (outcome === 'unknown') return { outcome: 'unknown', reason: reason.unknown }
      return { outcome: 'accepted', providerId: `sim_${message.communicationId}` }
    },

    async close() {},
  }
}
