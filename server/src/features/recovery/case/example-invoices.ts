/** The invoices used in the examples of events. Their ids and times are consistent, and each recovery ends differently. */
export const paidInTheEnd = {
  invoiceId: '01a19b50-b480-7a31-8c4f-2b6d90e1f357',
  invoiceNumber: 'FA-2026-0412',
  debtorId: '01a19b50-b480-7a32-9d18-6e4a7c35b280',
}

export const takenToCourt = {
  invoiceId: '01a1101e-8cc0-7c19-a2d7-51f8e06b94c3',
  invoiceNumber: 'FA-2026-0287',
  debtorId: '01a1101e-8cc0-7c1a-b6e1-0c9375da28f6',
}

export const givenUp = {
  invoiceId: '019eca14-7980-7e08-85b9-d34c61a7f02e',
  invoiceNumber: 'FA-2026-0139',
  debtorId: '019eca14-7980-7e09-9a06-7be218c04d93',
}
