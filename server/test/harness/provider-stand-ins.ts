import { brevoAccount, startBrevo } from '../../dev/stand-ins/brevo.ts'
import { mailevaAccount, startMaileva } from '../../dev/stand-ins/maileva.ts'
import { ovhAccount, startOvhcloud } from '../../dev/stand-ins/ovhcloud.ts'
import type { startStandIn } from '../../dev/stand-ins/stand-in.ts'
import { startTwilioCalls } from '../../dev/stand-ins/twilio-calls.ts'
import { startTwilioMessages, twilioAccount } from '../../dev/stand-ins/twilio-messages.ts'
import type { Channel } from '../../src/domain/contact/channel.ts'

/** A provider's stand-in, the settings that point to it, and the step whose message it sends. */
export interface ProviderStandIn {
  name: string
  channel: Channel
  step: number
  stepName: string
  url: string
  /** The delay of a request and of its answer. */
  delayRangeMs: readonly [least: number, most: number]
  /** How long all of its requests take; a letter needs six. */
  durationMs: number
  env(url: string): Record<string, string>
  /** The code of every message that left, as often as it left. */
  sentCodes(): string[]
  /** Two events it may report later; the second outweighs the first, and `finalState` is the resulting state. */
  events: readonly [weaker: string, stronger: string]
  finalState: 'delivered' | 'bounced'
  /** Sends a callback to the api at that URL; returns the status of its answer. */
  sendCallback(apiUrl: string, code: string, event: string, isForged?: boolean): Promise<number>
  /** The last figure of a phone number that brings about each mood. */
  moods: Record<Mood, number>
  stop(): Promise<void>
}

export type Mood = 'throttled' | 'broken' | 'lost'

const usualDelayMs = [100, 500] as const
const usualMoods = { throttled: 2, broken: 3, lost: 4 }

const callbackSender =
  (standIn: Pick<Awaited<ReturnType<typeof startStandIn>>, 'callBack'>, path: (code: string) => string) =>
  async (apiUrl: string, code: string, event: string, isForged = false) => {
    const [status] = await standIn.callBack({
      url: apiUrl + path(code),
      code,
      event,
      at: Date.now(),
      ...(isForged && { secret: 'of somebody else' }),
    })
    return status!
  }

const smsDefaults = {
  moods: usualMoods,
  delayRangeMs: usualDelayMs,
  durationMs: 400,
  channel: 'sms',
  step: 2,
  stepName: 'sms_reminder',
} as const
const referencesOf = (sent: readonly { reference: string }[]) => sent.map(({ reference }) => reference)

export async function brevo(): Promise<ProviderStandIn> {
  const standIn = await startBrevo()
  return {
    name: 'brevo',
    moods: usualMoods,
    events: ['delivered', 'hard_bounce'],
    finalState: 'bounced',
    sendCallback: callbackSender(standIn, () => '/callbacks/brevo'),
    delayRangeMs: usualDelayMs,
    durationMs: 400,
    channel: 'email',
    step: 0,
    stepName: 'email_prise_en_charge',
    url: standIn.url,
    env: url => ({
      EMAIL_PROVIDER: 'brevo',
      BREVO_API_KEY: brevoAccount.apiKey,
      BREVO_CALLBACK_TOKEN: brevoAccount.callbackToken,
      BREVO_BASE_URL: url,
    }),
    sentCodes: () => referencesOf(standIn.effects()),
    stop: standIn.stop,
  }
}

export const ovhcloudEnv = (url: string) => ({
  SMS_PROVIDER: 'ovhcloud',
  OVH_BASE_URL: `${url}/1.0`,
  OVH_APPLICATION_KEY: ovhAccount.applicationKey,
  OVH_APPLICATION_SECRET: ovhAccount.applicationSecret,
  OVH_CONSUMER_KEY: ovhAccount.consumerKey,
  OVH_SMS_SERVICE: ovhAccount.service,
  OVH_CALLBACK_KEY: ovhAccount.callbackKey,
})

