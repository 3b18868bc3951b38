import type { ChaosInstallation } from './chaos-installation.ts'

export const addressOf = (number: string) => `${number.toLowerCase()}@durand.example`

/** Debtors with one overdue invoice each: their first message is due at once. */
export async function createDebtors(
  installation: ChaosInstallation,
  numbers: readonly string[],
): Promise<void> {
  const invoices = numbers.map(number => ({
    invoiceNumber: number,
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: { name: `Durand ${number}`, email: addressOf(number), postalCode: '69002', city: 'Lyon' },
  }))
  for (let from = 0; from < invoices.length; from += 100) {
    const response = await fetch(`${installation.apiUrls[0]}/api/v1/invoices/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': installation.company.productionKey, 'content-type': 'application/json' },
      body: JSON.stringify({ invoices: invoices.slice(from, from + 100) }),
    })
    if (response.status !== 201) throw new Error(`the import was answered ${response.status}`)
  }
}
