import type { CollectorIdentity } from '../features/access/companies/installation.ts'
import type { Config } from './config.ts'

/** The data that R124-2 and R124-4 of the Code des procédures civiles d'exécution require of a collector for others. */
const collectorSettings = [
  'COLLECTOR_NAME',
  'COLLECTOR_ADDRESS',
  'COLLECTOR_SIREN',
  'COLLECTOR_DECLARED_ON',
  'COLLECTOR_INSURER',
  'COLLECTOR_ACCOUNT',
] as const

/** The settings that are missing for the operator to collect for companies. */
export const missingCollectorSettings = (config: Config): string[] =>
  collectorSettings.filter(name => !config[name])

/** Null: the operator lacks data that a collector must have, so it does not collect for any company. */
export const collectorOf = (config: Config): CollectorIdentity | null =>
  missingCollectorSettings(config).length > 0
    ? null
    : {
        name: config.COLLECTOR_NAME!,
        address: config.COLLECTOR_ADDRESS!,
        siren: config.COLLECTOR_SIREN!,
        countries: config.COLLECTOR_COUNTRIES.split(','),
      }
