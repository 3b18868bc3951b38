import { expect, test } from 'vitest'
import { channelConformance } from '../channel.conformance.ts'
import type { EmailMessage, SendResult } from '../channel.ts'
import { emailSimulator } from './simulator.ts'

const localParts: Record<SendResult['outcome'], string> = {
  accepted: 'zoe',
  permanent: 'bounce+zoe',
  retryable: 'retry+zoe',
  unknown: 'unknown+zoe',
}

const message = (
  communicationId: string,
  destiny: SendResult['outcome'],
  { subject, text } = { subject: 'Rappel', text: 'Bonjour' },
): EmailMessage => ({
  communicationId,
  from: { name: 'Atelier Mercier', address: 'factures@atelier.example' },
  replyTo: { name: 'Atelier Mercier', address: 'reponse@atelier.example' },
  to: { name: 'Zoë Lefèvre', address: `${localParts[destiny]}@cliente.example` },
  subject,
  text,
  language: 'fr',
})

channelConformance('the email simulator', async () => {
  const kept = new Map<string, EmailMessage>()
  return {
    adapter: emailSimulator(async mail => {
      kept.set(mail.communicationId, mail)
    }),
    message,
    effects: async () => [...kept.values()],
    personalData: mail => [mail.to.address, mail.to.name],
    stop: async () => {},
  }
})

test('an unknown outcome keeps the message: only the answer is lost', async () => {
  const kept: string[] = []
  const adapter = emailSimulator(async mail => {
    kept.push(mail.communicationId)
  })
  const result = await adapter.send(message('com_1', 'unknown'), { beforeCommit: async () => {} })
  expect(result.outcome).toBe('unknown')
  expect(kept).toEqual(['com_1'])
})

test('a keeper that fails is a crash, not an outcome', async () => {
  const adapter = emailSimulator(() => Promise.reject(new Error('database away')))
  await expect(adapter.send(message('com_2', 'accepted'), { beforeCommit: async () => {} })).rejects.toThrow(
    'database away',
  )
})

test('the magic word must be a whole prefix of the local part', async () => {
  const adapter = emailSimulator(async () => {})
  const plain = message('com_3', 'accepted')
  const lookalike = { ...plain, to: { ...plain.to, address: 'bouncer@cliente.example' } }
  expect(await adapter.send(lookalike, { beforeCommit: async () => {} })).toEqual({
    outcome: 'accepted',
    providerId: 'sim_com_3',
  })
})
