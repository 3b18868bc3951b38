import type { CallbackReader } from '../adapters/callback.ts'
import { brevoCallbacks, brevoEmail } from '../adapters/email/brevo.ts'
import { inboundMail } from '../adapters/email/inbound.ts'
import { smtpEmail } from '../adapters/email/smtp.ts'
import type { SmtpOptions } from '../adapters/email/smtp-pool.ts'
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
import type { Channels } from '../features/recovery/messages/worker-context.ts'
import { type Config, ConfigError, publicUrlOf, requireSetting } from './config.ts'

type ClosableReader = CallbackReader & { close?(): Promise<void> }

/** The provider of one channel: its adapter for sending, and its callback readers by the name in the callback path. */
interface ChannelProvider<C extends keyof Channels> {
  /** Builds the sending adapter; used by workers only. */
  adapter(): NonNullable<Channels[C]>
  /** Builds the callback readers; used by the API only. */
  callbacks(): Record<string, ClosableReader>
}

/** Returns the config when all required settings are set; else throws with the missing names. */
function requireSettings<Name extends keyof Config>(
  config: Config,
  chosen: string,
  names: readonly Name[],
): { [N in Name]: NonNullable<Config[N]> } {
  const missing = names.filter(name => config[name] === undefined)
  if (missing.length > 0) throw new ConfigError(`${chosen} cannot work: ${missing.join(', ')} is not set.`)
  return config as { [N in Name]: NonNullable<Config[N]> }
}

export function smtpOptionsOf(config: Config): SmtpOptions {
  const url = new URL(requireSetting(config, 'SMTP_URL'))
  return {
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    inboundDomain: config.MAIL_INBOUND_DOMAIN,
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  }
}

function emailOf(config: Config): ChannelProvider<'email'> {
  if (config.EMAIL_PROVIDER === 'smtp') {
    // An API process does not send mail: it has no SMTP_URL and needs no MAIL_FROM.
    if (config.SMTP_URL) requireSettings(config, 'SMTP_URL', ['MAIL_FROM'])
    // With only one of the two, bounces would be requested and not read, or read and never requested.
    if (config.MAIL_INBOUND_DOMAIN) requireSettings(config, 'MAIL_INBOUND_DOMAIN', ['MAIL_INBOUND_TOKEN'])
    if (config.MAIL_INBOUND_TOKEN) requireSettings(config, 'MAIL_INBOUND_TOKEN', ['MAIL_INBOUND_DOMAIN'])
    return {
      adapter: () => smtpEmail(smtpOptionsOf(config)),
      callbacks: () => (config.MAIL_INBOUND_TOKEN ? { mail: inboundMail(config.MAIL_INBOUND_TOKEN) } : {}),
    }
  }
  const set = requireSettings(config, 'EMAIL_PROVIDER=brevo', [
    'BREVO_API_KEY',
    'BREVO_CALLBACK_TOKEN',
    'MAIL_FROM',
  ])
  return {
    adapter: () =>
      brevoEmail({
        baseUrl: config.BREVO_BASE_URL,
        apiKey: set.BREVO_API_KEY,
        inboundDomain: config.MAIL_INBOUND_DOMAIN,
      }),
    callbacks: () => ({ brevo: brevoCallbacks(set.BREVO_CALLBACK_TOKEN) }),
  }
}

function ovhOf(config: Config): ChannelProvider<'sms'> {
  const set = requireSettings(config, 'SMS_PROVIDER=ovhcloud', [
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

function twilioOf(config: Config): ChannelProvider<'sms'> {
  const set = requireSettings(config, 'SMS_PROVIDER=twilio', [
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

function smsOf(config: Config): ChannelProvider<'sms'> | null {
  switch (config.SMS_PROVIDER) {
    case 'ovhcloud':
      return ovhOf(config)
    case 'twilio':
      return twilioOf(config)
    case undefined:
      return null
  }
}

function letterOf(config: Config): ChannelProvider<'lrar'> | null {
  if (config.LETTER_PROVIDER === undefined) return null
  const set = requireSettings(config, 'LETTER_PROVIDER=maileva', [
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

function voiceOf(config: Config): ChannelProvider<'voice'> | null {
  if (config.VOICE_PROVIDER === undefined) return null
  // A call needs a model.
  const set = requireSettings(config, 'VOICE_PROVIDER=twilio', [
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'VOICE_CALLER_ID',
    'MODEL_PROVIDER',
  ])
  const verdict = judgeCallerId(set.VOICE_CALLER_ID)
  if (!verdict.allowed)
    throw new ConfigError(
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

/** The configured provider of each channel. */
const channelProvidersOf = (config: Config) => ({
  email: emailOf(config),
  sms: smsOf(config),
  lrar: letterOf(config),
  voice: voiceOf(config),
})

/** Opens the sending adapters of all channels, for workers. */
export function openChannels(config: Config): { channels: Channels; close(): Promise<void> } {
  const { email, sms, lrar, voice } = channelProvidersOf(config)
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

/** Opens the callback readers of all providers, by the name in the callback path, for the API. */
export function openCallbackReaders(config: Config): {
  readers: Readonly<Record<string, { reader: ClosableReader; channel: Channel }>>
  close(): Promise<void>
} {
  const providers = channelProvidersOf(config)
  const readers = Object.fromEntries(
    channels.flatMap(channel =>
      Object.entries(providers[channel]?.callbacks() ?? {}).map(([name, reader]) => [
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
  const set = requireSettings(config, 'PAYMENT_PROVIDER=stripe', [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
  return stripePayment({
    baseUrl: config.STRIPE_BASE_URL,
    secretKey: set.STRIPE_SECRET_KEY,
    webhookSecret: set.STRIPE_WEBHOOK_SECRET,
  })
}

/** The payment provider; null: debtors can pay by transfer only. */
export const paymentOf = (config: Config): PaymentAdapter | null =>
  config.PAYMENT_PROVIDER === 'stripe' ? stripeOf(config) : null
