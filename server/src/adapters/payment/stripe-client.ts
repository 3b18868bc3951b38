import { z } from 'zod'
import { EgressFailed, egress } from '../../kit/egress/egress.ts'
import type { ProviderFailure } from './payment.ts'

export interface StripeOptions {
  baseUrl: string
  secretKey: string
  webhookSecret: string
  timeoutMs?: number
}

interface StripeRequest {
  method: 'GET' | 'POST'
  path: string
  /** The creditor's account the request is about. */
  account?: string | undefined
  idempotencyKey?: string
  form?: Record<string, string>
}

const Refused = z.object({ error: z.object({ type: z.string(), code: z.string().nullish() }) })

const codeOnly = (text: string) => (/^[a-z_]{1,60}$/.test(text) ? text : 'unnamed')

function refusalOf(status: number, body: Buffer): ProviderFailure {
  let code = ''
  try {
    const { error } = Refused.parse(JSON.parse(body.toString('utf8')))
    code = ` ${codeOnly(error.code ?? error.type)}`
  } catch {
    // A gateway in between may answer in HTML; the status is enough.
  }
  // 409: another request with this key is under way.
  const isRetryable = status === 429 || status === 409 || status >= 500
  return { outcome: 'failed', reason: `${status}${code}`, isRetryable }
}

/** Requests to Stripe. A failure is a result with a code, never an exception, so that the caller knows whether to retry. */
export function stripeClient({ baseUrl, secretKey, timeoutMs = 8_000 }: StripeOptions) {
  const client = egress({ profile: 'operator', baseUrl })
  return {
    async request<Reply>(
      { method, path, account, idempotencyKey, form }: StripeRequest,
      schema: z.ZodType<Reply>,
    ): Promise<{ outcome: 'answered'; reply: Reply } | ProviderFailure> {
      try {
        const answer = await client.request({
          method,
          path,
          headers: {
            authorization: `Bearer ${secretKey}`,
            ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            ...(account !== undefined && { 'stripe-account': account }),
          },
          ...(form && { body: new URLSearchParams(form).toString() }),
          timeoutMs,
        })
        if (answer.status !== 200) return refusalOf(answer.status, answer.body)
        return { outcome: 'answered', reply: schema.parse(JSON.parse(answer.body.toString('utf8'))) }
      } catch (error) {
        if (error instanceof EgressFailed) return { outcome: 'failed', reason: error.code, isRetryable: true }
        if (error instanceof z.ZodError || error instanceof SyntaxError)
          return { outcome: 'failed', reason: 'unreadable answer', isRetryable: true }
        throw error
      }
    },
    close: () => client.close(),
  }
}

export type StripeClient = ReturnType<typeof stripeClient>
