import type { ModelLimits } from '../../kit/model.ts'

export const modelProviders = ['anthropic', 'openai', 'mistral', 'openai-compatible'] as const
export type ModelProvider = (typeof modelProviders)[number]

export interface ModelSettings {
  readonly provider: ModelProvider
  readonly name: string
  readonly apiKey: string
  /** Where the provider is, if not where everybody finds it. */
  readonly baseUrl?: string | undefined
  readonly limits: ModelLimits
  /** Of a million tokens, for the figures; in whatever currency the operator pays. */
  readonly prices: { readonly in: number; readonly out: number }
}
