import { forbiddenIn } from '../../src/domain/contact/forbidden-words.ts'
import { formalNotice, stepsSentAfterStop } from '../../src/domain/recovery/cascade.ts'
import { claimingSteps } from '../../src/features/recovery/messages/compose/texts/late-payment-statement.ts'
import { amountToPay } from '../../src/features/recovery/messages/compose/texts/message-content.ts'
import type { RenderedMessage } from './every-message.ts'

/** Whether the message has what the law, or our own rule, wants of it. `docs/law` names the sources. */
type Mention = [duty: string, isMet: boolean]

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const anySum = /\d,\d\d\s?€|€\s?\d/

const isAnswerOrEnd = (step: string) => stepsSentAfterStop.includes(step)
const isWritten = (channel: string) => channel === 'email' || channel === 'lrar'

function ofEveryMessage({ channel, content, text, body, language, type, step }: RenderedMessage): Mention[] {
  const { creditor, invoices, link } = content
  const written = text.blocks
    .filter(block => block.kind !== 'law')
    .map(block => JSON.stringify(block))
    .join(' ')
  const mayClaim = claimingSteps.includes(step) || isAnswerOrEnd(step)
  const mayNameCourt = [formalNotice, 'email_dernier_avis'].includes(step)
  return [
    ['names the creditor', body.includes(creditor.name)],
    ['names the invoice', body.includes(invoices[0]!.number)],
    ['has the link to pay, answer or dispute', channel === 'voice' || body.includes(link)],
    ['threatens with nothing', forbiddenIn(written, { language, mayNameCourt, mayClaim }).length === 0],
    [
      'claims nothing of a consumer but the invoice',
      type !== 'consumer' || !/intérêts|indemnité|compensation|late-payment interest/i.test(body),
    ],
    ['shows no sum of a consumer in its subject', type !== 'consumer' || !anySum.test(plain(text.subject))],
    [
      'has its no-break spaces',
      language === 'en' || channel === 'sms' || !/ [:;?!»]|« /.test(`${text.subject}\n${body}`),
    ],
  ]
}

function ofEmailsAndLetters({ content, body, voice, language, type, step }: RenderedMessage): Mention[] {
  const { creditor } = content
  const asksForMoney = !isAnswerOrEnd(step)
  const shown = plain(body)
  return [
    [
      'is signed with the address',
      shown.includes(voice === 'creditor' ? creditor.address! : '8 quai Perrache'),
    ],
    ['is signed with the SIREN', shown.includes('SIREN 732 829 320')],
    [
      'is signed with the legal form and the register',
      voice === 'collector' || (/\nSARL\n/.test(shown) && shown.includes('SIREN 732 829 320 RCS Lyon')),
    ],
    ['is signed with the telephone', shown.includes('+33 4 78 00 00 00')],
    ['says where to answer', body.includes(creditor.replyEmail)],
    [
      'says whose account it is',
      !asksForMoney ||
        new RegExp(`(Titulaire du compte|Account holder) +${creditor.accountHolder}\\n`).test(body),
    ],
    ['says what becomes of personal data', /Vos données|Your data/.test(body)],
    [
      'names the software in the footer only',
      body.split('Relance').length ===
        (/traite pour|processes it/.test(body) && voice === 'creditor' ? 3 : 2),
    ],
    ['demands the whole sum', !asksForMoney || shown.includes(plain(amountToPay(content, language)))],
    ['names a means of payment', !asksForMoney || body.includes('IBAN')],
    [
      'asks a public body about Chorus Pro',
      type !== 'public_body' || !asksForMoney || body.includes('Chorus Pro'),
    ],
    [
      'tells a consumer that disputes of the mediator',
      type !== 'consumer' ||
        !['dispute_received', 'dispute_resolved'].includes(step) ||
        (shown.includes('Médiation Exemple') && shown.includes('1 rue du Lac')),
    ],
    ['tells nobody else of the mediator', type === 'consumer' || !body.includes('Médiation Exemple')],
    [
      'tells a consumer who helps, from the formal notice on, and nobody else',
      (type === 'consumer' && [formalNotice, 'email_dernier_avis'].includes(step)) ===
        (shown.includes('34 14') && shown.includes('Point Conseil Budget') && shown.includes('1343-5')),
    ],
    ['gives the sums apart with their basis', content.statement === null || hasSeparateSums(body, type)],
  ]
}

