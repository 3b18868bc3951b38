import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type ModelSettings, modelProviders } from '../adapters/model/settings.ts'
import { isIban } from '../domain/money/iban.ts'
import { isSiren } from '../domain/siret.ts'
import { fenceCommits } from '../features/recovery/messages/worker-context.ts'
import { isKeyring } from '../kit/crypto.ts'

const url = (what: string) => z.url(`${what} must be a URL`)
const port = z.coerce.number().int().min(1).max(65_535)
const commaSeparated = z.string().transform(text =>
  text
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean),
)
const secret = z.string().min(1)
const hostName = z
  .string()
  .regex(/^[a-z0-9.-]+$/i, 'must be a host name, without scheme and port')
  .toLowerCase()
const price = z.coerce.number().min(0)

/** The providers of messages and payments. A channel without a configured provider is not available; its steps use another channel. */
const providerSettings = {
  EMAIL_PROVIDER: z.enum(['smtp', 'brevo']).default('smtp').describe('provider for emails'),
  BREVO_API_KEY: secret.optional().describe('key of the Brevo account'),
  BREVO_CALLBACK_TOKEN: secret.optional().describe('bearer token that Brevo sends with its callbacks'),
  BREVO_BASE_URL: url('BREVO_BASE_URL')
    .default('https://api.brevo.com')
    .describe('base URL of the Brevo API'),
  MAIL_INBOUND_TOKEN: secret
    .optional()
    .describe('bearer token of the mail server that hands bounces and replies to us'),
  MAIL_INBOUND_DOMAIN: z
    .string()
    .min(1)
    .optional()
    .describe(
      'domain whose mail comes to us, from our mail server or from Brevo: bounces and replies go there',
    ),
  SMS_PROVIDER: z.enum(['ovhcloud', 'twilio']).optional().describe('provider for text messages'),
  OVH_BASE_URL: url('OVH_BASE_URL')
    .default('https://eu.api.ovh.com/1.0')
    .describe('base URL of the OVHcloud API'),
  OVH_APPLICATION_KEY: secret.optional().describe('of the OVHcloud application'),
  OVH_APPLICATION_SECRET: secret.optional().describe('of the OVHcloud application'),
  OVH_CONSUMER_KEY: secret.optional().describe('of the OVHcloud account that allowed the application'),
  OVH_SMS_SERVICE: secret.optional().describe('name of the SMS account, sms-xx00000-0'),
  OVH_SMS_SENDER: secret
    .optional()
    .describe('name declared at OVHcloud that texts come from; without it each company’s own must be'),
  OVH_CALLBACK_KEY: secret.optional().describe('secret in the callback address given to OVHcloud'),
  TWILIO_BASE_URL: url('TWILIO_BASE_URL')
    .default('https://api.twilio.com')
    .describe('base URL of the Twilio API'),
  TWILIO_ACCOUNT_SID: secret.optional().describe('of the Twilio account'),
  TWILIO_AUTH_TOKEN: secret.optional().describe('of the Twilio account; it signs its callbacks with it'),
  TWILIO_SMS_FROM: secret.optional().describe('number or messaging service text messages leave from'),
  LETTER_PROVIDER: z.enum(['maileva']).optional().describe('provider for registered letters'),
  MAILEVA_BASE_URL: url('MAILEVA_BASE_URL')
    .default('https://api.maileva.com')
    .describe('base URL of the Maileva API'),
  MAILEVA_TOKEN_URL: url('MAILEVA_TOKEN_URL')
    .default('https://connexion.maileva.com/auth/realms/services/protocol/openid-connect/token')
    .describe('token endpoint of Maileva'),
  MAILEVA_CLIENT_ID: secret.optional().describe('of the Maileva application'),
  MAILEVA_CLIENT_SECRET: secret.optional().describe('of the Maileva application'),
  MAILEVA_USERNAME: secret.optional().describe('of the Maileva account'),
  MAILEVA_PASSWORD: secret.optional().describe('of the Maileva account'),
  MAILEVA_SENDER_ID: z
    .uuid()
    .optional()
    .describe('identified sender of qualified electronic letters; without it there are none'),
  MAILEVA_CALLBACK_KEY: secret.optional().describe('secret that Maileva sends with its callbacks'),
  VOICE_PROVIDER: z.enum(['twilio']).optional().describe('provider for calls; needs a language model'),
  VOICE_CALLER_ID: z
    .string()
    .optional()
    .describe('number calls come from, E.164, in the ranges open to automated systems'),
  EMAIL_PRICE_CENTS: price.default(0.1).describe('what an email costs, in cents, for the daily limits'),
  SMS_PRICE_CENTS: price.default(8).describe('what a text message costs, in cents'),
  LETTER_PRICE_CENTS: price.default(800).describe('what a registered letter costs, in cents'),
  CALL_PRICE_CENTS: price.default(50).describe('what a call costs, in cents'),
  PAYMENT_PROVIDER: z.enum(['stripe']).optional().describe('provider for card payments on the debtor’s page'),
  STRIPE_BASE_URL: url('STRIPE_BASE_URL')
    .default('https://api.stripe.com')
    .describe('base URL of the Stripe API'),
  STRIPE_SECRET_KEY: secret.optional().describe('of the Stripe platform account'),
  STRIPE_WEBHOOK_SECRET: secret.optional().describe('Stripe signs its events with it'),
  OPERATOR_NAME: z
    .string()
    .optional()
    .describe(
      'who runs this installation, in the legal notice and the notice about data; production needs the OPERATOR_ and HOST_ settings',
    ),
  OPERATOR_ADDRESS: z.string().optional().describe('its postal address, on one line'),
  OPERATOR_TELEPHONE: z.string().optional().describe('its telephone number'),
  OPERATOR_REGISTRATION: z
    .string()
    .optional()
    .describe(
      'its legal form, capital and register, as in SARL au capital de 10 000 €, 123 456 789 RCS Lyon',
    ),
  OPERATOR_DIRECTOR: z.string().optional().describe('its director of publication'),
  OPERATOR_EMAIL: z.email().optional().describe('where it answers questions about personal data'),
  HOST_NAME: z.string().optional().describe('who hosts this installation'),
  HOST_ADDRESS: z.string().optional().describe('its postal address, on one line'),
  HOST_TELEPHONE: z.string().optional().describe('its telephone number'),
  COLLECTOR_NAME: z
    .string()
    .optional()
    .describe('who collects, in the messages of companies that mandate us'),
  COLLECTOR_ADDRESS: z.string().optional().describe('its postal address, on one line'),
  COLLECTOR_SIREN: z.string().refine(isSiren, 'must be nine digits').optional().describe('its SIREN'),
  COLLECTOR_DECLARED_ON: z.iso
    .date()
    .optional()
    .describe(
      'day of its declaration to the public prosecutor; without these COLLECTOR_ settings, nothing is sent for companies with a mandate',
    ),
  COLLECTOR_INSURER: secret.optional().describe('its insurer and the number of the policy'),
  COLLECTOR_ACCOUNT: secret
    .refine(isIban, 'must be an IBAN without spaces')
    .optional()
    .describe('the IBAN of its account that only receives money collected for others'),
  COLLECTOR_COUNTRIES: z
    .string()
    .regex(/^[A-Z]{2}(,[A-Z]{2})*$/, 'must be country codes such as FR,DE')
    .default('FR')
    .describe('where it may collect, by the countries of debtors; elsewhere nothing is sent in its name'),
}

