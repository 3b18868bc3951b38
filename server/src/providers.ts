import type { PaymentAdapter } from './adapters/payment/payment.ts'
import { stripePayment } from './adapters/payment/stripe.ts'
import { carriersOf, type Reader, settings } from './carriers.ts'
import type { Config } from './config.ts'
import { type Channel, channels } from './domain/channel.ts'
import type { Channels } from './features/communications/channels.ts'

/** Everybody who carries messages, for whoever sends them. */
export function openChannels(config: Config): { channels: Channels; close(): Promise<void> } {
  const { email, sms, lrar, voice } = carriersOf(config)
  const production: Channels = {
    email: email.adapter(),
    sms: sms?.adapter() ?? null,
    lrar: lrar?.adapter() ?? null,
    voice: voice?.adapter() ?? null,
  }
  return {
    channels: production,
    async close() {
      for (const adapter of Object.values(production)) await adapter?.close()
    },
  }
}

/** How what they tell us later is read, by the name in the address they call. */
export function openReaders(config: Config): {
  readers: Readonly<Record<string, { reader: Reader; channel: Channel }>>
  close(): Promise<void>
} {
  const carriers = carriersOf(config)
  const readers = Object.fromEntries(
    channels.flatMap(channel =>
      Object.entries(carriers[channel]?.callbacks() ?? {}).map(([name, reader]) => [
        name,
        { reader, channel },
      ]),
    ),
  )
  return {
    readers,
    async close() {
      for (const { reader } of Object.values(readers)) await reader.close?.()
    },
  }
}

function stripeOf(config: Config): PaymentAdapter {
  const set = settings(config, 'PAYMENT_PROVIDER=stripe', ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  return stripePayment({
    baseUrl: config.STRIPE_BASE_URL,
    secretKey: set.STRIPE_SECRET_KEY,
    webhookSecret: set.STRIPE_WEBHOOK_SECRET,
  })
}

/** Who takes cards; null where nobody does, and debtors pay by transfer. */
export const paymentOf = (config: Config): PaymentAdapter | null =>
  config.PAYMENT_PROVIDER === 'stripe' ? stripeOf(config) : null
