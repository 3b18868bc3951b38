import type { Mediator } from '../../../../access/companies/mediator.ts'
import { type Block, paragraph, type Row } from './block.ts'
import type { Labels } from './labels.ts'
import { type StatementTexts, statementBlock } from './late-payment-statement.ts'
import { alsoOpenBlock, hasAnnex, invoiceAnnex, invoiceCard, invoiceList, listedMax } from './layout.ts'
import type {
  Collector,
  CollectorLetter,
  MessageContent,
  Template,
  TemplateValues,
} from './message-content.ts'

export type By = 'email' | 'lrar'

/** The texts of one step, in one language. */
interface StepTexts {
  /** Left out: an email. */
  by?: By
  subject: (values: TemplateValues) => string
  isSubjectFixed?: true
  opening: (values: TemplateValues) => string
  /** What the message asks for. */
  ask: (content: MessageContent) => (Block | null)[]
  /** Other ways to answer. */
  after: (content: MessageContent) => (Block | null)[]
  /** The data protection notice: in full if the message may be the first that the debtor reads. */
  data: 'full' | 'short'
  labels?: Labels
  /** The figure that is shown first, if it is not the sum to pay. */
  headline?: (content: MessageContent) => Row | undefined
  /** Replaces the usual link in a message that asks for nothing; there the link comes last. */
  link?: (content: MessageContent) => Block
}

/** The parts that every email and letter of a language has. */
interface LanguageFrame {
  labels: Labels
  statement: StatementTexts
  salutation: Record<By, string>
  /** Matches a company's own opening that starts with a greeting. */
  greeting: RegExp
  closing: Record<By, string>
  /** Matches a last paragraph of a person that takes leave. */
  farewell: RegExp
  link: (content: MessageContent, by: By) => Block
  /** The account to which a transfer goes; null where there is none. */
  payment: (content: MessageContent) => Block | null
  /** The first question to a public body: whether the invoice reached it. */
  chorus: (content: MessageContent) => string
  mandate: {
    title: string
    rows: (content: MessageContent, collector: Collector) => readonly Row[]
    source: string
    /** The quoted law in the language of the message, where that is not French. */
    inShort?: string
  }
  data: Record<StepTexts['data'], (content: MessageContent) => Block>
  /** The sender: the name first, then the contact details. */
  signature: (content: MessageContent) => readonly string[]
  /** The only place where the software is named. */
  footer: string
}

// The second and third paragraphs, quoted word for word, in every language, as the law requires.
const lawOnCosts = [
  '«\u00a0Les frais de recouvrement entrepris sans titre exécutoire restent à la charge du créancier, sauf s’ils concernent un acte dont l’accomplissement est prescrit par la loi au créancier. Toute stipulation contraire est réputée non écrite, sauf disposition législative contraire.',
  'Cependant, le créancier qui justifie du caractère nécessaire des démarches entreprises pour recouvrer sa créance peut demander au juge de l’exécution de laisser tout ou partie des frais ainsi exposés à la charge du débiteur de mauvaise foi.\u00a0»',
]

// Art. R124-4 C. pr. civ. d'exécution requires: the collector and the creditor; what the invoice was for; the sums and how to
// pay (in the blocks above); the text of art. L111-8; and in every later contact the reference and the day of the first one.
const mandateOf = (content: MessageContent, { mandate }: LanguageFrame): Block[] =>
  content.collector === null
    ? []
    : [
        { kind: 'facts', title: mandate.title, rows: mandate.rows(content, content.collector) },
        {
          kind: 'law',
          source: mandate.source,
          paragraphs: mandate.inShort === undefined ? lawOnCosts : [...lawOnCosts, mandate.inShort],
        },
      ]

const statementOf = (content: MessageContent, frame: LanguageFrame): Block | null =>
  content.statement && statementBlock(content.statement, frame.labels, frame.statement, hasAnnex(content))

/** First the debt and what the debtor can do about it, then the reasons. */
function asked(frame: LanguageFrame, texts: StepTexts, by: By, content: MessageContent): (Block | null)[] {
  const labels = texts.labels ?? frame.labels
  const card = invoiceCard(content, labels)
  const list = invoiceList(content, labels)
  const link = frame.link(content, by)
  const payment = frame.payment(content)
  const chorus = content.debtor.usesChorus ? paragraph(frame.chorus(content)) : null
  const statement = statementOf(content, frame)
  return by === 'lrar'
    ? // The sum, the account and the code are on the front of the first sheet.
      [card, ...texts.ask(content), payment, link, chorus, list, statement]
    : // The button is on the first screen of a phone.
      [card, link, list, ...texts.ask(content), chorus, statement, payment]
}

