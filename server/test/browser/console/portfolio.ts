import { until } from '../../chaos/until.ts'
import { advanceTo } from './drawn-debtors.ts'
import type { Console } from './use-console.ts'

export interface Portfolio {
  /** A debtor with a past, a future and several invoices. */
  readonly debtor: string
  /** Its oldest invoice. */
  readonly invoice: string
  /** A debtor who owes nothing, and an invoice of which nothing has begun. */
  readonly emptyDebtor: string
  readonly emptyInvoice: string
  /** One that waits for a promise, and one in dispute. */
  readonly promised: string
  readonly disputed: string
  /** The debtor of the one in dispute. */
  readonly disputing: string
  /** An import in review, with a line that is refused. */
  readonly imported: string
}

type Invoice = readonly [number: string, cents: number, dueDate: string]
interface Line {
  readonly name: string
  readonly postalCode?: string
  readonly city?: string
  readonly phone?: string | null
  readonly type?: 'business' | 'consumer'
  readonly invoices: readonly Invoice[]
}

const lines: readonly Line[] = [
  {
    name: 'Durand et Filles SARL',
    postalCode: '68000',
    city: 'Colmar',
    invoices: [
      ['F-2026-0142', 480_000, '2026-09-12'],
      ['F-2026-0171', 1_248_000, '2026-09-28'],
      ['F-2026-0203', 96_050, '2026-10-20'],
    ],
  },
  { name: 'Boulangerie Petit', invoices: [['F-2026-0150', 120_350, '2026-09-18']] },
  { name: 'Garage Lemoine', phone: null, invoices: [['F-2026-0155', 94_800, '2026-09-22']] },
  {
    name: 'Rhum & Vanille SAS',
    postalCode: '97400',
    city: 'Saint-Denis',
    invoices: [
      ['F-2026-0158', 732_000, '2026-09-24'],
      ['F-2026-0199', 215_000, '2026-10-15'],
    ],
  },
  { name: 'Menuiserie Robert', invoices: [['F-2026-0160', 56_000, '2026-09-25']] },
  { name: 'Claire Fontaine', type: 'consumer', invoices: [['F-2026-0163', 18_900, '2026-09-26']] },
  { name: 'Ateliers de la Saône', invoices: [['F-2026-0166', 2_310_000, '2026-09-27']] },
  { name: 'Imprimerie Nouvelle', invoices: [['F-2026-0180', 64_200, '2026-10-02']] },
  { name: 'Transports Vidal', invoices: [['F-2026-0188', 388_000, '2026-10-06']] },
  { name: 'Pharmacie du Marché', invoices: [['F-2026-0210', 41_000, '2026-10-28']] },
  { name: 'Cabinet Roux et Associés', invoices: [['F-2026-0214', 150_000, '2026-11-30']] },
]

const file = [
  'N° pièce;Client;Courriel;Date;Échéance;TTC',
  'A-001;Menuiserie Lefèvre;compta@lefevre.example;01/09/2026;01/10/2026;1 234,56',
  'A-002;Scierie du Jura;compta@scierie.example;02/09/2026;02/10/2026;',
].join('\n')

/** Three weeks of a small company, in its sandbox: it is Monday 16 November 2026, a quarter to nine. */
export async function fillSandbox(console: Console): Promise<Portfolio> {
  const call = (method: string, path: string, body?: unknown) =>
    console.installation.call<{ id: string; debtor: { id: string } }>(method, `/api/v1${path}`, {
      key: console.martin.sandboxKey,
      ...(body !== undefined && { body }),
    })
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  await advanceTo(call as never, '2026-10-12')
  const made: Record<string, { debtor: string; invoices: string[] }> = {}
  for (const [i, { name, invoices, ...line }] of lines.entries()) {
    const about = {
      name,
      email: `compta@${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`,
      phone: `+336${20_000_009 + 10 * i}`,
      address: `${i + 3} rue Mercière`,
      postalCode: '69002',
      city: 'Lyon',
      type: 'business',
      ...line,
    }
    const ids: string[] = []
    let debtor = ''
    for (const [invoiceNumber, amountCents, dueDate] of invoices) {
      const issueDate = new Date(Date.parse(dueDate) - 30 * 86_400_000).toISOString().slice(0, 10)
      const answer = await done('POST', '/invoices', {
        invoiceNumber,
        amountCents,
        issueDate,
        dueDate,
        debtor: debtor ? { id: debtor } : about,
      })
      debtor = answer.debtor.id
      ids.push(answer.id)
    }
    made[name] = { debtor, invoices: ids }
  }
  const first = (name: string) => made[name]!.invoices[0]!
  await advanceTo(call as never, '2026-11-05')
  await done('POST', '/sandbox/simulate/payment', {
    invoiceId: first('Durand et Filles SARL'),
    amountCents: 150_000,
  })
  await done('POST', `/invoices/${first('Menuiserie Robert')}/promise`, {
    date: '2026-11-20',
    amountCents: 56_000,
  })
  await done('POST', `/invoices/${first('Ateliers de la Saône')}/dispute`, {
    reason: 'Deux palettes manquent',
  })
  await done('POST', `/debtors/${made['Transports Vidal']!.debtor}/pause`, {
    reason: 'Accord commercial en cours',
  })
  await done('POST', '/sandbox/simulate/bounced', { invoiceId: first('Garage Lemoine') })
  await advanceTo(call as never, '2026-11-16')
  const empty = await done('POST', '/debtors', {
    name: 'Librairie des Quais',
    email: 'bonjour@quais.example',
    postalCode: '69002',
    city: 'Lyon',
  })
  const { server } = console.installation
  const uploaded = await fetch(`${server.baseUrl}/api/v1/tasks/import?fileName=balance.csv&language=fr`, {
    method: 'POST',
    headers: { 'x-api-key': console.martin.sandboxKey, 'content-type': 'text/csv' },
    body: file,
  })
  const { data: task } = (await uploaded.json()) as { data: { id: string } }
  const isRead = async () => (await call('GET', `/tasks/${task.id}`)).text.includes('"status":"review"')
  if ((await until(isRead, 20_000)) === null) throw new Error('the file was not read')
  return {
    imported: task.id,
    debtor: made['Durand et Filles SARL']!.debtor,
    invoice: first('Durand et Filles SARL'),
    emptyDebtor: empty.id,
    emptyInvoice: first('Cabinet Roux et Associés'),
    promised: first('Menuiserie Robert'),
    disputed: first('Ateliers de la Saône'),
    disputing: made['Ateliers de la Saône']!.debtor,
  }
}
