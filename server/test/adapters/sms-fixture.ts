import type { Sent } from '../../dev/stand-ins/stand-in.ts'
import type { ChannelAdapter, SmsMessage } from '../../src/adapters/channel.ts'
import { type Behaviour, type ConformanceFixture, codeFor } from './channel-conformance.ts'

const endings: Partial<Record<Behaviour, string>> = {
  accepted: '123456',
  permanent: '000001',
  throttled: '000002',
  broken: '000003',
  unknown: '000004',
  mute: '000005',
  dropped: '000006',
}

const linkTo = (code: string) => ` https://relance.example/d/${code}`

/** Every text message carries its code in the link at its end. */
export const smsMessage = (
  communicationId: string,
  behaviour: Behaviour,
  { text } = { text: 'Bonjour' },
): SmsMessage => {
  const code = codeFor(communicationId)
  return {
    channel: 'sms',
    communicationId,
    code,
    language: 'fr',
    at: Date.now(),
    from: 'ATELIER',
    to: `+33612${endings[behaviour]}`,
    text: text + linkTo(code),
  }
}

/** Providers know a text message only by its code; the fixture maps codes to communications. */
export function smsFixture(
  adapters: Record<'adapter' | 'withShortTimeout' | 'withWrongCredentials', ChannelAdapter<SmsMessage>>,
  provider: { effects(): Sent[]; stop(): Promise<void> },
): ConformanceFixture<SmsMessage> {
  const ids = new Map<string, string>()
  return {
    ...adapters,
    textLengthMax: 1_000,
    message(id, behaviour, content) {
      ids.set(codeFor(id), id)
      return smsMessage(id, behaviour, content)
    },
    effects: async () =>
      provider.effects().map(({ reference, text }) => ({
        communicationId: ids.get(reference) ?? '',
        reference,
        text: text.replace(linkTo(reference), ''),
      })),
    personalData: ({ to }) => [to, to.slice(3)],
    stop: provider.stop,
  }
}
