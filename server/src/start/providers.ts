import type { CallbackReader } from '../adapters/callback.ts'
import { brevoCallbacks, brevoEmail } from '../adapters/email/brevo.ts'
import { inboundMail } from '../adapters/email/inbound.ts'
import { smtpEmail } from '../adapters/email/smtp.ts'
import { mailevaLetter } from '../adapters/letter/maileva.ts'
import { mailevaCallbacks } from '../adapters/letter/maileva-callbacks.ts'
import type { MailevaOptions } from '../adapters/letter/maileva-client.ts'
import type { PaymentAdapter } from '../adapters/payment/payment.ts'
import { stripePayment } from '../adapters/payment/stripe.ts'
import { type OvhOptions, ovhSms } from '../adapters/sms/ovhcloud.ts'
import { ovhCallbacks } from '../adapters/sms/ovhcloud-callbacks.ts'
import { twilioSms, twilioSmsCallbacks } from '../adapters/sms/twilio.ts'
import { twilioVoice } from '../adapters/voice/twilio.ts'
import { twilioVoiceCallbacks } from '../adapters/voice/twilio-callbacks.ts'
import { judgeCallerId } from '../domain/contact/caller-id.ts'
import { type Channel, channels } from '../domain/contact/channel.ts'
import type { Channels } from '../features/recovery/messages/channels.ts'
import { type Config, need, publicUrlOf } from './config.ts'

type Reader = CallbackReader & { close?(): Promise<void> }

/** Whoever carries one kind of message, and how what it tells us later is read, by the name in the address it calls. */
interface Carrier<C extends keyof Channels> {
  /** Who sends; built by those who send alone. */
  adapter(): NonNullable<Channels[C]>
  /** Who reads its news; built by those who are called alone. */
  callbacks(): Record<string, Reader>
}

/** What a provider cannot do without, or a sentence with everything that is missing. */
function settings<Name extends keyof Config>(
  config: Config,
  chosen: string,
  names: readonly Name[],
): { [N in Name]: NonNullable<Config[N]> } {
  const missing = names.filter(name => config[name] === undefined)
  if (missing.length > 0) throw new Error(`${chosen} cannot work: ${missing.join(', ')} is not set.`)
  return config as { [N in Name]: NonNullable<Config[N]> }
}

function smtpOf(config: Config) {
  const url = new URL(need(config, 'SMTP_URL'))
  return smtpEmail({
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    inboundDomain: config.MAIL_INBOUND_DOMAIN,
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  })
}

function emailOf(config: Config): Carrier<'email'> {
  if (config.EMAIL_PROVIDER === 'smtp') {
    // An api that only answers has no SMTP_URL, and needs no sender.
    if (config.SMTP_URL) settings(config, 'SMTP_URL', ['MAIL_FROM'])
    // Half of it would ask for bounces that nobody reads, or read where nothing arrives.
    if (config.MAIL_INBOUND_DOMAIN) settings(config, 'MAIL_INBOUND_DOMAIN', ['MAIL_INBOUND_TOKEN'])
    if (config.MAIL_INBOUND_TOKEN) settings(config, 'MAIL_INBOUND_TOKEN', ['MAIL_INBOUND_DOMAIN'])
    return {
      adapter: () => smtpOf(config),
      callbacks: () => (config.MAIL_INBOUND_TOKEN ? { mail: inboundMail(config.MAIL_INBOUND_TOKEN) } : {}),
    }
  }
  const set = settings(config, 'EMAIL_PROVIDER=brevo', ['BREVO_API_KEY', 'BREVO_CALLBACK_TOKEN', 'MAIL_FROM'])
  return {
    adapter: () => brevoEmail({ baseUrl: config.BREVO_BASE_URL, apiKey: set.BREVO_API_KEY }),
    callbacks: () => ({ brevo: brevoCallbacks(set.BREVO_CALLBACK_TOKEN) }),
  }
}

