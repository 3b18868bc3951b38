import { type Block, paragraph, type Row } from './block.ts'
import { alsoOpenBlock, invoiceBlock, type Labels } from './layout.ts'
import type { Notice, Said, Template } from './notice.ts'
import { type StatementWords, statementBlock } from './statement.ts'

/** The words of one step, in one language. */
interface Written {
  subject: (said: Said) => string
  isSubjectFixed?: true
  opening: (said: Said) => string
  /** What is asked. */
  ask: (notice: Notice) => (Block | null)[]
  /** How to pay or answer otherwise. */
  after: (notice: Notice) => (Block | null)[]
  /** In full where the message may be the first that is read. */
  data: 'full' | 'short'
  labels?: Labels
  /** Where nothing is asked the link comes last. */
  link?: (notice: Notice) => Block
}

/** What every email and letter of a language has. */
interface Frame {
  labels: Labels
  statement: StatementWords
  link: (notice: Notice) => Block
  mandate: { title: string; rows: (notice: Notice, collector: Collector) => readonly Row[]; source: string }
  data: Record<Written['data'], (notice: Notice) => Block>
  signature: (by: string, creditor: string) => string
}

type Collector = NonNullable<Notice['collector']>

// Reproduced as it stands, in every language: it is the law that wants it so.
const lawOnCosts =
  "« Les frais de recouvrement entrepris sans titre exécutoire restent à la charge du créancier, sauf s'ils concernent un acte dont l'accomplissement est prescrit par la loi au créancier. Toute stipulation contraire est réputée non écrite, sauf disposition législative contraire. Cependant, le créancier qui justifie du caractère nécessaire des démarches entreprises pour recouvrer sa créance peut demander au juge de l'exécution de laisser tout ou partie des frais ainsi exposés à la charge du débiteur de mauvaise foi. »"

// Art. R124-4 C. pr. civ. d'exécution: who recovers, and for whom; the basis, the sums and how to pay stand above; the text of
// art. L111-8; and in every later letter the first one.
const mandateOf = (notice: Notice, { mandate }: Frame): Block[] =>
  notice.collector === null
    ? []
    : [
        { kind: 'facts', title: mandate.title, rows: mandate.rows(notice, notice.collector) },
        { kind: 'law', source: mandate.source, text: lawOnCosts },
      ]

export const writer =
  (frame: Frame) =>
  (words: Written): Template => ({
    subject: words.subject,
    opening: words.opening,
    ...(words.isSubjectFixed && { isSubjectFixed: true }),
    blocks: (notice, opening) => [
      paragraph(`${notice.debtor.name},`),
      paragraph(opening),
      invoiceBlock(notice, words.labels ?? frame.labels),
      // What to do is seen on the first screen of a phone, before anything is explained.
      words.link ? null : frame.link(notice),
      ...words.ask(notice),
      notice.statement && statementBlock(notice.statement, frame.labels, frame.statement),
      words.link ? words.link(notice) : null,
      ...words.after(notice),
      alsoOpenBlock(notice, frame.labels),
      ...mandateOf(notice, frame),
      frame.data[words.data](notice),
      {
        kind: 'signature',
        text: frame.signature(notice.collector?.name ?? 'Relance', notice.creditor.name),
      },
    ],
  })

export const partyOnOneLine = ({ name, address }: { name: string; address: string | null }): string =>
  address === null ? name : `${name}, ${address}`
