import type { ModelLimits } from '../../kit/model.ts'

export const modelProviders = ['anthropic', 'openai', 'mistral', 'openai-compatible'] as const
export type ModelProvider = (typeof modelProviders)[number]

export interface ModelSettings {
  readonly provider: ModelProvider
  readonly name: string
  readonly apiKey: string
  /** The base URL, if not the provider's default. */
  readonly baseUrl?: string | undefined
  readonly limits: ModelLimits
  /** Per million tokens, for the metrics, in the operator's currency. */
  readonly prices: { readonly in: number; readonly out: number }
}
