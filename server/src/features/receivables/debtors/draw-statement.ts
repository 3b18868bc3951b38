import type { AccountStatement } from '../../../domain/money/account-statement.ts'
import { colours, fullWidth, left, openSheet, type Style } from '../../../kit/pdf/tagged-sheet.ts'
import { englishLabels } from '../../recovery/messages/compose/texts/english-blocks.ts'
import { frenchLabels } from '../../recovery/messages/compose/texts/french-blocks.ts'
import { accountTotals, standingOf } from '../../recovery/messages/compose/texts/layout.ts'
import { partyOnOneLine } from '../../recovery/messages/compose/texts/template-writer.ts'
import { sumOf } from '../../recovery/workflow/attestation/draw-attestation.ts'

export interface ShownStatement {
  language: 'fr' | 'en'
  isSandbox: boolean
  madeAt: number
  creditor: {
    name: string
    address: string | null
    siren: string | null
    legalForm: string | null
    rcs: string | null
  }
  debtor: { name: string; address: string | null }
  account: AccountStatement
}

const french = {
  title: 'Relevé de compte',
  sandbox: 'Environnement de test\u00a0: document sans valeur.',
  on: (day: string) => `Au ${day}`,
  creditor: 'Créancier\u00a0: ',
  debtor: 'Client\u00a0: ',
  nothing: 'Aucune facture n’est ouverte.',
  page: (number: number, total: number) => `Page ${number} sur ${total}`,
}
const english: typeof french = {
  title: 'Statement of account',
  sandbox: 'Test environment: this document has no value.',
  on: day => `On ${day}`,
  creditor: 'Creditor: ',
  debtor: 'Customer: ',
  nothing: 'No invoice is open.',
  page: (number, total) => `Page ${number} of ${total}`,
}

const body: Style = { size: 9.5 }
const quiet: Style = { size: 8.5, colour: colours.muted }
const cell: Style = { size: 8 }
const widths = [92, 56, 56, 99, 64, 60, 64]

/** Everything that is open, on A4. It asks for nothing: it says what is owed, and what is not asked for. */
export async function drawStatement(statement: ShownStatement): Promise<Buffer> {
  const { language, account, creditor, debtor } = statement
  const texts = language === 'fr' ? french : english
  const labels = language === 'fr' ? frenchLabels : englishLabels
  const sheet = await openSheet({
    title: texts.title,
    lang: language === 'fr' ? 'fr-FR' : 'en-GB',
    madeAt: statement.madeAt,
  })
  const write = (text: string, style: Style, above = 4) =>
    sheet.write('P', text, style, { x: left, y: sheet.y + above, width: fullWidth })
  if (statement.isSandbox) write(texts.sandbox, body, 0)
  sheet.write('H1', texts.title, { size: 20, font: 'bold' }, { x: left, y: sheet.y + 4, width: fullWidth })
  write(texts.on(labels.date(account.on)), body)
  write(texts.creditor + partyOnOneLine(creditor).replaceAll('\n', ', '), body, 10)
  write(texts.debtor + partyOnOneLine(debtor).replaceAll('\n', ', '), body)
  sheet.moveTo(sheet.y + 10)
  const shown = (cents: number, currency: string) => sumOf(cents, currency, language)
  const { standing, amount, paid, open, leftOut, note } = labels.account
  const last = account.lines.at(-1)
  if (last) {
    const titles = [labels.invoice, labels.issuedOn, labels.dueOn, standing, amount, paid, open]
    sheet.table(
      titles.map((title, i) => ({
        title,
        width: widths[i]!,
        ...(i > 3 && { style: { align: 'right' as const } }),
      })),
      account.lines.map(line => [
        line.number,
        labels.date(line.issueDate),
        labels.date(line.dueDate),
        standingOf(line, labels),
        shown(line.amountCents, line.currency),
        shown(line.paidCents, line.currency),
        shown(line.balanceCents, line.currency),
      ]),
      cell,
    )
    for (const [label, sum] of accountTotals(account, labels, shown)) {
      sheet.keepTogether(16)
      write(`${label} ${sum}`, { ...body, font: 'bold', align: 'right' }, 6)
    }
    write(note, quiet, 10)
    if (account.leftOut > 0) write(leftOut(account.leftOut, labels.date(last.dueDate)), body)
  } else write(texts.nothing, body)
  return sheet.close((page, pages) => [texts.title, texts.page(page, pages)])
}
