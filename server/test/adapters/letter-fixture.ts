import { mailevaAccount } from '../../dev/stand-ins/maileva.ts'
import type { LetterMessage } from '../../src/adapters/channel.ts'
import { type Behaviour, codeFor } from './channel-conformance.ts'

const { callbackKey, ...account } = mailevaAccount

export { account, callbackKey }

export const optionsFor = (url: string) => ({
  ...account,
  baseUrl: url,
  tokenUrl: `${url}/auth/token`,
  wall: Date.now,
})

const addressWords: Partial<Record<Behaviour, string>> = {
  accepted: '8',
  permanent: 'rejected',
  throttled: 'throttled',
  broken: 'broken',
  dropped: 'dropped',
  unknown: 'lost',
  mute: 'mute',
}

export const letter =
  (by: 'paper' | 'electronic') =>
  (
    communicationId: string,
    behaviour: Behaviour,
    { subject, text } = { subject: 'Mise en demeure', text: 'Bonjour' },
  ): LetterMessage => ({
    channel: 'lrar',
    communicationId,
    code: codeFor(communicationId),
    language: 'fr',
    at: Date.now(),
    from: {
      name: 'Atelier Mercier',
      lines: ['1 rue Haute'],
      postalCode: '69001',
      city: 'Lyon',
      country: 'FR',
    },
    to: {
      name: 'Zoë Lefèvre',
      lines: [`${addressWords[behaviour]} quai Malaquais`],
      postalCode: '75006',
      city: 'Paris',
      country: 'FR',
    },
    subject,
    text,
    reference: 'F-2026-0042',
    pdf: async () => Buffer.from(`%PDF-1.7\n${text}`),
    delivery:
      by === 'paper'
        ? { by }
        : { by, email: `${addressWords[behaviour]}+zoe@cliente.example`.replace('8+', '') },
  })
