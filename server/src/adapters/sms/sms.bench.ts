import type { Sent } from '../../../dev/stand-ins/stand-in.ts'
import { type ConformanceBench, codeFor, type Destiny } from '../channel.conformance.ts'
import type { ChannelAdapter, SmsMessage } from '../channel.ts'

const endings: Record<Destiny, string> = {
  accepted: '123456',
  permanent: '000001',
  retryable: '000002',
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
  destiny: Destiny,
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
    to: `+33612${endings[destiny]}`,
    text: text + linkTo(code),
  }
}

/** A provider knows a text message by its code alone; which communication that is, only we know. */
export function smsBench(
  adapters: Record<'adapter' | 'impatient' | 'stranger', ChannelAdapter<SmsMessage>>,
  provider: { effects(): Sent[]; stop(): Promise<void> },
): ConformanceBench<SmsMessage> {
  const ids = new Map<string, string>()
  return {
    ...adapters,
    longest: 1_000,
    message(id, destiny, words) {
      ids.set(codeFor(id), id)
      return smsMessage(id, destiny, words)
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
