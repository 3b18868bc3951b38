import { randomUUID } from 'node:crypto'
import { newCheckout, paymentConformance } from '../../../test/adapters/payment-conformance.ts'
import { simulatedPayment } from './simulator.ts'

const payers = { opened: '', answer_lost: '', permanent: 'nocard+', retryable: 'latecard+' }

paymentConformance('the simulator', async () => {
  const adapter = simulatedPayment({
    secret: randomUUID(),
    pageOf: ({ code, checkoutId }) => `http://localhost/d/${code}/simulated-card/${checkoutId}`,
  })
  return {
    adapter,
    checkout: behaviour => newCheckout({ payerEmail: `${payers[behaviour]}compta@durand.example` }),
    sessionsOf: () => null,
    callbackFor: ({ code, checkoutId, amountCents, currency, account }, what) =>
      adapter.signedCallback({
        eventId: randomUUID(),
        code,
        checkoutId,
        reference: checkoutId,
        what,
        amountCents,
        currency,
        at: Date.now(),
        account,
      }),
    stop: async () => {},
  }
})
