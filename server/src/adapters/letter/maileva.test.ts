import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailevaSent, startMaileva } from '../../../dev/stand-ins/maileva.ts'
import { channelConformance, codeFor } from '../../../test/adapters/channel-conformance.ts'
import { account, letter, optionsFor } from '../../../test/adapters/letter-fixture.ts'
import { mailevaLetter } from './maileva.ts'

for (const by of ['paper', 'electronic'] as const) {
  channelConformance(
    `maileva, ${by}`,
    async () => {
      const maileva = await startMaileva()
      const ids = new Map<string, string>()
      return {
        adapter: mailevaLetter(optionsFor(maileva.url)),
        withShortTimeout: mailevaLetter({ ...optionsFor(maileva.url), timeoutMs: 300 }),
        withWrongCredentials: mailevaLetter({ ...optionsFor(maileva.url), password: 'of somebody else' }),
        message(id, behaviour, content) {
          ids.set(codeFor(id), id)
          return letter(by)(id, behaviour, content)
        },
        effects: async () =>
          maileva.effects().map(({ reference, text }) => ({
            communicationId: ids.get(reference) ?? '',
            reference,
            text: text.replace('%PDF-1.7\n', ''),
          })),
        personalData: ({ to }) => [to.name, 'Lefèvre', 'Malaquais', '75006', 'cliente.example'],
        stop: maileva.stop,
      }
    },
    'retryable',
  )
}

let maileva: Awaited<ReturnType<typeof startMaileva>>
let adapter: ReturnType<typeof mailevaLetter>
beforeAll(async () => {
  maileva = await startMaileva()
  adapter = mailevaLetter(optionsFor(maileva.url))
})
afterAll(async () => {
  await adapter.close()
  await maileva.stop()
})

const hooks = { beforeCommit: async () => {} }
const paper = letter('paper')
const sentAs = (id: string) =>
  (maileva.effects() as MailevaSent[]).filter(({ reference }) => reference === codeFor(id))

test('a registered letter asks for its receipt, and is addressed on both sides', async () => {
  await adapter.send(paper('com_1', 'accepted'), hooks)
  const [sent] = sentAs('com_1')
  expect(sent?.sending).toMatchObject({
    acknowledgement_of_receipt: true,
    returned_mail_scanning: true,
    sender_address_line_1: 'Atelier Mercier',
    sender_address_line_4: '1 rue Haute',
    sender_address_line_6: '69001 Lyon',
  })
  expect(sent?.recipient).toMatchObject({
    custom_id: codeFor('com_1'),
    address_line_1: 'Zoë Lefèvre',
    address_line_4: '8 quai Malaquais',
    address_line_6: '75006 Paris',
    country_code: 'FR',
  })
})

test('an electronic letter goes to the address that was consented to, in the name of the identified sender', async () => {
  await adapter.send(letter('electronic')('com_2', 'accepted'), hooks)
  const [sent] = sentAs('com_2')
  expect(sent).toMatchObject({
    isElectronic: true,
    sending: { sender_id: account.electronicSenderId },
    recipient: { email: 'zoe@cliente.example', legal_status: 'PROFESSIONAL', company: 'Zoë Lefèvre' },
  })
  const delivery = { by: 'electronic', email: 'zoe@cliente.example', isConsumer: true } as const
  await adapter.send({ ...letter('electronic')('com_2c', 'accepted'), delivery }, hooks)
  expect(sentAs('com_2c')[0]?.recipient).toEqual({
    id: expect.anything(),
    custom_id: codeFor('com_2c'),
    email: 'zoe@cliente.example',
    legal_status: 'INDIVIDUAL',
    first_name: 'Zoë',
    last_name: 'Lefèvre',
  })
})

test('without an identified sender no electronic letter is begun', async () => {
  const nobody = mailevaLetter({ ...optionsFor(maileva.url), electronicSenderId: undefined })
  const result = await nobody.send(letter('electronic')('com_3', 'accepted'), {
    beforeCommit: () => Promise.reject(new Error('asked')),
  })
  expect(result).toEqual({ outcome: 'retryable', reason: 'maileva no_electronic_sender' })
  await nobody.close()
})

test('while the sender has shown no one-time code an electronic letter waits, and paper leaves', async () => {
  const own = await startMaileva()
  own.endSession()
  const waiting = mailevaLetter(optionsFor(own.url))
  expect(await waiting.send(letter('electronic')('com_3b', 'accepted'), hooks)).toEqual({
    outcome: 'unavailable',
    reason: 'maileva 400 OTP_REQUIRED',
  })
  expect(own.drafts()).toEqual([])
  expect(await waiting.send(paper('com_3c', 'accepted'), hooks)).toMatchObject({ outcome: 'accepted' })
  await waiting.close()
  await own.stop()
})

