import type { DebtorType } from '../../../../domain/debtor-type.ts'
import { replyTextDaysMax } from '../../../../domain/retention.ts'
import { shownTelephone } from '../../../recovery/messages/compose/texts/template-writer.ts'
import {
  has,
  type NoticeFacts,
  type NoticeSection,
  providersOutsideEu,
  shownProvider,
  type Use,
} from '../notice-facts.ts'

/** Art. L110-4 C. com., art. L218-2 C. conso., loi 68-1250. */
const limitation: Record<DebtorType, string> = {
  business: 'five years between businesses',
  consumer: 'two years for a consumer',
  public_body: 'four years for a public body',
}

const uses: Record<Use, string> = {
  email: 'Emails',
  sms: 'Text messages',
  lrar: 'Registered letters',
  voice: 'Calls and transcription',
  payment: 'Online payment',
  model: 'Language model (AI)',
}

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const controller = ({
  creditor,
  address,
  contact,
  telephone,
  collector,
  operator,
}: NoticeFacts): NoticeSection => ({
  title: 'Who is responsible',
  paragraphs: [
    `${creditor} is the controller of your data.${address === null ? '' : ` Address: ${address}.`}`,
    collector === null
      ? `${creditor} uses the software Relance.`
      : `${collector} recovers amicably for ${creditor}, with the software Relance.`,
    `This software is run by ${operator}. That operator processes your data on the instructions of ${creditor} (art. 28 GDPR).`,
    `For any question about your data: ${contact}${telephone === null ? '' : ` or ${shownTelephone(telephone)}`}.`,
  ],
})

/** The contract is with a consumer; who works for a business or a public body has none. */
const isParty = ({ type }: NoticeFacts) => type === 'consumer'

const rights = (facts: NoticeFacts): NoticeSection => ({
  title: 'Your rights',
  paragraphs: [`Write to ${facts.contact}. The law as a rule gives ${facts.creditor} one month to answer.`],
  points: [
    ['Access', 'Know which data is processed, and receive a copy.'],
    ['Correction', 'Have what is wrong or incomplete corrected.'],
    ['Erasure', 'Have your data erased, except what the law allows or obliges to keep.'],
    ['Restriction', 'Have its use suspended, for example while something is checked.'],
    [
      'Objection',
      isParty(facts)
        ? 'Object to the proof of exchanges or to the score, which rest on legitimate interest. You need grounds relating to your situation (art. 21 GDPR).'
        : 'Object to amicable recovery by these messages, to the proof of exchanges or to the score, which rest on legitimate interest. You need grounds relating to your situation (art. 21 GDPR).',
    ],
    // Art. 20 GDPR: only where the basis is a contract or consent.
    ...(isParty(facts)
      ? [['Portability', 'Receive the data that you provided, in a format that a machine can read.'] as const]
      : []),
    ['After your death', 'Say what shall become of your data.'],
    [
      'Complaint',
      'Complain to the French authority, CNIL: 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07, France, www.cnil.fr.',
    ],
  ],
})

const purposes = ({ creditor, ...facts }: NoticeFacts): NoticeSection => ({
  title: 'Why, and on which basis',
  paragraphs: [],
  points: [
    [
      'To recover the invoices amicably and receive your answers',
      isParty({ creditor, ...facts })
        ? `Your contract with ${creditor} (art. 6(1)(b) GDPR).`
        : `The legitimate interest of ${creditor} in being paid by your organisation (art. 6(1)(f) GDPR). You can object on grounds relating to your situation.`,
    ],
    [
      'To prove what was exchanged and estimate the risk of non-payment',
      `The legitimate interest of ${creditor} in being paid (art. 6(1)(f)).`,
    ],
    ['To keep the accounts', `A legal obligation of ${creditor} (art. 6(1)(c)).`],
  ],
})

const categories = ({ creditor }: NoticeFacts): NoticeSection => ({
  title: 'Which data, and where it comes from',
  paragraphs: [
    'Your name, contact details and language. Your invoices, payments, promises and disputes. The messages sent, their delivery and your answers on this page.',
    `${creditor} provided it, or you did. If you reply to a message, your text and the names of attachments are kept encrypted, so that ${creditor} can read them. The content of attachments is not.`,
  ],
})

