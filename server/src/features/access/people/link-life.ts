const hour = 3_600_000

export const linkLifeMs = { verify_email: 24 * hour, reset_password: hour } as const

/** What a link in a mail is for. */
export type LinkPurpose = keyof typeof linkLifeMs
