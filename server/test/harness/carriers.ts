import { brevoAccount, startBrevo } from '../../dev/stand-ins/brevo.ts'
import { mailevaAccount, startMaileva } from '../../dev/stand-ins/maileva.ts'
import { ovhAccount, startOvhcloud } from '../../dev/stand-ins/ovhcloud.ts'
import type { startStandIn } from '../../dev/stand-ins/stand-in.ts'
import { startTwilioCalls } from '../../dev/stand-ins/twilio-calls.ts'
import { startTwilioMessages, twilioAccount } from '../../dev/stand-ins/twilio-messages.ts'
import type { Channel } from '../../src/domain/contact/channel.ts'

/** A provider's stand-in, the settings that lead to it, and the step whose message it carries. */
export interface Carrier {
  name: string
  channel: Channel
  step: number
  stepName: string
  url: string
  /** Between these a request and its answer take. */
  pace: readonly [least: number, most: number]
  /** How long all of its requests take; a letter needs six. */
  lastsMs: number
  env(url: string): Record<string, string>
  /** The code of every message that left, as often as it left. */
  effects(): string[]
  /** Two things it may say later, the second of which outweighs the first, and what is true then. */
  news: readonly [weaker: string, stronger: string]
  ends: 'delivered' | 'bounced'
  /** Tells the api at that address; answers what it was answered. */
  tell(apiUrl: string, code: string, says: string, isForged?: boolean): Promise<number>
  /** The last figure of a phone number that brings about each mood. */
  moods: Record<Mood, number>
  stop(): Promise<void>
}

export type Mood = 'throttled' | 'broken' | 'lost'

const usual = [100, 500] as const
const usualMoods = { throttled: 2, broken: 3, lost: 4 }

const teller =
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

const text = {
  moods: usualMoods,
  pace: usual,
  lastsMs: 400,
  channel: 'sms',
  step: 2,
  stepName: 'sms_reminder',
} as const
const codes = (sent: readonly { reference: string }[]) => sent.map(({ reference }) => reference)

export async function brevo(): Promise<Carrier> {
  const standIn = await startBrevo()
  return {
    name: 'brevo',
    moods: usualMoods,
    news: ['delivered', 'hard_bounce'],
    ends: 'bounced',
    tell: teller(standIn, () => '/callbacks/brevo'),
    pace: usual,
    lastsMs: 400,
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
    effects: () => codes(standIn.effects()),
    stop: standIn.stop,
  }
}

export async function ovhcloud(): Promise<Carrier> {
  const standIn = await startOvhcloud()
  return {
    ...text,
    name: 'ovhcloud',
    news: ['1', '2'],
    ends: 'bounced',
    tell: teller(standIn, () => '/callbacks/ovhcloud'),
    url: standIn.url,
    env: url => ({
      SMS_PROVIDER: 'ovhcloud',
      OVH_BASE_URL: `${url}/1.0`,
      OVH_APPLICATION_KEY: ovhAccount.applicationKey,
      OVH_APPLICATION_SECRET: ovhAccount.applicationSecret,
      OVH_CONSUMER_KEY: ovhAccount.consumerKey,
      OVH_SMS_SERVICE: ovhAccount.service,
      OVH_CALLBACK_KEY: ovhAccount.callbackKey,
    }),
    effects: () => codes(standIn.effects()),
    stop: standIn.stop,
  }
}

export async function twilioSms(): Promise<Carrier> {
  const standIn = await startTwilioMessages()
  return {
    ...text,
    name: 'twilio, text messages',
    news: ['delivered', 'undelivered'],
    ends: 'bounced',
    tell: teller(standIn, code => `/callbacks/twilio-sms/${code}`),
    url: standIn.url,
    env: url => ({
      SMS_PROVIDER: 'twilio',
      TWILIO_BASE_URL: url,
      TWILIO_ACCOUNT_SID: twilioAccount.accountSid,
      TWILIO_AUTH_TOKEN: twilioAccount.authToken,
      TWILIO_SMS_FROM: twilioAccount.from,
    }),
    effects: () => codes(standIn.effects()),
    stop: standIn.stop,
  }
}

export async function twilioVoice(): Promise<Carrier> {
  const standIn = await startTwilioCalls()
  return {
    name: 'twilio, calls',
    moods: { throttled: 2, broken: 5, lost: 4 },
    news: ['no-answer', 'completed'],
    ends: 'delivered',
    async tell(_apiUrl, code, says, isForged) {
      const call = standIn.calls.find(({ statusCallback }) => statusCallback.endsWith(code))!
      const told = await standIn.tell(
        call,
        { CallStatus: says },
        isForged ? 'of somebody else' : standIn.authToken,
      )
      return told.status
    },
    pace: usual,
    lastsMs: 400,
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
    effects: () => standIn.calls.map(({ statusCallback }) => statusCallback.split('/').at(-1)!),
    stop: standIn.stop,
  }
}

export async function maileva(): Promise<Carrier> {
  const standIn = await startMaileva()
  return {
    name: 'maileva',
    moods: usualMoods,
    news: ['ON_MAIN_DELIVERY_STATUS_FIRST_PRESENTATION', 'ON_MAIN_DELIVERY_STATUS_DELIVERED'],
    ends: 'delivered',
    tell: teller(standIn, () => '/callbacks/maileva'),
    pace: [60, 200],
    lastsMs: 2_500,
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
    effects: () => codes(standIn.effects()),
    stop: standIn.stop,
  }
}

export const casts: readonly (readonly (() => Promise<Carrier>)[])[] = [
  [brevo, ovhcloud, twilioVoice],
  [maileva],
  [twilioSms],
]
