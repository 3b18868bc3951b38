export const debtorTypes = ['business', 'consumer', 'public_body'] as const
export type DebtorType = (typeof debtorTypes)[number]
