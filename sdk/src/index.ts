export type { ChatEvent } from './agent.ts'
export type { ApiPromise, ApiResponse, FileBody } from './call.ts'
export { type ClientCode, RelanceError } from './error.ts'
export type * from './generated/types.ts'
export type { List, Page } from './list.ts'
export type { Hint, LiveOptions } from './live.ts'
export type { RelanceOptions, RequestOptions, Session } from './options.ts'
export { Relance } from './relance.ts'
export type { WaitOptions } from './tasks.ts'
export {
  type DeliveryHeaders,
  signTestDelivery,
  type TestDelivery,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './webhooks.ts'