export async function ovhcloud(): Promise<ProviderStandIn> {
  const standIn = await startOvhcloud()
  return {
    ...smsDefaults,
    name: 'ovhcloud',
    events: ['1', '2'],
    finalState: 'bounced',
    sendCallback: callbackSender(standIn, () => '/callbacks/ovhcloud'),
    url: standIn.url,
    env: ovhcloudEnv,
    sentCodes: () => referencesOf(standIn.effects()),
    stop: standIn.stop,
  }
}

export async function twilioSms(): Promise<ProviderStandIn> {
  const standIn = await startTwilioMessages()
  return {
    ...smsDefaults,
    name: 'twilio, text messages',
    events: ['delivered', 'undelivered'],
    finalState: 'bounced',
    sendCallback: callbackSender(standIn, code => `/callbacks/twilio-sms/${code}`),
    url: standIn.url,
    env: url => ({
      SMS_PROVIDER: 'twilio',
      TWILIO_BASE_URL: url,
      TWILIO_ACCOUNT_SID: twilioAccount.accountSid,
      TWILIO_AUTH_TOKEN: twilioAccount.authToken,
      TWILIO_SMS_FROM: twilioAccount.from,
    }),
    sentCodes: () => referencesOf(standIn.effects()),
    stop: standIn.stop,
  }
}

export async function twilioVoice(): Promise<ProviderStandIn> {
  const standIn = await startTwilioCalls()
  return {
    name: 'twilio, calls',
    moods: { throttled: 2, broken: 5, lost: 4 },
    events: ['no-answer', 'completed'],
    finalState: 'delivered',
    async sendCallback(_apiUrl, code, event, isForged) {
      const call = standIn.calls.find(({ statusCallback }) => statusCallback.endsWith(code))!
      const response = await standIn.sendCallback(
        call,
        { CallStatus: event },
        isForged ? 'of somebody else' : standIn.authToken,
      )
      return response.status
    },
    delayRangeMs: usualDelayMs,
    durationMs: 400,
    channel: 'voice',
    step: 4,
    stepName: 'ai_call',
    url: standIn.url,
    env: url => ({
      VOICE_PROVIDER: 'twilio',
      VOICE_CALLER_ID: '+33162000001',
      TWILIO_BASE_URL: url,
      TWILIO_ACCOUNT_SID: standIn.accountSid,
      TWILIO_AUTH_TOKEN: standIn.authToken,
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_NAME: 'none',
      MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
    }),
    sentCodes: () => standIn.calls.map(({ statusCallback }) => statusCallback.split('/').at(-1)!),
    stop: standIn.stop,
  }
}

export async function maileva(): Promise<ProviderStandIn> {
  const standIn = await startMaileva()
  return {
    name: 'maileva',
    moods: usualMoods,
    events: ['ON_MAIN_DELIVERY_STATUS_FIRST_PRESENTATION', 'ON_MAIN_DELIVERY_STATUS_DELIVERED'],
    finalState: 'delivered',
    sendCallback: callbackSender(standIn, () => '/callbacks/maileva'),
    delayRangeMs: [60, 200],
    durationMs: 2_500,
    channel: 'lrar',
    step: 6,
    stepName: 'lrar_mise_en_demeure',
    url: standIn.url,
    env: url => ({
      LETTER_PROVIDER: 'maileva',
      MAILEVA_BASE_URL: url,
      MAILEVA_TOKEN_URL: `${url}/auth/token`,
      MAILEVA_CLIENT_ID: mailevaAccount.clientId,
      MAILEVA_CLIENT_SECRET: mailevaAccount.clientSecret,
      MAILEVA_USERNAME: mailevaAccount.username,
      MAILEVA_PASSWORD: mailevaAccount.password,
      MAILEVA_CALLBACK_KEY: mailevaAccount.callbackKey,
    }),
    sentCodes: () => referencesOf(standIn.effects()),
    stop: standIn.stop,
  }
}

export const providerGroups: readonly (readonly (() => Promise<ProviderStandIn>)[])[] = [
  [brevo, ovhcloud, twilioVoice],
  [maileva],
  [twilioSms],
]
