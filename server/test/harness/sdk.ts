import { Relance } from '../../../sdk/src/index.ts'
import type { TestInstallation } from './use-installation.ts'

/** The SDK with the production key of the installation's company, unless another key is given. Only once it has started. */
export const sdkOf = (
  { server, company }: TestInstallation,
  apiKey: string = company.productionKey,
): Relance => new Relance({ apiKey, baseUrl: server.baseUrl })
