import { workbookOf } from '../harness/zip-of.ts'

const megabyte = 1_000_000
/** Excel allows no longer cell. */
const cellLength = 32_700
const titles = 'N° facture;Client;E-mail;Date facture;Échéance;Montant TTC;Adresse;Objet;Statut'

/** A file of invoices whose cells of one column are long and hostile. */
function csvWith(column: number, cell: string): Buffer {
  const lines = [titles]
  for (let n = 0, bytes = 0; bytes < megabyte - Buffer.byteLength(cell); n++) {
    const cells = [`Q-${n}`, 'Petit', 'a@b.fr', '01/09/2026', '01/10/2026', '1,00', '1 rue A', 'Objet', '']
    cells[column] = cell
    lines.push(cells.join(';'))
    bytes += Buffer.byteLength(lines.at(-1)!) + 1
  }
  return Buffer.from(lines.join('\n'))
}

const filled = (unit: string, length = cellLength) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Files of at most a megabyte that once cost more than their size, or try to. */
export async function hostileFiles(): Promise<{ name: string; bytes: Buffer }[]> {
  const shared = filled('x', 32_000)
  const row = (n: number, cells: string) => `<row r="${n + 1}">${cells}</row>`
  const bigCell = '<c t="s"><v>0</v></c>'
  const manyCells = filled('1;', 600)
  return [
    { name: 'addresses of dots', bytes: csvWith(2, `a@${filled('.')}@`) },
    { name: 'addresses of spaces', bytes: csvWith(2, `a${filled(' ')}b`) },
    { name: 'many addresses in a cell', bytes: csvWith(2, filled('a@b.fr, ')) },
    { name: 'names of marks', bytes: csvWith(1, `a${filled('\u0315', 8_000)}${filled('\u0316', 8_000)}`) },
    { name: 'numbers of digits', bytes: csvWith(0, filled('1')) },
    { name: 'amounts of spaces', bytes: csvWith(5, `1${filled(' ')}x`) },
    { name: 'subjects that look like accounts', bytes: csvWith(7, filled('ab12', 490)) },
    { name: 'addresses of short lines', bytes: csvWith(6, `"${filled('a\n', 32_000)}"`) },
    { name: 'a status of words', bytes: csvWith(8, filled('pay ')) },
    { name: 'titles of words', bytes: Buffer.from(`${titles}${`;${filled('a ')}`.repeat(28)}\nQ-1;P`) },
    { name: 'many short rows', bytes: Buffer.from(`${titles}\n${filled('1;\n', megabyte - 200)}`) },
    { name: 'many rows that repeat', bytes: csvWith(8, '') },
    { name: 'many cells', bytes: Buffer.from(`${titles}\n${`${manyCells}\n`.repeat(1_600)}`) },
    { name: 'one quote', bytes: Buffer.from(`${titles}\n"${filled('a;\n', 30_000)}`) },
    {
      name: 'a shared text in many cells',
      bytes: await workbookOf({
        sheets: { A: Array.from({ length: 60 }, (_, n) => row(n, bigCell.repeat(50))).join('') },
        sharedStrings: `<si><t>${shared}</t></si>`,
      }),
    },
    {
      name: 'a format of brackets',
      bytes: await workbookOf({
        sheets: { A: row(0, '<c s="0"><v>1</v></c>') },
        formats: Array.from({ length: 8 }, (_, n) => ({ id: 164 + n, code: filled('[', 100_000) })),
      }),
    },
  ]
}
