import { addDays, type LocalDate } from '../../src/domain/time.ts'
import { forEachAtOnce, pick, type SandboxClient, weighted } from './announced-client.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { Random } from './random.ts'

/** A generated debtor, with what the proof must know of it. */
export interface ProvedDebtor {
  id: string
  zone: string
  /** Opening its page would record a receipt. */
  hasUnknownEmail: boolean
  hasMobile: boolean
  hasPhone: boolean
  hasAddress: boolean
  invoiceIds: string[]
  /** The ids of other debtors with the same telephone number: they are one person. */
  otherRecords: string[]
}

export interface ProvedCompany {
  name: string
  client: SandboxClient
  debtors: ProvedDebtor[]
  debtorOf: Map<string, ProvedDebtor>
  byId: Map<string, ProvedDebtor>
}

interface Profile {
  name: string
  caps: { contactsPerWeek: number; contactsPerMonth: number } | null
  cascades: { name: string; steps: [name: string, day: number][]; applies: Record<string, unknown> }[]
}

/** The built-in fast cascade needs a high score; here a company defines one with the same steps. */
const fast: Profile['cascades'][number] = {
  name: 'as_fast',
  steps: [
    ['email_prise_en_charge', 0],
    ['relance_email_1', 4],
    ['ai_call', 7],
    ['lrar_mise_en_demeure', 10],
    ['ai_call_2', 22],
    ['revue_judiciaire', 30],
  ],
  applies: { debtorTypes: ['business'], minAmountCents: 150_00 },
}

const own: Profile['cascades'][number] = {
  name: 'own_short',
  steps: [
    ['email_prise_en_charge', 0],
    ['sms_reminder', 3],
    ['relance_email_1', 6],
    ['ai_call', 10],
    ['lrar_mise_en_demeure', 15],
    ['email_dernier_avis', 24],
    ['revue_judiciaire', 30],
  ],
  applies: { minAmountCents: 100_00 },
}

export const profiles: readonly Profile[] = [
  { name: 'usual', caps: null, cascades: [] },
  { name: 'one a week', caps: { contactsPerWeek: 1, contactsPerMonth: 3 }, cascades: [] },
  { name: 'fast', caps: { contactsPerWeek: 3, contactsPerMonth: 8 }, cascades: [fast] },
  { name: 'own cascade', caps: { contactsPerWeek: 6, contactsPerMonth: 26 }, cascades: [own] },
]

const places = {
  lyon: { postalCode: '69002', city: 'Lyon', zone: 'Europe/Paris' },
  colmar: { postalCode: '68000', city: 'Colmar', zone: 'Europe/Paris' },
  reunion: { postalCode: '97400', city: 'Saint-Denis', zone: 'Indian/Reunion' },
  guadeloupe: { postalCode: '97110', city: 'Pointe-à-Pitre', zone: 'America/Guadeloupe' },
}

/** Test recipients of the sandbox: docs/sandbox.md. */
const phoneEndings = { bounce: '000001', retry: '000002', unknown: '000003' }

function newDebtor(random: Random, label: string, number: number) {
  const place = places[weighted(random, { lyon: 50, colmar: 18, reunion: 16, guadeloupe: 16 })]
  const mail = weighted(random, { good: 90, bounce: 5, retry: 3, unknown: 2 })
  const phone = weighted(random, { mobile: 62, landline: 15, none: 15, bounce: 4, retry: 2, unknown: 2 })
  const address = weighted(random, { good: 82, none: 13, bounce: 5 })
  const type = weighted(random, { business: 65, consumer: 22, public_body: 13 })
  const own = `${label}-${number}`
  const numbers = {
    mobile: `+336${20_000_009 + 10 * number}`,
    landline: `+334${72_000_009 + 10 * number}`,
    none: null,
    // A hundred of them are different people. Of a large portfolio, some records are one person.
    bounce: `+336${String(number % 100).padStart(2, '0')}${phoneEndings.bounce}`,
    retry: `+336${String(number % 100).padStart(2, '0')}${phoneEndings.retry}`,
    unknown: `+336${String(number % 100).padStart(2, '0')}${phoneEndings.unknown}`,
  }
  return {
    body: {
      name: `Durand ${own} SARL`,
      email: `${mail === 'good' ? '' : `${mail}+`}compta@durand-${own}.example`,
      ...(numbers[phone] !== null && { phone: numbers[phone] }),
      ...(address !== 'none' && { address: `${address === 'bounce' ? 'bounce ' : ''}12 rue Mercière` }),
      postalCode: place.postalCode,
      city: place.city,
      type,
    },
    about: {
      zone: place.zone,
      hasUnknownEmail: mail === 'unknown',
      hasMobile: phone !== 'none' && phone !== 'landline',
      hasPhone: phone !== 'none',
      hasAddress: address !== 'none',
    },
  }
}

