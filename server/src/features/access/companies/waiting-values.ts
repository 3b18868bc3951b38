import type { Mediator } from './mediator.ts'
import { mediatorIn, mediatorValue, payoutColumns, type WaitingField } from './payout-fields.ts'
import { defaultSettings, type Settings } from './settings.ts'

export const mediatorOf = ({
  mediator_name: name,
  mediator_address,
  mediator_website: website,
}: Settings): Mediator | null =>
  name === null || website === null ? null : { name, address: mediator_address, website }

/** The value that applies now. `logo`: the picture in base64, where it matters. */
export function waitingValue(
  { settings, logo = null }: { settings: Settings | null; logo?: string | null },
  field: WaitingField,
): string | null {
  if (field === 'logo') return logo
  const current = settings ?? defaultSettings
  return field === 'mediator' ? mediatorValue(mediatorOf(current)) : current[payoutColumns[field]]
}

/** The settings with another value. The logo is no setting: it is stored apart. */
export function withWaitingValue(settings: Settings, field: WaitingField, value: string | null): Settings {
  if (field === 'logo') return settings
  if (field !== 'mediator') return { ...settings, [payoutColumns[field]]: value }
  const [name, address, website] = value === null ? [null, null, null] : mediatorIn(value)
  return { ...settings, mediator_name: name, mediator_address: address, mediator_website: website }
}
