import { z } from 'zod'

const url = (what: string) => z.url(`${what} must be a URL`)
const secret = z.string().min(1)

/** Who carries messages and money. A channel whose provider is not named has none, and its steps take another way. */
export const providerSettings = {
  EMAIL_PROVIDER: z.enum(['smtp', 'brevo']).default('smtp').describe('who carries emails'),
  BREVO_API_KEY: secret.optional().describe('key of the Brevo account'),
  BREVO_CALLBACK_TOKEN: secret.optional().describe('bearer token Brevo shows when it calls back'),
  BREVO_BASE_URL: url('BREVO_BASE_URL').default('https://api.brevo.com').describe('where Brevo is'),
  MAIL_INBOUND_TOKEN: secret
    .optional()
    .describe('bearer token of the mail server that hands bounces and replies to us'),
  MAIL_INBOUND_DOMAIN: z
    .string()
    .min(1)
    .optional()
    .describe('domain whose mail comes to us: bounces and a copy of replies go there'),
  SMS_PROVIDER: z.enum(['ovhcloud', 'twilio']).optional().describe('who carries text messages'),
  OVH_BASE_URL: url('OVH_BASE_URL').default('https://eu.api.ovh.com/1.0').describe('where OVHcloud is'),
  OVH_APPLICATION_KEY: secret.optional().describe('of the OVHcloud application'),
  OVH_APPLICATION_SECRET: secret.optional().describe('of the OVHcloud application'),
  OVH_CONSUMER_KEY: secret.optional().describe('of the OVHcloud account that allowed the application'),
  OVH_SMS_SERVICE: secret.optional().describe('name of the SMS account, sms-xx00000-0'),
  OVH_SMS_SENDER: secret
    .optional()
    .describe('name declared at OVHcloud that texts come from; without it each company’s own must be'),
  OVH_CALLBACK_KEY: secret.optional().describe('secret in the callback address given to OVHcloud'),
  TWILIO_BASE_URL: url('TWILIO_BASE_URL').default('https://api.twilio.com').describe('where Twilio is'),
  TWILIO_ACCOUNT_SID: secret.optional().describe('of the Twilio account'),
  TWILIO_AUTH_TOKEN: secret.optional().describe('of the Twilio account; it signs its callbacks with it'),
  TWILIO_SMS_FROM: secret.optional().describe('number or messaging service text messages leave from'),
  LETTER_PROVIDER: z.enum(['maileva']).optional().describe('who prints and posts registered letters'),
  MAILEVA_BASE_URL: url('MAILEVA_BASE_URL').default('https://api.maileva.com').describe('where Maileva is'),
  MAILEVA_TOKEN_URL: url('MAILEVA_TOKEN_URL')
    .default('https://connexion.maileva.com/auth/realms/services/protocol/openid-connect/token')
    .describe('where Maileva gives tokens'),
  MAILEVA_CLIENT_ID: secret.optional().describe('of the Maileva application'),
  MAILEVA_CLIENT_SECRET: secret.optional().describe('of the Maileva application'),
  MAILEVA_USERNAME: secret.optional().describe('of the Maileva account'),
  MAILEVA_PASSWORD: secret.optional().describe('of the Maileva account'),
  MAILEVA_SENDER_ID: z
    .uuid()
    .optional()
    .describe('identified sender of qualified electronic letters; without it there are none'),
  MAILEVA_CALLBACK_KEY: secret.optional().describe('secret Maileva shows when it calls back'),
  VOICE_PROVIDER: z.enum(['twilio']).optional().describe('who places calls; needs a model to speak'),
  VOICE_CALLER_ID: z
    .string()
    .optional()
    .describe('number calls come from, E.164, in the ranges open to automated systems'),
  PAYMENT_PROVIDER: z.enum(['stripe']).optional().describe('who takes cards on the debtor’s page'),
  STRIPE_BASE_URL: url('STRIPE_BASE_URL').default('https://api.stripe.com').describe('where Stripe is'),
  STRIPE_SECRET_KEY: secret.optional().describe('of the Stripe platform account'),
  STRIPE_WEBHOOK_SECRET: secret.optional().describe('Stripe signs its events with it'),
  COLLECTOR_NAME: z.string().optional().describe('who collects, in the letters of companies that mandate us'),
  COLLECTOR_ADDRESS: z.string().optional().describe('its postal address, on one line'),
}