function ovhOf(config: Config): Carrier<'sms'> {
  const set = settings(config, 'SMS_PROVIDER=ovhcloud', [
    'OVH_APPLICATION_KEY',
    'OVH_APPLICATION_SECRET',
    'OVH_CONSUMER_KEY',
    'OVH_SMS_SERVICE',
    'OVH_CALLBACK_KEY',
  ])
  const options: OvhOptions = {
    baseUrl: config.OVH_BASE_URL,
    applicationKey: set.OVH_APPLICATION_KEY,
    applicationSecret: set.OVH_APPLICATION_SECRET,
    consumerKey: set.OVH_CONSUMER_KEY,
    service: set.OVH_SMS_SERVICE,
    sender: config.OVH_SMS_SENDER,
    wall: Date.now,
  }
  return {
    adapter: () => ovhSms(options),
    callbacks: () => ({ ovhcloud: ovhCallbacks(set.OVH_CALLBACK_KEY, options) }),
  }
}

function twilioOf(config: Config): Carrier<'sms'> {
  const set = settings(config, 'SMS_PROVIDER=twilio', [
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'TWILIO_SMS_FROM',
  ])
  return {
    adapter: () =>
      twilioSms({
        baseUrl: config.TWILIO_BASE_URL,
        accountSid: set.TWILIO_ACCOUNT_SID,
        authToken: set.TWILIO_AUTH_TOKEN,
        from: set.TWILIO_SMS_FROM,
        publicUrl: publicUrlOf(config),
      }),
    callbacks: () => ({ 'twilio-sms': twilioSmsCallbacks(set.TWILIO_AUTH_TOKEN) }),
  }
}

function smsOf(config: Config): Carrier<'sms'> | null {
  switch (config.SMS_PROVIDER) {
    case 'ovhcloud':
      return ovhOf(config)
    case 'twilio':
      return twilioOf(config)
    case undefined:
      return null
  }
}

function letterOf(config: Config): Carrier<'lrar'> | null {
  if (config.LETTER_PROVIDER === undefined) return null
  const set = settings(config, 'LETTER_PROVIDER=maileva', [
    'MAILEVA_CLIENT_ID',
    'MAILEVA_CLIENT_SECRET',
    'MAILEVA_USERNAME',
    'MAILEVA_PASSWORD',
    'MAILEVA_CALLBACK_KEY',
  ])
  const options: MailevaOptions = {
    baseUrl: config.MAILEVA_BASE_URL,
    tokenUrl: config.MAILEVA_TOKEN_URL,
    clientId: set.MAILEVA_CLIENT_ID,
    clientSecret: set.MAILEVA_CLIENT_SECRET,
    username: set.MAILEVA_USERNAME,
    password: set.MAILEVA_PASSWORD,
    electronicSenderId: config.MAILEVA_SENDER_ID,
    wall: Date.now,
  }
  return {
    adapter: () => mailevaLetter(options),
    callbacks: () => ({ maileva: mailevaCallbacks(set.MAILEVA_CALLBACK_KEY, options) }),
  }
}

function voiceOf(config: Config): Carrier<'voice'> | null {
  if (config.VOICE_PROVIDER === undefined) return null
  // Without a model there is nobody to speak.
  const set = settings(config, 'VOICE_PROVIDER=twilio', [
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'VOICE_CALLER_ID',
    'MODEL_PROVIDER',
  ])
  const verdict = judgeCallerId(set.VOICE_CALLER_ID)
  if (!verdict.allowed)
    throw new Error(
      verdict.because === 'not_e164'
        ? 'VOICE_CALLER_ID is not a number in E.164, such as +33162000000.'
        : 'VOICE_CALLER_ID is not in the ranges open to automated systems in France: calls from it are forbidden.',
    )
  return {
    adapter: () =>
      twilioVoice({
        baseUrl: config.TWILIO_BASE_URL,
        accountSid: set.TWILIO_ACCOUNT_SID,
        authToken: set.TWILIO_AUTH_TOKEN,
        callerId: set.VOICE_CALLER_ID,
        publicUrl: publicUrlOf(config),
      }),
    callbacks: () => ({ 'twilio-voice': twilioVoiceCallbacks({ authToken: set.TWILIO_AUTH_TOKEN }) }),
  }
}

/** Who carries what, as the environment names them. */
const carriersOf = (config: Config) => ({
  email: emailOf(config),
  sms: smsOf(config),
  lrar: letterOf(config),
  voice: voiceOf(config),
})

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
