import type { FastifyInstance } from 'fastify'
import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import { EgressFailed } from '../../../kit/egress/egress.ts'
import { stampOf, success, unavailable } from '../../../kit/http/answer.ts'
import type { Site } from '../../../kit/http/site.ts'
import { knockOf, withRawBodies } from '../../platform/callbacks/knock.ts'
import { newsIsForged } from './errors.ts'
import { takePaymentNews } from './take-payment-news.ts'

/** As for every other request. */
const bodyMost = 1024 * 1024

/**
 * Where the payment provider tells what became of a checkout. Outside the limits, which count strangers by address: a whole
 * day's payments come from a handful of them, and what is forged costs no more than its signature.
 */
export function addPaymentCallback(app: FastifyInstance, site: Site, payment: PaymentAdapter): void {
  withRawBodies(app, bodyMost, scope => {
    scope.post(`/callbacks/${payment.name}`, { config: { unlimited: true } }, async (request, reply) => {
      const heard = await payment.read(knockOf(site, request)).catch(error => {
        if (error instanceof EgressFailed) throw unavailable()
        throw error
      })
      if (heard === 'forged') throw newsIsForged.make()
      for (const news of heard) await takePaymentNews(site, payment.name, news, request.id)
      return reply
        .type('application/json; charset=utf-8')
        .send(success({}, { heard: heard.length }, stampOf(request.id, site.clock)))
    })
  })
}