const decisions = ({ creditor }: NoticeFacts): NoticeSection => ({
  title: 'Automatic messages and risk score',
  paragraphs: [
    'Messages, the formal notice included, leave automatically according to a calendar. No legal action is taken without the decision of a person.',
    `A score from 0 to 195 estimates the risk of non-payment. It comes from your invoices, payments, promises and disputes with ${creditor}. The delivery of our messages, your silence and how far the reminders have gone count as well. Nothing comes from elsewhere. ${creditor} can see it.`,
    'This score can change the calendar of messages. For a natural person it never brings a registered letter or the judicial step nearer.',
  ],
})

const calls: NoticeSection = {
  title: 'If we call you',
  paragraphs: [
    'An artificial intelligence speaks, and says so in its first sentence. Software transcribes what you say and passes it to a language model during the call.',
    'We keep neither a recording nor a transcript: only the outcome and a short note.',
  ],
}

function recipients(facts: NoticeFacts): NoticeSection {
  const { creditor, collector, contact } = facts
  const outside = providersOutsideEu(facts)
  return {
    title: 'Who receives your data',
    paragraphs: [
      `${collector === null ? creditor : `${creditor} and ${collector}`}, the software that ${creditor} connects, and these providers, each for its part. Your data is not sold.`,
    ],
    points: [
      ...facts.recipients.map(
        one =>
          [uses[one.use], shownProvider(one, 'en') ?? 'a server chosen by the operator of Relance'] as const,
      ),
      ['Operation of the software', facts.operator],
      ['Hosting', facts.host],
      ...(has(facts, 'model')
        ? [
            [
              'Use of the model',
              `It helps ${creditor} to consult its cases${has(facts, 'voice') ? ', and leads calls' : ''}.`,
            ] as const,
          ]
        : []),
      [
        'Outside the European Union',
        outside.length === 0
          ? 'No provider named here has its head office there.'
          : `${list.format(outside)}. Your data may be processed there. To learn which safeguards apply (adequacy decision or contract, art. 45 and 46 GDPR), write to ${contact}.`,
      ],
    ],
  }
}

const duration = (months: number) =>
  months % 12 !== 0 ? `${months} months` : months === 12 ? 'one year' : `${months / 12} years`

const readRetention = (count: number) =>
  count === 0
    ? 'in the night after it was read'
    : `${count === 1 ? 'one day' : `${count} days`} after it was read`

const retention = ({ creditor, type, keepMonths, keepReplyDays, linkDays }: NoticeFacts): NoticeSection => ({
  title: 'For how long',
  paragraphs: [
    `A case is closed when all its invoices are paid, cancelled or written off as irrecoverable. The software keeps it for another ${duration(keepMonths)}, then erases it. ${creditor} chose this time${type === 'business' ? '' : ', within the time bar'}.`,
    `Proof is as a rule of use until the claim is time-barred: ${limitation[type]}.`,
    'Accounting documents are kept for ten years. They are then blocked: the software shows them to nobody any more.',
    `The text of a reply is erased ${readRetention(keepReplyDays)}, and ${replyTextDaysMax} days after it came at the latest.`,
    'If you refused our messages, a digest of your address stays. It serves to write to you no more.',
    `This link stops working ${linkDays} days after the message was sent.`,
  ],
})

const page = ({ passMinutes }: NoticeFacts): NoticeSection => ({
  title: 'This page',
  paragraphs: [
    ...(passMinutes === null
      ? ['It sets no cookie.']
      : [
          `It sets a single cookie. For ${passMinutes} minutes it remembers that you answered the question of the link. Your answer is not kept. Wrong answers are counted.`,
        ]),
    'It loads nothing from elsewhere and does not measure your visit. If we did not know whether our message reached you, opening the page tells us that, and nothing more.',
  ],
})

export const englishNotice = (facts: NoticeFacts): NoticeSection[] => [
  controller(facts),
  rights(facts),
  purposes(facts),
  categories(facts),
  decisions(facts),
  ...(has(facts, 'voice') ? [calls] : []),
  recipients(facts),
  retention(facts),
  page(facts),
]