// For development only: the domain does not exist, so real mail servers refuse mail from it.
const sampleSender = 'recouvrement@relance.example'

/** All environment variables, each with its description. */
const Environment = z.object({
  RELANCE_ENV: z
    .enum(['development', 'production'])
    .default('production')
    .describe('production refuses every shortcut of development'),
  HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  PORT: port.default(8080).describe('port of the API'),
  PUBLIC_URL: url('PUBLIC_URL')
    .refine(
      text => URL.parse(text)?.origin === text.replace(/\/$/, ''),
      'must be a scheme, a name in small letters and perhaps a port: tokens are issued in this name',
    )
    .optional()
    .describe(
      'base URL customers see, for links, and the issuer of tokens; https in production, which needs it',
    ),
  PRODUCTION_HOST: hostName
    .optional()
    .describe(
      'host name for production credentials; set it with SANDBOX_HOST: each host refuses the credentials of the other',
    ),
  SANDBOX_HOST: hostName.optional().describe('host name for sandbox credentials'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('address of METRICS_PORT, never public'),
  METRICS_PORT: port
    .optional()
    .describe(
      'port of /metrics, /health (503: restart it) and /health/ready (503: it cannot work now) of this process',
    ),
  DATABASE_URL: url('DATABASE_URL')
    .optional()
    .describe('administrator of the database: bootstrap and migrate only'),
  API_DATABASE_URL: url('API_DATABASE_URL').optional().describe('role relance_api'),
  WORKER_DATABASE_URL: url('WORKER_DATABASE_URL').optional().describe('role relance_worker'),
  OPERATOR_DATABASE_URL: url('OPERATOR_DATABASE_URL').optional().describe('role relance_operator: commands'),
  API_POOL: z.coerce.number().int().min(2).max(200).default(16).describe('connections of one api process'),
  WORKER_POOL: z.coerce
    .number()
    .int()
    .min(4)
    .max(200)
    .default(24)
    .describe('connections of one worker process'),
  DELIVERY_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(100)
    .default(8)
    .describe('connections of one worker process for webhook deliveries'),
  REDIS_URL: url('REDIS_URL')
    .optional()
    .describe('limits across processes; without it they are counted in this one'),
  KEYRING: z
    .string()
    .refine(isKeyring, 'each key is an id of 1 to 8 small letters or digits, a colon and 32 bytes in base64')
    .optional()
    .describe('id:base64 of 32 bytes, comma-separated, the active key first'),
  SMTP_URL: url('SMTP_URL')
    .optional()
    .describe('smtp:// or smtps://, with user and password if the server wants them'),
  MAIL_FROM: z
    .email()
    .optional()
    .describe(`address messages to debtors leave from; production needs it, development has ${sampleSender}`),
  ...providerSettings,
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(20)
    .describe('debtors handled at once by one worker'),
  SANDBOX_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(8)
    .describe('debtors of sandboxes handled at once by one worker'),
  PROVIDER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(20)
    .describe('messages given to one provider at once by one worker'),
  PROVIDER_RETRY_SECONDS: z
    .string()
    .regex(/^\d{1,5}(?:,\d{1,5})*$/)
    .default('30,60,120,300,900')
    .transform(text => text.split(',').map(Number))
    .describe('back-off in seconds while a provider does not answer; the last value is repeated'),
  LEASE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(60_000)
    .describe('lease of a message while a worker sends it, in ms'),
  NEVER_SEEN_AFTER_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(3_600_000)
    .describe('how many ms after a lost answer a provider is believed when it does not know the message'),
  FENCE_SYNCHRONOUS_COMMIT: z
    .enum(fenceCommits)
    .optional()
    .describe(
      'synchronous_commit of the commit before a message leaves; remote_write with a synchronous standby',
    ),
  RECLAIM_AFTER_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(75_000)
    .describe('after how many ms a message whose sender died is taken by another worker'),
  DELIVERY_LEASE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(30_000)
    .describe('lease for one webhook endpoint, in ms; must exceed the 10 s receiver timeout'),
  WAKE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(120_000)
    .describe('after how many ms an unfinished wake-up counts as lost and is taken again'),
  EGRESS_TEST_ALLOW: commaSeparated
    .default([])
    .describe(
      'host:port or host:* where webhooks may go although they are not public; tests and development',
    ),
  MODEL_PROVIDER: z
    .enum(modelProviders)
    .optional()
    .describe('provider of the language model; without it the assistant answers SVC_001'),
  MODEL_NAME: z.string().optional().describe('which of its models'),
  MODEL_API_KEY: z.string().optional().describe('key of the provider; a local model may need none'),
  MODEL_BASE_URL: url('MODEL_BASE_URL')
    .optional()
    .describe('where the provider is, if not at its usual address; may be private, nothing else is reached'),
  MODEL_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(60_000)
    .describe('how long a turn of the assistant may take, tools included'),
  MODEL_TOKENS_PER_TURN: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(200_000)
    .describe('most tokens of one turn; a longer turn is cut'),
  MODEL_TOKENS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(2_000_000)
    .describe('tokens a company may use in one environment in a UTC day, then RATE_002'),
  MODEL_PRICE_IN: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('price of a million input tokens, for the metrics'),
  MODEL_PRICE_OUT: z.coerce.number().min(0).default(0).describe('price of a million output tokens'),
  SIGN_UP: z
    .enum(['open', 'closed'])
    .optional()
    .describe(
      'whether anybody may open an account; a new company has its sandbox until the operator opens it; without it closed in production, open in development',
    ),
  TRUSTED_PROXIES: commaSeparated.default([]).describe('addresses whose X-Forwarded-* are believed'),
  TLS_CERT_FILE: z.string().optional().describe('certificate, when the program terminates TLS itself'),
  TLS_KEY_FILE: z.string().optional().describe('its private key'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('how much is logged'),
})

export type Config = z.output<typeof Environment>
type Variables = Record<string, string | undefined>

/** Secrets, and values that another role writes to a file: each may be given as the path of a file, in NAME_FILE. */
const fileVariables = [
  'DATABASE_URL',
  'API_DATABASE_URL',
  'WORKER_DATABASE_URL',
  'OPERATOR_DATABASE_URL',
  'REDIS_URL',
  'KEYRING',
  'SMTP_URL',
  'BREVO_API_KEY',
  'BREVO_CALLBACK_TOKEN',
  'MAIL_INBOUND_TOKEN',
  'OVH_APPLICATION_KEY',
  'OVH_APPLICATION_SECRET',
  'OVH_CONSUMER_KEY',
  'OVH_CALLBACK_KEY',
  'TWILIO_AUTH_TOKEN',
  'MAILEVA_CLIENT_SECRET',
  'MAILEVA_PASSWORD',
  'MAILEVA_CALLBACK_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'MODEL_API_KEY',
] as const satisfies readonly (keyof Config)[]

/** The environment cannot be used: its message is all that is shown. */
export class ConfigError extends Error {}

function readVariableFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${name} names a file that cannot be read: ${path} (${code}).`)
  }
}

/** The environment with the content of each file that a NAME_FILE names. */
function withFiles(environment: Variables): Variables {
  const all = { ...environment }
  for (const name of fileVariables) {
    const path = environment[`${name}_FILE`]
    if (path === undefined) continue
    if (environment[name] !== undefined)
      throw new ConfigError(`${name} and ${name}_FILE are both set; keep one of them.`)
    all[name] = readVariableFile(`${name}_FILE`, path)
  }
  return all
}

export function readConfig(environment: Variables): Config {
  const parsed = Environment.safeParse(withFiles(environment))
  if (!parsed.success)
    throw new ConfigError(
      `The environment is not usable:\n${parsed.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
    )
  if (parsed.data.RELANCE_ENV === 'production' && parsed.data.EGRESS_TEST_ALLOW.length > 0)
    throw new ConfigError(
      'EGRESS_TEST_ALLOW opens the inside to customers: production refuses to start with it',
    )
  if (parsed.data.RELANCE_ENV === 'production' && parsed.data.PUBLIC_URL?.startsWith('http:'))
    throw new ConfigError('PUBLIC_URL must be https: production refuses to start with it')
  hostsOf(parsed.data)
  const { RELANCE_ENV, LEASE_MS, RECLAIM_AFTER_MS } = parsed.data
  if (RELANCE_ENV === 'production' && (LEASE_MS < 45_000 || RECLAIM_AFTER_MS <= LEASE_MS))
    throw new ConfigError(
      'LEASE_MS must outlast every request to a provider (45000 at least), and RECLAIM_AFTER_MS must be longer: else a message could be sent twice',
    )
  const mailFrom = RELANCE_ENV === 'development' ? sampleSender : undefined
  const SIGN_UP = parsed.data.SIGN_UP ?? (RELANCE_ENV === 'development' ? 'open' : 'closed')
  return { ...parsed.data, SIGN_UP, MAIL_FROM: parsed.data.MAIL_FROM ?? mailFrom }
}

/** The public base URL, without a slash at the end. Production must set PUBLIC_URL. */
export function publicUrlOf(config: Config): string {
  const { RELANCE_ENV, PUBLIC_URL, HOST, PORT } = config
  const url = RELANCE_ENV === 'production' ? requireSetting(config, 'PUBLIC_URL') : PUBLIC_URL
  return url?.replace(/(?<!\/)\/+$/, '') ?? `http://${HOST}:${PORT}`
}

/** The host of each environment; undefined: one host serves both. */
export function hostsOf({ PRODUCTION_HOST: production, SANDBOX_HOST: sandbox }: Config) {
  if (production === undefined && sandbox === undefined) return undefined
  if (production === undefined || sandbox === undefined || production === sandbox)
    throw new ConfigError('PRODUCTION_HOST and SANDBOX_HOST must both be set, to different names, or neither')
  return { production, sandbox }
}

/** Null: no model is configured. */
export function modelSettingsOf(config: Config): ModelSettings | null {
  const { MODEL_PROVIDER: provider, MODEL_NAME: name } = config
  if (!provider) return null
  if (!name) throw new ConfigError('MODEL_NAME says which model of MODEL_PROVIDER it is')
  return {
    provider,
    name,
    apiKey: config.MODEL_API_KEY ?? '',
    baseUrl: config.MODEL_BASE_URL,
    limits: {
      turnMs: config.MODEL_TIMEOUT_MS,
      tokensPerTurn: config.MODEL_TOKENS_PER_TURN,
      tokensPerDay: config.MODEL_TOKENS_PER_DAY,
    },
    prices: { in: config.MODEL_PRICE_IN, out: config.MODEL_PRICE_OUT },
  }
}

interface Setting {
  name: string
  description: string
  values: readonly string[]
  usual: string | undefined
  canBeFile: boolean
}

/** Every variable as it is declared. */
export const settings: readonly Setting[] = Object.entries(Environment.shape).map(([name, schema]) => {
  const { description = '', enum: values, default: usual } = z.toJSONSchema(schema, { io: 'input' })
  return {
    name,
    description,
    values: (values ?? []).map(String),
    usual: usual === undefined || Array.isArray(usual) ? undefined : String(usual),
    canBeFile: (fileVariables as readonly string[]).includes(name),
  }
})

/** Every name the environment may have. */
export const variableNames: readonly string[] = settings.flatMap(({ name, canBeFile }) =>
  canBeFile ? [name, `${name}_FILE`] : [name],
)

const describeSetting = ({ description, values, usual }: Setting): string => {
  const range = [
    ...(values.length > 0 ? [values.join('|')] : []),
    ...(usual === undefined ? [] : [`default ${usual}`]),
  ]
  return `${description}${range.length > 0 ? ` (${range.join(', ')})` : ''}`
}

/** The help text: what each variable is for, its allowed values, and its default. */
export const explainConfig = (): string =>
  `${settings.map(setting => `  ${setting.name.padEnd(22)} ${describeSetting(setting)}`).join('\n')}

  NAME_FILE              the path of a file with the value, for: ${fileVariables.join(', ')}`

/** A file to copy and fill in. Every variable is commented out: a variable that is not set has its default. */
export const exampleEnvironment = (): string =>
  `# Every variable of Relance, made from its declarations by npm run generate. Copy it, and uncomment what you need.
# docs/install.md says which ones a first installation needs; relance-server config check names mistakes.
${settings
  .map(
    setting => `
# ${describeSetting(setting)}${setting.canBeFile ? `\n# or ${setting.name}_FILE, the path of a file with the value` : ''}
#${setting.name}=${setting.usual ?? ''}`,
  )
  .join('\n')}
`

/** Returns a setting that the role requires, or throws. */
export function requireSetting<Name extends keyof Config>(
  config: Config,
  name: Name,
): NonNullable<Config[Name]> {
  const value = config[name]
  if (value === undefined || value === null)
    throw new ConfigError(`${name} is not set; this role cannot run without it.`)
  return value as NonNullable<Config[Name]>
}
