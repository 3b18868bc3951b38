import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { openCallbackReaders, openChannels } from './providers.ts'

const smtp = { RELANCE_ENV: 'development', SMTP_URL: 'smtp://127.0.0.1:2525' }
const settings = {
  brevo: { EMAIL_PROVIDER: 'brevo', BREVO_API_KEY: 'key', BREVO_CALLBACK_TOKEN: 'token' },
  ovhcloud: {
    SMS_PROVIDER: 'ovhcloud',
    OVH_APPLICATION_KEY: 'key',
    OVH_APPLICATION_SECRET: 'secret',
    OVH_CONSUMER_KEY: 'consumer',
    OVH_SMS_SERVICE: 'sms-ab12345-1',
    OVH_CALLBACK_KEY: 'called',
  },
  twilio: {
    SMS_PROVIDER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC42',
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_SMS_FROM: '+33700000042',
  },
  maileva: {
    LETTER_PROVIDER: 'maileva',
    MAILEVA_CLIENT_ID: 'id',
    MAILEVA_CLIENT_SECRET: 'secret',
    MAILEVA_USERNAME: 'relance',
    MAILEVA_PASSWORD: 'password',
    MAILEVA_CALLBACK_KEY: 'called',
  },
}

test('a channel whose provider is not named has none, and email goes by SMTP', async () => {
  const { channels, close } = openChannels(readConfig(smtp))
  expect(channels).toMatchObject({ email: { name: 'smtp' }, sms: null, lrar: null, voice: null })
  await close()
  expect(openCallbackReaders(readConfig(smtp)).readers).toEqual({})
  const inbound = { MAIL_INBOUND_TOKEN: 'token', MAIL_INBOUND_DOMAIN: 'mail.relance.example' }
  expect(Object.keys(openCallbackReaders(readConfig({ ...smtp, ...inbound })).readers)).toEqual(['mail'])
})

test.each([
  ['MAIL_INBOUND_DOMAIN', 'MAIL_INBOUND_TOKEN'],
  ['MAIL_INBOUND_TOKEN', 'MAIL_INBOUND_DOMAIN'],
])('%s without %s does not start', (given, missing) => {
  const config = readConfig({ ...smtp, [given]: 'mail.relance.example' })
  for (const open of [openChannels, openCallbackReaders])
    expect(() => open(config)).toThrow(`${given} cannot work: ${missing} is not set.`)
})

test.each([
  ['SMTP_URL', { SMTP_URL: 'smtps://mail.relance.example' }],
  ['EMAIL_PROVIDER=brevo', settings.brevo],
])('in production %s without MAIL_FROM does not start, and in development it does', async (chosen, env) => {
  const production = readConfig({ ...env, RELANCE_ENV: 'production' })
  for (const open of [openChannels, openCallbackReaders])
    expect(() => open(production)).toThrow(`${chosen} cannot work: MAIL_FROM is not set.`)
  await openChannels({ ...production, MAIL_FROM: 'compta@relance.example' }).close()
  await openChannels(readConfig({ ...env, RELANCE_ENV: 'development' })).close()
})

test('an api that sends no mail needs no address to send from', () => {
  expect(openCallbackReaders(readConfig({ RELANCE_ENV: 'production' })).readers).toEqual({})
})

test.each([
  ['brevo', 'email', 'brevo', 'brevo'],
  ['ovhcloud', 'sms', 'ovhcloud', 'ovhcloud'],
  ['twilio', 'sms', 'twilio-sms', 'twilio-sms'],
  ['maileva', 'lrar', 'maileva', 'maileva'],
] as const)('%s is built from its settings and can call back', async (name, channel, adapter, callback) => {
  const config = readConfig({ ...smtp, ...settings[name] })
  const { channels, close } = openChannels(config)
  expect(channels[channel]?.name).toBe(adapter)
  await close()
  const callbacks = openCallbackReaders(config)
  expect(Object.keys(callbacks.readers)).toEqual([callback])
  await callbacks.close()
})

test.each(Object.entries(settings))(
  '%s without one of its settings does not start, and says which',
  (_name, all) => {
    const [[choice, provider], ...rest] = Object.entries(all) as [[string, string], ...[string, string][]]
    for (const [missing] of rest) {
      const without = { ...smtp, ...all, [missing]: undefined }
      expect(() => openChannels(readConfig(without))).toThrow(
        `${choice}=${provider} cannot work: ${missing} is not set.`,
      )
    }
  },
)
