import type { FastifyInstance } from 'fastify'
import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import { EgressFailed } from '../../../kit/egress/egress.ts'
import { stampOf, success, unavailable } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { callbackRequestOf, withRawBodies } from '../../platform/callbacks/callback-request.ts'
import { paymentCallbackForged } from './errors.ts'
import { handlePaymentEvent } from './handle-payment-event.ts'

/** Far more than the size of an event. The sender is known only after the body is read, by the signature over it. */
const bodyMaxBytes = 256 * 1024

/**
 * The callback route of the payment provider. It has no rate limit: that limit counts by IP address, and all callbacks of a
 * provider come from a few addresses. A forged request costs only the check of its signature.
 */
export function addPaymentCallback(
  app: FastifyInstance,
  pageContext: PageContext,
  payment: PaymentAdapter,
): void {
  withRawBodies(
    app,
    () => bodyMaxBytes,
    scope => {
      scope.post(
        `/callbacks/${payment.name}`,
        { config: { unlimited: true }, bodyLimit: bodyMaxBytes },
        async (request, reply) => {
          const events = await payment.read(callbackRequestOf(pageContext, request)).catch(error => {
            if (error instanceof EgressFailed) throw unavailable()
            throw error
          })
          if (events === 'forged') throw paymentCallbackForged.make()
          for (const event of events) await handlePaymentEvent(pageContext, payment.name, event, request.id)
          return reply
            .type('application/json; charset=utf-8')
            .send(success({}, { heard: events.length }, stampOf(request.id, pageContext.clock)))
        },
      )
    },
  )
}
