export const channels = ['email', 'sms', 'lrar', 'voice'] as const

export type Channel = (typeof channels)[number]

/** The channels that use an email address, and those that use a telephone number. */
export const channelsOf: Record<'email' | 'phone', readonly Channel[]> = {
  email: ['email'],
  phone: ['sms', 'voice'],
}

/** Why a channel is closed at an address. `refused`: a message to it came back, or its provider refused it for good. */
export const closedBecauses = ['opt_out', 'wrong_person', 'erased', 'refused'] as const
export type ClosedBecause = (typeof closedBecauses)[number]