function answered(
  frame: LanguageFrame,
  texts: StepTexts,
  link: NonNullable<StepTexts['link']>,
  content: MessageContent,
): (Block | null)[] {
  const labels = texts.labels ?? frame.labels
  return [
    content.invoices.length === 1 ? invoiceCard(content, labels, texts.headline?.(content)) : null,
    content.isNothingAsked ? null : invoiceList(content, labels),
    ...texts.ask(content),
    content.isNothingAsked ? paragraph(labels.nothingAsked) : null,
    statementOf(content, frame),
    link(content),
  ]
}

export const templateWriter =
  (frame: LanguageFrame) =>
  (texts: StepTexts): Template => {
    const by = texts.by ?? 'email'
    return {
      subject: texts.subject,
      opening: texts.opening,
      ...(texts.isSubjectFixed && { isSubjectFixed: true }),
      blocks: (content, opening) => [
        frame.greeting.test(opening) ? null : paragraph(frame.salutation[by]),
        paragraph(opening),
        ...(content.words?.paragraphs.slice(1) ?? []).map(paragraph),
        ...(texts.link ? answered(frame, texts, texts.link, content) : asked(frame, texts, by, content)),
        ...texts.after(content),
        alsoOpenBlock(content, frame.labels),
        frame.farewell.test(content.words?.paragraphs.at(-1) ?? '') ? null : paragraph(frame.closing[by]),
        { kind: 'signature', lines: frame.signature(content) },
        ...mandateOf(content, frame),
        frame.data[texts.data](content),
        { kind: 'small', title: null, text: frame.footer },
        invoiceAnnex(content, texts.labels ?? frame.labels),
      ],
    }
  }

/** Each first letter about an invoice of the message. */
export const letterRows = (
  { letters }: Collector,
  label: string,
  textOf: (letter: CollectorLetter) => string,
): Row[] => letters.map(letter => [label, textOf(letter)])

/** What each invoice was for, where the creditor said it; of a long list the first ones. */
export const purposeRows = ({ invoices }: MessageContent, { invoice }: Labels): Row[] =>
  invoices
    .slice(0, listedMax)
    .flatMap(({ number, description }) =>
      description ? [[`${invoice} ${number}`, description] as const] : [],
    )

interface Party {
  name: string
  address: string | null
  siren?: string | null
  legalForm?: string | null
  /** The town of the trade register. */
  rcs?: string | null
}

/** Nine digits in groups of three, without line breaks between them. */
const sirenInGroups = (siren: string) => `SIREN\u00a0${siren.replaceAll(/(\d{3})(?=\d)/g, '$1\u00a0')}`

/** As art. R123-237 C. com. requires: the number, then the town of the register. */
export const registrationOf = ({ siren, rcs }: Pick<Party, 'siren' | 'rcs'>): string =>
  [...(siren ? [sirenInGroups(siren)] : []), ...(rcs ? [`RCS\u00a0${rcs}`] : [])].join(' ')

export const partyLines = ({ name, legalForm = null, address, ...registered }: Party): string[] =>
  [name, legalForm, address, registrationOf(registered) || null].filter(line => line !== null)

export const partyOnOneLine = (party: Party): string => partyLines(party).join(', ')

/** How to reach a mediator. */
export const mediatorRows = (
  { name, address, website }: Mediator,
  labels: Record<keyof Mediator, string>,
): Row[] => [
  [labels.name, name],
  ...(address === null ? [] : [[labels.address, address] as const]),
  ...(website === null ? [] : [[labels.website, website] as const]),
]

/** `+33 4 78 00 00 00`, grouped as in France; other numbers as they are stored. */
export const shownTelephone = (telephone: string): string =>
  telephone.replace(/^(\+33)(\d)(\d{2})(\d{2})(\d{2})(\d{2})$/, '$1\u00a0$2\u00a0$3\u00a0$4\u00a0$5\u00a0$6')
