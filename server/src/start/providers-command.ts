import { randomBytes, randomUUID } from 'node:crypto'
import { type ChannelAdapter, type EmailMessage, ListFailed, type Message } from '../adapters/channel.ts'
import { tryMailServer } from '../adapters/email/smtp.ts'
import { type Channel, channels } from '../domain/contact/channel.ts'
import { email } from '../kit/fields.ts'
import { type CommandLine, UsageError } from './command-line.ts'
import { type Config, requireSetting } from './config.ts'
import { answerWithinMs, type Finding, faultWithin } from './doctor-services.ts'
import { openChannels, smtpOptionsOf } from './providers.ts'

const minute = 60_000

/** Signs in as a send does, and reads the list of the last minute where the provider has one. */
async function signIn(config: Config, adapter: ChannelAdapter<never>, wall: number): Promise<string | null> {
  if (!adapter.sentBetween) return tryMailServer(smtpOptionsOf(config), answerWithinMs)
  try {
    for await (const _ of adapter.sentBetween(wall - minute, wall)) break
    return null
  } catch (error) {
    if (error instanceof ListFailed) return error.message
    throw error
  }
}

async function tryChannel(
  config: Config,
  channel: Channel,
  adapter: ChannelAdapter<never> | null,
  wall: number,
): Promise<Finding> {
  if (!adapter)
    return { isFine: true, isNote: true, text: `${channel}: no provider is set, its steps are skipped` }
  const fault = await faultWithin(signIn(config, adapter, wall))
  return {
    isFine: fault === null,
    text: `${channel}: ${adapter.name} ${fault === null ? 'accepts our credentials' : `does not answer as it should: ${fault}`}`,
    next: 'check its settings (`relance-server help environment` lists them), its status page, and your credit there',
  }
}

const testMail = (from: string, to: string, wall: number): EmailMessage => ({
  channel: 'email',
  communicationId: randomUUID(),
  code: `00${randomBytes(9).toString('hex')}`,
  language: 'en',
  at: wall,
  from: { name: 'Relance', address: from },
  replyTo: { name: 'Relance', address: from },
  to: { name: '', address: to },
  subject: 'Relance can send mail',
  text: 'This mail was sent by `relance-server providers test`. Nothing else is asked of you.\n',
  html: null,
})

async function sendTestMail(config: Config, adapter: ChannelAdapter<EmailMessage>, to: string, wall: number) {
  const message = testMail(requireSetting(config, 'MAIL_FROM'), to, wall)
  const result = await adapter.send(message, { beforeCommit: async () => {} })
  const isAccepted = result.outcome === 'accepted'
  return {
    isFine: isAccepted,
    text: isAccepted
      ? `email: ${adapter.name} accepted a mail to ${to} as ${result.providerId}`
      : `email: ${adapter.name} did not accept a mail to ${to}: ${result.outcome}, ${result.reason}`,
    next: 'check MAIL_FROM: most providers accept only senders whose domain was verified there',
  }
}

/** Checks every provider, so that the operator finds a fault before the first message to a debtor. */
export async function testProviders(config: Config, line: CommandLine, wall: number): Promise<Finding[]> {
  const { to } = line.values
  if (to !== undefined && !email.safeParse(to).success)
    throw new UsageError(`providers test: ${JSON.stringify(to)} is not an email address`)
  const { channels: adapters, close } = openChannels(config)
  try {
    const findings = await Promise.all(
      channels.map(channel =>
        tryChannel(config, channel, adapters[channel] as ChannelAdapter<Message> | null, wall),
      ),
    )
    return to === undefined || !adapters.email
      ? findings
      : [...findings, await sendTestMail(config, adapters.email, to, wall)]
  } finally {
    await close()
  }
}
