import type { Publisher } from '../features/access/companies/installation.ts'
import { type Config, ConfigError } from './config.ts'

/** What a public site says of who runs it and where: art. 1-1 of the loi 2004-575 (LCEN), formerly art. 6, III. */
export const publisherSettings = [
  'OPERATOR_NAME',
  'OPERATOR_ADDRESS',
  'OPERATOR_TELEPHONE',
  'OPERATOR_REGISTRATION',
  'OPERATOR_DIRECTOR',
  'HOST_NAME',
  'HOST_ADDRESS',
  'HOST_TELEPHONE',
] as const

// For development only: nobody is named.
const sample = 'Relance (développement)'

/** Who runs this installation and who hosts it. Production refuses to start without them. */
export function publisherOf(config: Config): Publisher {
  const missing = publisherSettings.filter(name => !config[name])
  if (missing.length > 0 && config.RELANCE_ENV === 'production')
    throw new ConfigError(
      `${missing.join(', ')} must be set: the law wants the publisher and the host named on every public page`,
    )
  const settingOf = (name: (typeof publisherSettings)[number]) => config[name] || sample
  return {
    operator: {
      name: settingOf('OPERATOR_NAME'),
      address: settingOf('OPERATOR_ADDRESS'),
      telephone: settingOf('OPERATOR_TELEPHONE'),
      registration: settingOf('OPERATOR_REGISTRATION'),
      director: settingOf('OPERATOR_DIRECTOR'),
    },
    host: {
      name: settingOf('HOST_NAME'),
      address: settingOf('HOST_ADDRESS'),
      telephone: settingOf('HOST_TELEPHONE'),
    },
  }
}