const amounts = {
  tiny: [15_00, 99_00],
  small: [100_00, 149_00],
  middle: [150_00, 299_00],
  usual: [300_00, 8_000_00],
} as const

function newInvoices(random: Random, debtorId: string, label: string, start: LocalDate) {
  return Array.from({ length: random.between(1, 6) }, (_, i) => {
    const [low, high] = amounts[weighted(random, { tiny: 15, small: 12, middle: 18, usual: 55 })]
    // A third becomes due while the proof runs.
    const dueDate = addDays(
      start,
      weighted(random, { past: 2, coming: 1 }) === 'past' ? -random.between(1, 240) : random.between(0, 30),
    )
    return {
      invoiceNumber: `${label}-${i + 1}`,
      amountCents: random.between(low, high),
      issueDate: addDays(dueDate, -30),
      dueDate,
      debtor: { id: debtorId },
    }
  })
}

/** A sandbox with its settings, its debtors and their invoices. */
export async function fillCompany(
  installation: ChaosInstallation,
  client: SandboxClient,
  profile: Profile,
  options: { label: string; debtors: number; start: LocalDate; random: Random },
): Promise<ProvedCompany> {
  const { label, debtors: wanted, start, random } = options
  if (profile.caps) await client.done('PUT', '/company', { caps: profile.caps })
  for (const { name, steps, applies } of profile.cascades)
    await client.done('POST', '/cascades', {
      name,
      applies,
      steps: steps.map(([step, day]) => ({ name: step, day })),
    })
  const company: ProvedCompany = {
    name: profile.name,
    client,
    debtors: [],
    debtorOf: new Map(),
    byId: new Map(),
  }
  const planned = Array.from({ length: wanted }, (_, i) => ({ i, ...newDebtor(random, label, i) }))
  const numbers = planned.map(() => random.between(0, 1_000_000))
  await forEachAtOnce(planned, 8, async ({ i, body, about }) => {
    const { id } = await client.done<{ id: string }>('POST', '/debtors', body)
    company.debtors[i] = { id, invoiceIds: [], otherRecords: [], ...about }
  })
  const byPhone = Map.groupBy(planned, ({ body }) => ('phone' in body ? body.phone : undefined))
  byPhone.delete(undefined)
  for (const same of byPhone.values())
    for (const { i } of same)
      company.debtors[i]!.otherRecords = same.flatMap(other =>
        other.i === i ? [] : [company.debtors[other.i]!.id],
      )
  const invoices = company.debtors.flatMap(({ id }, i) =>
    newInvoices(random, id, `${label}-${i}-${numbers[i]}`, start),
  )
  for (const debtor of company.debtors) company.byId.set(debtor.id, debtor)
  const pages = Array.from({ length: Math.ceil(invoices.length / 100) }, (_, i) =>
    invoices.slice(i * 100, (i + 1) * 100),
  )
  await forEachAtOnce(pages, 2, async page => {
    const { results } = await client.done<{ results: { id?: string }[] }>('POST', '/invoices/bulk', {
      invoices: page,
    })
    results.forEach(({ id }, i) => {
      if (id === undefined) throw new Error(`${page[i]!.invoiceNumber} was not imported`)
      const debtor = company.byId.get(page[i]!.debtor.id)!
      debtor.invoiceIds.push(id)
      company.debtorOf.set(id, debtor)
    })
  })
  if (installation.unexpectedExits.length > 0) throw new Error(installation.unexpectedExits.join())
  return company
}

export const pickInvoice = (random: Random, { invoiceIds }: ProvedDebtor): string => pick(random, invoiceIds)
