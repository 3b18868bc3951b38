import { describe, expect, test } from 'vitest'
import { type Behaviour, channelConformance, codeFor } from '../../test/adapters/channel-conformance.ts'
import type {
  EmailMessage,
  LetterMessage,
  Message,
  SettledResult,
  SmsMessage,
  VoiceMessage,
} from './channel.ts'
import { simulator } from './simulator.ts'

type Outcome = SettledResult['outcome']
type Compose<M extends Message> = (
  communicationId: string,
  behaviour: Behaviour,
  content?: { subject: string; text: string },
) => M

const plain = { subject: 'Rappel', text: 'Bonjour' }
const at = Date.UTC(2026, 10, 16, 8)
/** The simulator is always there. */
const outcomeOf: Record<Behaviour, Outcome> = {
  accepted: 'accepted',
  permanent: 'permanent',
  retryable: 'retryable',
  unknown: 'unknown',
  throttled: 'retryable',
  broken: 'retryable',
  dropped: 'retryable',
  mute: 'unknown',
}
const localParts = {
  accepted: 'zoe',
  permanent: 'bounce+zoe',
  retryable: 'retry+zoe',
  unknown: 'Unknown+zoe',
}
const endings = { accepted: '123456', permanent: '000001', retryable: '000002', unknown: '000003' }
const streets = {
  accepted: '8 quai',
  permanent: 'BOUNCE quai',
  retryable: 'Retry quai',
  unknown: 'unknown quai',
}

const email: Compose<EmailMessage> = (communicationId, behaviour, content = plain) => ({
  channel: 'email',
  communicationId,
  code: codeFor(communicationId),
  language: 'fr',
  at,
  from: { name: 'Atelier Mercier', address: 'factures@atelier.example' },
  replyTo: { name: 'Atelier Mercier', address: 'reponse@atelier.example' },
  to: { name: 'Zoë Lefèvre', address: `${localParts[outcomeOf[behaviour]]}@cliente.example` },
  html: null,
  ...content,
})

const sms: Compose<SmsMessage> = (communicationId, behaviour, { text } = plain) => ({
  channel: 'sms',
  communicationId,
  code: codeFor(communicationId),
  language: 'fr',
  at,
  from: 'ATELIER',
  to: `+33612${endings[outcomeOf[behaviour]]}`,
  text,
})

const letter: Compose<LetterMessage> = (communicationId, behaviour, content = plain) => ({
  channel: 'lrar',
  communicationId,
  code: codeFor(communicationId),
  language: 'fr',
  at,
  from: { name: 'Atelier Mercier', lines: ['1 rue Haute'], postalCode: '69001', city: 'Lyon', country: 'FR' },
  to: {
    name: 'Zoë Lefèvre',
    lines: [streets[outcomeOf[behaviour]]],
    postalCode: '75001',
    city: 'Paris',
    country: 'FR',
  },
  reference: 'F-2026-0042',
  pdf: async () => Buffer.from('%PDF'),
  delivery: { by: 'paper' },
  ...content,
})

const call: Compose<VoiceMessage> = (communicationId, behaviour, { subject, text } = plain) => ({
  channel: 'voice',
  communicationId,
  code: codeFor(communicationId),
  language: 'fr',
  at,
  to: `+33612${endings[outcomeOf[behaviour]]}`,
  opening: subject,
  text,
})

const subjectOf = (message: Message) => {
  switch (message.channel) {
    case 'email':
    case 'lrar':
      return { subject: message.subject }
    case 'voice':
      return { subject: message.opening }
    case 'sms':
      return {}
  }
}

const personalData = ({ to }: Message) =>
  typeof to === 'string'
    ? [to]
    : 'address' in to
      ? [to.name, to.address]
      : [to.name, ...to.lines, to.postalCode, to.city]

function channelTests<M extends Message>(channel: M['channel'], compose: Compose<M>) {
  channelConformance<M>(
    `the simulator of ${channel}`,
    async () => {
      const saved = new Map<string, M>()
      const adapter = simulator<M>(channel, async message => {
        saved.set(message.communicationId, message)
      })
      return {
        adapter,
        withShortTimeout: adapter,
        withWrongCredentials: null,
        message: compose,
        effects: async () =>
          [...saved.values()].map(message => ({
            communicationId: message.communicationId,
            reference: message.code,
            text: message.text,
            ...subjectOf(message),
          })),
        personalData,
        stop: async () => {},
      }
    },
    'throttled',
  )

  describe(`the simulator of ${channel}`, () => {
    test('an unknown outcome saves the message: only the answer is lost', async () => {
      const saved: string[] = []
      const adapter = simulator<M>(channel, async message => {
        saved.push(message.communicationId)
      })
      const result = await adapter.send(compose('com_1', 'unknown'), { beforeCommit: async () => {} })
      expect(result.outcome).toBe('unknown')
      expect(saved).toEqual(['com_1'])
    })

    test('when saving fails, it is thrown and is no outcome', async () => {
      const adapter = simulator<M>(channel, () => Promise.reject(new Error('database away')))
      await expect(
        adapter.send(compose('com_2', 'accepted'), { beforeCommit: async () => {} }),
      ).rejects.toThrow('database away')
    })
  })
}

channelTests('email', email)
channelTests('sms', sms)
channelTests('lrar', letter)
channelTests('voice', call)

const written = email('com_3', 'accepted')
const posted = letter('com_3', 'accepted')

test.each<[string, Message]>([
  ['bouncer@…', { ...written, to: { ...written.to, address: 'bouncer@cliente.example' } }],
  ['zoe+bounce@…', { ...written, to: { ...written.to, address: 'zoe+bounce@cliente.example' } }],
  ['…100001', { ...sms('com_3', 'accepted'), to: '+33612100001' }],
  ['…0000010', { ...call('com_3', 'accepted'), to: '+33600000010' }],
  ['Bouncerie', { ...posted, to: { ...posted.to, lines: ['Bouncerie', 'Retry quai'] } }],
  ['an address without lines', { ...posted, to: { ...posted.to, lines: [] } }],
])('%s is nobody’s magic word: accepted', async (_name, message) => {
  const adapter = simulator<Message>(message.channel, async () => {})
  expect(await adapter.send(message, { beforeCommit: async () => {} })).toEqual({
    outcome: 'accepted',
    providerId: 'sim_com_3',
  })
})
