import type { LocalDate } from '../../../../domain/time.ts'
import { colours, fullWidth, left, openSheet, type Style } from '../../../../kit/pdf/tagged-sheet.ts'
import type { CollectorIdentity } from '../../../access/companies/installation.ts'
import { partyOnOneLine } from '../../messages/compose/texts/template-writer.ts'
import { slashed } from '../attestation/attestation-texts.ts'
import { sumOf } from '../attestation/draw-attestation.ts'

export interface ShownClaimList {
  id: string
  acceptedOn: LocalDate
  acceptedBy: string
  madeAt: number
  language: 'fr' | 'en'
  isSandbox: boolean
  creditor: {
    name: string
    address: string | null
    siren: string | null
    legalForm: string | null
    rcs: string | null
  }
  /** Null: no mandate is on record now. */
  mandate: { collector: CollectorIdentity; signedOn: LocalDate; reference: string } | null
  claims: readonly {
    number: string
    debtor: string
    dueOn: LocalDate
    currency: string
    principalCents: number
    indemnityCents: number
    interestCents: number
  }[]
}

const french = {
  title: 'Liste des créances à recouvrer',
  sandbox: 'Environnement de test\u00a0: document sans valeur.',
  accepted: (on: string, by: string) => `Acceptée le ${on} par ${by}`,
  creditor: 'Créancier\u00a0: ',
  collector: 'Chargé du recouvrement\u00a0: ',
  mandate: (on: string, reference: string) => `Mandat du ${on}, référence ${reference}`,
  basis: (on: string) =>
    `Sommes dues au ${on}, sans frais de recouvrement. Principal\u00a0: ce qui reste dû de chaque facture. Indemnité et intérêts\u00a0: art. L441-10, II du Code de commerce\u00a0; art. L2192-13 du Code de la commande publique pour une personne publique.`,
  columns: ['Facture', 'Débiteur', 'Échéance', 'Principal', 'Indemnité', 'Intérêts', 'Total'],
  total: 'Total',
  signature: 'Pour le créancier, date et signature\u00a0:',
  page: (number: number, total: number) => `Page ${number} sur ${total}`,
}
const english: typeof french = {
  title: 'List of claims to recover',
  sandbox: 'Test environment: this document has no value.',
  accepted: (on, by) => `Accepted on ${on} by ${by}`,
  creditor: 'Creditor: ',
  collector: 'Recovery by: ',
  mandate: (on, reference) => `Mandate of ${on}, reference ${reference}`,
  basis: on =>
    `Sums owed on ${on}, without costs of recovery. Principal: what is still owed of each invoice. Compensation and interest: art. L441-10, II of the French Commercial Code; art. L2192-13 of the French Public Procurement Code for a public body.`,
  columns: ['Invoice', 'Debtor', 'Due', 'Principal', 'Compensation', 'Interest', 'Total'],
  total: 'Total',
  signature: 'For the creditor, date and signature:',
  page: (number, total) => `Page ${number} of ${total}`,
}

const body: Style = { size: 9.5 }
const quiet: Style = { size: 8.5, colour: colours.muted }
const cell: Style = { size: 7.5 }
const widths = [82, 109, 52, 64, 60, 60, 64]

/** The list on paper, for the file of the mandate: A4, tagged, in the company's language, with room for a signature. */
export async function drawClaimList(list: ShownClaimList): Promise<Buffer> {
  const texts = list.language === 'fr' ? french : english
  const { creditor, mandate, claims } = list
  const sheet = await openSheet({
    title: `${texts.title} ${list.id}`,
    lang: list.language === 'fr' ? 'fr-FR' : 'en-GB',
    madeAt: list.madeAt,
  })
  const write = (text: string, style: Style, above = 4) =>
    sheet.write('P', text, style, { x: left, y: sheet.y + above, width: fullWidth })
  if (list.isSandbox) write(texts.sandbox, body, 0)
  sheet.write('H1', texts.title, { size: 20, font: 'bold' }, { x: left, y: sheet.y + 4, width: fullWidth })
  const day = slashed(list.acceptedOn)
  write(texts.accepted(day, list.acceptedBy), body)
  write(texts.creditor + partyOnOneLine(creditor).replaceAll('\n', ', '), body, 10)
  if (mandate) {
    write(texts.collector + partyOnOneLine(mandate.collector), body)
    write(texts.mandate(slashed(mandate.signedOn), mandate.reference), body)
  }
  write(texts.basis(day), quiet, 10)
  sheet.moveTo(sheet.y + 10)
  type Sums = Pick<(typeof claims)[number], 'principalCents' | 'indemnityCents' | 'interestCents'>
  const sumsOf = ({ principalCents, indemnityCents, interestCents }: Sums, currency: string) =>
    [principalCents, indemnityCents, interestCents, principalCents + indemnityCents + interestCents].map(
      cents => sumOf(cents, currency, list.language),
    )
  const totalOf = (of: readonly Sums[], part: keyof Sums) => of.reduce((sum, one) => sum + one[part], 0)
  const totals = [...new Set(claims.map(({ currency }) => currency))].map(currency => {
    const of = claims.filter(claim => claim.currency === currency)
    const sums = {
      principalCents: totalOf(of, 'principalCents'),
      indemnityCents: totalOf(of, 'indemnityCents'),
      interestCents: totalOf(of, 'interestCents'),
    }
    return [texts.total, '', '', ...sumsOf(sums, currency)]
  })
  sheet.table(
    texts.columns.map((title, i) => ({
      title,
      width: widths[i]!,
      ...(i > 2 && { style: { align: 'right' as const } }),
    })),
    claims.map(claim => [claim.number, claim.debtor, slashed(claim.dueOn), ...sumsOf(claim, claim.currency)]),
    cell,
    totals,
  )
  sheet.keepTogether(80)
  write(texts.signature, body, 16)
  return sheet.close((page, pages) => [`${texts.title} ${list.id}`, texts.page(page, pages)])
}
