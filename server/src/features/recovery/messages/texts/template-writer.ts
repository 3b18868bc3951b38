import { type Block, paragraph, type Row } from './block.ts'
import { type StatementTexts, statementBlock } from './late-payment-statement.ts'
import { alsoOpenBlock, invoiceBlock, type Labels } from './layout.ts'
import type { MessageContent, Template, TemplateValues } from './message-content.ts'

/** The texts of one step, in one language. */
interface StepTexts {
  subject: (values: TemplateValues) => string
  isSubjectFixed?: true
  opening: (values: TemplateValues) => string
  /** What the message asks for. */
  ask: (content: MessageContent) => (Block | null)[]
  /** Other ways to pay or answer. */
  after: (content: MessageContent) => (Block | null)[]
  /** The data protection notice: in full if the message may be the first that the debtor reads. */
  data: 'full' | 'short'
  labels?: Labels
  /** Replaces the usual link in a message that asks for nothing; there the link comes last. */
  link?: (content: MessageContent) => Block
}

/** The parts that every email and letter of a language has. */
interface LanguageFrame {
  labels: Labels
  statement: StatementTexts
  link: (content: MessageContent) => Block
  /** The first question to a public body: whether the invoice reached it. */
  chorus: (content: MessageContent) => string
  mandate: {
    title: string
    rows: (content: MessageContent, collector: Collector) => readonly Row[]
    source: string
  }
  data: Record<StepTexts['data'], (content: MessageContent) => Block>
  signature: (by: string, creditor: string) => string
}

type Collector = NonNullable<MessageContent['collector']>

// Quoted word for word, in every language, as the law requires.
const lawOnCosts =
  "« Les frais de recouvrement entrepris sans titre exécutoire restent à la charge du créancier, sauf s'ils concernent un acte dont l'accomplissement est prescrit par la loi au créancier. Toute stipulation contraire est réputée non écrite, sauf disposition législative contraire. Cependant, le créancier qui justifie du caractère nécessaire des démarches entreprises pour recouvrer sa créance peut demander au juge de l'exécution de laisser tout ou partie des frais ainsi exposés à la charge du débiteur de mauvaise foi. »"

// Art. R124-4 C. pr. civ. d'exécution requires: the collector and the creditor; the basis, the sums and how to pay (in the
// blocks above); the text of art. L111-8; and in every later letter a reference to the first one.
const mandateOf = (content: MessageContent, { mandate }: LanguageFrame): Block[] =>
  content.collector === null
    ? []
    : [
        { kind: 'facts', title: mandate.title, rows: mandate.rows(content, content.collector) },
        { kind: 'law', source: mandate.source, text: lawOnCosts },
      ]

export const templateWriter =
  (frame: LanguageFrame) =>
  (texts: StepTexts): Template => ({
    subject: texts.subject,
    opening: texts.opening,
    ...(texts.isSubjectFixed && { isSubjectFixed: true }),
    blocks: (content, opening) => [
      paragraph(`${content.debtor.name},`),
      paragraph(opening),
      invoiceBlock(content, texts.labels ?? frame.labels),
      // The link is visible on the first screen of a phone, before any explanation.
      texts.link ? null : frame.link(content),
      ...texts.ask(content),
      // Only where something is asked for.
      content.debtor.usesChorus && !texts.link ? paragraph(frame.chorus(content)) : null,
      content.statement && statementBlock(content.statement, frame.labels, frame.statement),
      texts.link ? texts.link(content) : null,
      ...texts.after(content),
      alsoOpenBlock(content, frame.labels),
      ...mandateOf(content, frame),
      frame.data[texts.data](content),
      {
        kind: 'signature',
        text: frame.signature(content.collector?.name ?? 'Relance', content.creditor.name),
      },
    ],
  })

export const partyOnOneLine = ({ name, address }: { name: string; address: string | null }): string =>
  address === null ? name : `${name}, ${address}`
