export const channels = ['email', 'sms', 'lrar', 'voice'] as const

export type Channel = (typeof channels)[number]
