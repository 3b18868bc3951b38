import { expect, test } from 'vitest'
import { startMaileva } from '../../../dev/stand-ins/maileva.ts'
import { callbackConformance } from '../../../test/adapters/callback-conformance.ts'
import { codeFor } from '../../../test/adapters/channel-conformance.ts'
import { callbackKey, letter, optionsFor } from '../../../test/adapters/letter-fixture.ts'
import { mailevaLetter } from './maileva.ts'
import { mailevaCallbacks } from './maileva-callbacks.ts'

for (const by of ['paper', 'electronic'] as const)
  callbackConformance(`maileva of a letter, ${by}`, async () => {
    const maileva = await startMaileva()
    const adapter = mailevaLetter(optionsFor(maileva.url))
    await adapter.send(letter(by)('com_posted', 'accepted'), { beforeCommit: async () => {} })
    await adapter.close()
    const reader = mailevaCallbacks(callbackKey, optionsFor(maileva.url))
    const undelivered = 'ON_MAIN_DELIVERY_STATUS_UNDELIVERED'
    return {
      reader,
      callbackFor: maileva.callbackRequest,
      url: 'https://relance.example/callbacks/maileva',
      code: codeFor('com_posted'),
      events:
        by === 'paper'
          ? [
              ['ON_MAIN_DELIVERY_STATUS_FIRST_PRESENTATION', { kind: 'receipt', outcome: 'presented' }],
              ['ON_MAIN_DELIVERY_STATUS_DELIVERED', { kind: 'receipt', outcome: 'signed' }],
              ['ON_ACKNOWLEDGEMENT_OF_RECEIPT_RECEIVED', { kind: 'receipt', outcome: 'signed' }],
              ['ON_STATUS_REJECTED', { kind: 'receipt', outcome: 'bounced' }],
              [`${undelivered}/N02`, { kind: 'receipt', outcome: 'bounced' }],
              [`ON_UNDELIVERED_MAIL_RECEIVED/N05`, { kind: 'receipt', outcome: 'refused' }],
              ['ON_STATUS_ACCEPTED', null],
              ['ON_DEPOSIT_PROOF_RECEIVED', null],
              ['constructor', null],
            ]
          : [
              ['ON_STATUS_ACCEPTED/PROCESSED', null],
              ['ON_DELIVERY/ACCEPTED', { kind: 'receipt', outcome: 'signed' }],
              ['ON_REFUSAL/REFUSED', { kind: 'receipt', outcome: 'refused' }],
              ['ON_NEGLIGENCE/NOT_CLAIMED', { kind: 'receipt', outcome: 'unclaimed' }],
            ],
      stop: async () => {
        await reader.close()
        await maileva.stop()
      },
    }
  })

test('when Maileva cannot be asked why a letter came back, the callback fails so that it is sent again', async () => {
  const gone = await startMaileva()
  const reader = mailevaCallbacks(callbackKey, optionsFor(gone.url))
  const callback = gone.callbackRequest({
    url: 'https://relance.example/callbacks/maileva',
    code: codeFor('com_12'),
    event: 'ON_MAIN_DELIVERY_STATUS_UNDELIVERED',
    at: Date.now(),
  })
  await gone.stop()
  const request = { ...callback, code: null, body: Buffer.from(callback.body), wall: Date.now() }
  await expect(reader.read(request)).rejects.toThrow('maileva ECONNREFUSED: reason not available')
  await reader.close()
})
