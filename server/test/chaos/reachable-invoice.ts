/** An overdue invoice of a debtor that can be reached on every channel. */
export const reachableInvoice = (number: string, serial: string, phone: string, house: number) => ({
  invoiceNumber: number,
  amountCents: 120_000,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: {
    name: `Durand ${serial} SARL`,
    email: `compta${serial}@durand.example`,
    phone,
    address: `${house} rue Haute`,
    postalCode: '69002',
    city: 'Lyon',
  },
})
