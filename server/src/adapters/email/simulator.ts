import type { ChannelAdapter, EmailMessage, SendResult } from '../channel.ts'

type Destiny = 'bounce' | 'retry' | 'unknown'

function destinyOf(address: string): Destiny | undefined {
  const [, destiny] = /^(bounce|retry|unknown)\+/i.exec(address) ?? []
  return destiny?.toLowerCase() as Destiny | undefined
}

/**
 * The sandbox's email: opens no socket, and the recipient's local part chooses what happens.
 * `keep` must store one message per communication id however often it is called.
 */
export function emailSimulator(keep: (message: EmailMessage) => Promise<void>): ChannelAdapter<EmailMessage> {
  return {
    name: 'email-simulator',
    reentry: 'idempotent',

    async send(message, { beforeCommit }): Promise<SendResult> {
      const destiny = destinyOf(message.to.address)
      if (destiny === 'bounce') return { outcome: 'permanent', reason: 'rcpt 550 5.1.1' }
      if (destiny === 'retry') return { outcome: 'retryable', reason: 'rcpt 451 4.3.0' }

      await beforeCommit()
      await keep(message)
      if (destiny === 'unknown') return { outcome: 'unknown', reason: 'ECONNECTION' }
      return { outcome: 'accepted', providerId: `sim_${message.communicationId}` }
    },

    async close() {},
  }
}
