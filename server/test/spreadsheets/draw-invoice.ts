import { addDays } from '../../src/domain/time.ts'
import type { Choices } from './choices.ts'
import { drawPhone, drawSiret } from './spellings.ts'

/** What an invoice is, whatever a file makes of it. Absent: the file does not say it. */
export interface TrueInvoice {
  invoiceNumber: string
  amountCents: number
  /** Absent: the currency of the company. */
  currency?: string
  issueDate: string
  dueDate: string
  description?: string
  debtor: {
    name: string
    email: string
    phone?: string
    siret?: string
    address?: string
    postalCode?: string
    city?: string
    country?: string
  }
}

const names = [
  'Durand & Fils',
  'Boulangerie Lefèvre',
  'Café de l’Œuvre',
  'Société « Éclair »',
  'TOTAL Énergies',
  'Menuiserie; Petit',
  'SARL Le Goff, Père et Fils',
  'L’Atelier "Bois"',
  'Garage du Midi',
  'Mairie de Saint-Étienne',
  'ACIER 2000',
  'Cabinet Report',
]
const streets = ['12 rue Mercière', '3 bis, avenue de la République', 'ZA des Prés; lot 4', '1 place d’Armes']
const towns: readonly (readonly [string, string])[] = [
  ['01000', 'Bourg-en-Bresse'],
  ['69003', 'Lyon'],
  ['75011', 'Paris'],
  ['06200', 'Nice'],
  ['42000', 'Saint-Étienne'],
  ['59800', 'Lille'],
]
const objects = ['Conseil de mars', 'Travaux ; lot 2', 'Abonnement 2026', 'Pose d’une cuisine']

/** An invoice with every value, and the text of its telephone number. */
export function drawInvoice(
  choices: Choices,
  n: number,
): { invoice: Required<TrueInvoice>; phoneText: string } {
  const issueDate = addDays('2025-11-01', choices.between(0, 330))
  const numbers = [
    `F-2026-${1000 + n}`,
    `FA${20260 + n}`,
    `2026/${100 + n}`,
    `${4100 + n}`,
    `FC 26-${300 + n}`,
  ]
  const [postalCode, city] = choices.one(towns)
  const { phone, text } = drawPhone(choices)
  const domain = choices.one(['durand', 'le-goff', 'acier2000', 'petit-bois'])
  const invoice = {
    invoiceNumber: choices.one(numbers),
    // Small, usual and large sums, and sums without cents.
    amountCents: choices.one([
      choices.between(100, 99_999),
      choices.between(100_000, 9_999_999),
      choices.between(10_000_000, 250_000_000),
      choices.between(1, 2_000) * 1_000,
    ]),
    currency: 'EUR',
    issueDate,
    dueDate: addDays(issueDate, choices.one([0, 15, 30, 45, 60])),
    description: choices.one(objects),
    debtor: {
      name: choices.one(names),
      email: `compta${choices.between(1, 999)}@${domain}.example`,
      phone,
      siret: drawSiret(choices),
      address: choices.one(streets),
      postalCode,
      city,
      country: 'FR',
    },
  }
  return { invoice, phoneText: text }
}
