import type { ChannelAdapter, Message, SendResult } from './channel.ts'

type Destiny = 'bounce' | 'retry' | 'unknown'

const destinyOfNumber: Record<string, Destiny> = {
  '000001': 'bounce',
  '000002': 'retry',
  '000003': 'unknown',
}

const destinyIn = (text: string, magicWord: RegExp) =>
  magicWord.exec(text)?.[1]?.toLowerCase() as Destiny | undefined

function destinyOf(message: Message): Destiny | undefined {
  switch (message.channel) {
    case 'email':
      return destinyIn(message.to.address, /^(bounce|retry|unknown)\+/i)
    case 'lrar':
      return destinyIn(message.to.lines[0] ?? '', /^(bounce|retry|unknown)\b/i)
    case 'sms':
    case 'voice':
      return destinyOfNumber[message.to.slice(-6)]
  }
}

/** As a provider of that channel would say it: SMTP replies, SMPP statuses, HTTP statuses of a deposit, SIP responses. */
const reasons: Record<Message['channel'], Record<Destiny, string>> = {
  email: { bounce: 'rcpt 550 5.1.1', retry: 'rcpt 451 4.3.0', unknown: 'ECONNECTION' },
  sms: { bounce: 'submit_sm 0x0000000b', retry: 'submit_sm 0x00000058', unknown: 'ECONNECTION' },
  lrar: { bounce: 'deposit 422', retry: 'deposit 503', unknown: 'ECONNECTION' },
  voice: { bounce: 'invite 404', retry: 'invite 503', unknown: 'ECONNECTION' },
}

/**
 * The sandbox's channel: opens no socket, and the recipient chooses what happens.
 * `keep` must store one message per communication id however often it is called.
 */
export function simulator<M extends Message>(
  channel: M['channel'],
  keep: (message: M) => Promise<void>,
): ChannelAdapter<M> {
  const reason = reasons[channel]
  return {
    name: `${channel}-simulator`,
    reentry: 'idempotent',

    async send(message, { beforeCommit }): Promise<SendResult> {
      const destiny = destinyOf(message)
      if (destiny === 'bounce') return { outcome: 'permanent', reason: reason.bounce }
      if (destiny === 'retry') return { outcome: 'retryable', reason: reason.retry }

      await beforeCommit()
      await keep(message)
      if (destiny === 'unknown') return { outcome: 'unknown', reason: reason.unknown }
      return { outcome: 'accepted', providerId: `sim_${message.communicationId}` }
    },

    async close() {},
  }
}