test('a crash before the submission leaves a draft that becomes no second letter', async () => {
  const died = adapter.send(paper('com_4', 'accepted'), { beforeCommit: () => new Promise<void>(() => {}) })
  void died
  await expect.poll(() => maileva.drafts().map(({ reference }) => reference)).toContain(codeFor('com_4'))
  expect(await adapter.send(paper('com_4', 'accepted'), hooks)).toMatchObject({ outcome: 'accepted' })
  expect(sentAs('com_4')).toHaveLength(1)
  expect(maileva.drafts().filter(({ reference }) => reference === codeFor('com_4'))).toEqual([])
})

test('looking for a letter that stayed a draft throws the draft away: it never left and never will', async () => {
  void adapter.send(paper('com_5', 'accepted'), { beforeCommit: () => new Promise<void>(() => {}) })
  await expect.poll(() => maileva.drafts().map(({ reference }) => reference)).toContain(codeFor('com_5'))
  expect(await adapter.lookup?.(paper('com_5', 'accepted'))).toBe('never_seen')
  expect(maileva.drafts().filter(({ reference }) => reference === codeFor('com_5'))).toEqual([])
})

test('a letter that is already on its way is not written again', async () => {
  const first = await adapter.send(paper('com_6', 'unknown'), hooks)
  expect(first.outcome).toBe('unknown')
  expect(await adapter.send(paper('com_6', 'unknown'), hooks)).toMatchObject({ outcome: 'accepted' })
  expect(sentAs('com_6')).toHaveLength(1)
})

test('a refused commit and a refused letter leave no draft behind', async () => {
  const refusal = new Error('the lease was lost')
  await expect(
    adapter.send(paper('com_7', 'accepted'), { beforeCommit: () => Promise.reject(refusal) }),
  ).rejects.toBe(refusal)
  await adapter.send(paper('com_8', 'permanent'), hooks)
  const far = paper('com_9', 'accepted')
  let commits = 0
  const abroad = await adapter.send(
    { ...far, to: { ...far.to, country: 'DE' } },
    {
      beforeCommit: async () => {
        commits++
      },
    },
  )
  expect({ ...abroad, commits }).toEqual({
    outcome: 'permanent',
    reason: 'maileva 400 INVALID_COUNTRY_CODE',
    commits: 0,
  })
  for (const id of ['com_7', 'com_8', 'com_9'])
    expect(maileva.drafts().filter(({ reference }) => reference === codeFor(id))).toEqual([])
})

test('an address that does not fit is refused before anybody is asked', async () => {
  const long = paper('com_10', 'accepted')
  const to = { ...long.to, lines: ['Bâtiment B', 'escalier 4', 'au fond de la cour', '8 quai Malaquais'] }
  expect(await adapter.send({ ...long, to }, hooks)).toEqual({
    outcome: 'permanent',
    reason: 'maileva address_does_not_fit',
    isAddressRefused: true,
  })
  expect(await adapter.send({ ...long, from: { ...long.from, lines: [] } }, hooks)).toEqual({
    outcome: 'permanent',
    reason: 'maileva sender_does_not_fit',
  })
})

test('one token serves many letters, and a token that ended is asked for anew', async () => {
  const own = await startMaileva()
  const many = mailevaLetter(optionsFor(own.url))
  await Promise.all(Array.from({ length: 10 }, (_, i) => many.send(paper(`com_t${i}`, 'accepted'), hooks)))
  expect(own.tokensGiven()).toBe(1)
  own.forgetTokens()
  expect(await many.send(paper('com_t11', 'accepted'), hooks)).toEqual({
    outcome: 'unavailable',
    reason: 'maileva 401 UNAUTHORIZED',
  })
  expect(await many.send(paper('com_t11', 'accepted'), hooks)).toMatchObject({ outcome: 'accepted' })
  expect(own.tokensGiven()).toBe(2)
  await many.close()
  await own.stop()
})

test('a letter is found among hundreds, whichever end of the list it stands at', async () => {
  for (let i = 0; i < 120; i++) await adapter.send(paper(`com_n${i}`, 'accepted'), hooks)
  expect(await adapter.lookup?.(paper('com_n3', 'accepted'))).toMatchObject({ outcome: 'accepted' })
  expect(await adapter.lookup?.(paper('com_n119', 'accepted'))).toMatchObject({ outcome: 'accepted' })
  expect(await adapter.lookup?.(paper('com_n120', 'accepted'))).toBe('never_seen')
})