const hasSeparateSums = (body: string, type: string) =>
  body.includes('Principal') &&
  (type === 'public_body'
    ? /D2192-35/.test(body) && /R2192-31/.test(body)
    : /D441-5/.test(body) && /L441-10/.test(body))

function ofFormalNotices({ channel, content, text, body, language }: RenderedMessage): Mention[] {
  const sum = plain(amountToPay(content, language))
  const demand = {
    fr: `vous mettons en demeure de payer ${sum} dans les 8 jours`,
    en: `formal notice (mise en demeure) to pay ${sum} within 8 days`,
  }
  return [
    ['is called a formal notice', text.subject.includes('mise en demeure')],
    ['demands the whole sum within a time', plain(body).includes(demand[language])],
    ['names the article', body.includes('1344')],
    [
      'names both parties with their addresses',
      // A letter has them at its head, which is not part of its words.
      channel === 'lrar' ||
        (body.includes(content.creditor.address!) && body.includes(content.debtor.address!)),
    ],
    ['says what follows', /demander en justice|ask a court/.test(body)],
  ]
}

const ofTextMessages = ({ body, type, voice }: RenderedMessage): Mention[] => [
  [
    'shows no sum and no invoice of a consumer',
    type !== 'consumer' || (!anySum.test(body) && !/facture|invoice/i.test(body)),
  ],
  [
    'fits into one part, or into two with the reference of a case',
    body.length <= (voice === 'creditor' ? 160 : 306),
  ],
]

const ofCalls = ({ text, body, voice }: RenderedMessage): Mention[] => [
  ['says first that an AI calls', /intelligence artificielle|artificial intelligence/.test(text.subject)],
  ['says for whom', text.subject.includes(voice === 'creditor' ? 'Menuiserie Lambert' : 'Cabinet Rivoire')],
  [
    'says nothing of the debt before it knows to whom it speaks',
    !/FAC-2026|€/.test(text.subject + body.split('\n\n')[0]),
  ],
  [
    'says what becomes of the call right after the question of identity',
    /^(Cet appel n’est pas enregistré|This call is not recorded)/.test(body.split('\n\n')[1] ?? ''),
  ],
]

/** Art. R124-4 of the Code des procédures civiles d'exécution. */
function ofCollectors({ channel, content, body }: RenderedMessage): Mention[] {
  const { creditor, collector } = content
  const mentions: Mention[] = [
    ['names the collector', body.includes(collector!.name)],
    ['gives the reference of the case', body.includes(collector!.reference)],
    ['gives the day of the first message', /20\/05\/(20)?26|20 mai 2026|20 May 2026/.test(body)],
  ]
  if (channel === 'sms') return mentions
  return [
    ...mentions,
    ['gives the collector’s address', body.includes(collector!.address)],
    [
      'says that it recovers amicably',
      /activité de recouvrement amiable|business .*is amicable recovery/.test(body),
    ],
    ['gives the creditor’s address', body.includes(creditor.address!)],
    [
      'quotes the second and third paragraphs of art. L111-8',
      channel === 'voice' ||
        (/deuxième et troisième alinéas|second and third paragraphs/.test(body) &&
          body.includes('restent à la charge du créancier') &&
          body.includes('débiteur de mauvaise foi')),
    ],
  ]
}

/** The duties that the message does not keep. */
export function missingMentions(message: RenderedMessage): string[] {
  const { step, channel, voice } = message
  const mentions = [
    ...ofEveryMessage(message),
    ...(isWritten(channel) ? ofEmailsAndLetters(message) : []),
    ...(step === formalNotice ? ofFormalNotices(message) : []),
    ...(channel === 'sms' ? ofTextMessages(message) : []),
    ...(channel === 'voice' ? ofCalls(message) : []),
    ...(voice === 'collector' ? ofCollectors(message) : []),
  ]
  return mentions.filter(([, isMet]) => !isMet).map(([duty]) => duty)
}
