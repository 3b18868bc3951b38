import { forbiddenIn } from '../../src/domain/contact/forbidden-words.ts'
import { formalNotice, stepsSentAfterStop } from '../../src/domain/recovery/cascade.ts'
import { claimingSteps } from '../../src/features/recovery/messages/compose/texts/late-payment-statement.ts'
import {
  amountToPay,
  type MessageContent,
} from '../../src/features/recovery/messages/compose/texts/message-content.ts'
import type { RenderedMessage } from './every-message.ts'
import { untrue } from './untrue-sentences.ts'

/** Whether the message has what the law, or our own rule, wants of it. `docs/law` names the sources. */
type Mention = [duty: string, isMet: boolean]

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const anySum = /\d,\d\d\s?€|€\s?\d/

const isAnswerOrEnd = (step: string) => stepsSentAfterStop.includes(step)
const isWritten = (channel: string) => channel === 'email' || channel === 'lrar'

function ofEveryMessage(message: RenderedMessage): Mention[] {
  const { channel, content, text, body, language, type, step, voice } = message
  const { creditor, debtor, invoices, link } = content
  const isDiscreet =
    channel === 'sms' && type === 'consumer' && (debtor.isAskedForNumber || voice === 'collector')
  const written = text.blocks
    .filter(block => block.kind !== 'law')
    .map(block => JSON.stringify(block))
    .join(' ')
  const mayClaim = claimingSteps.includes(step) || isAnswerOrEnd(step) || content.hasEarlierClaim
  const mayNameCourt = content.mayNameCourt && [formalNotice, 'email_dernier_avis'].includes(step)
  return [
    ['names the creditor', `${text.subject} ${body}`.includes(creditor.name)],
    ['names the invoice', isDiscreet || body.includes(invoices[0]!.number)],
    ['has the link to pay, answer or dispute', channel === 'voice' || body.includes(link)],
    ['threatens with nothing', forbiddenIn(written, { language, mayNameCourt, mayClaim }).length === 0],
    [
      'claims nothing of a consumer but the invoice',
      type !== 'consumer' ||
        !/intérêts|pénalité|indemnité|compensation|penalties|late-payment interest/i.test(body),
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
    ['is signed with the telephone', creditor.telephone === null || shown.includes('+33 4 78 00 00 00')],
    ['says where to answer', body.includes(creditor.replyEmail)],
    [
      'says whose account it is',
      !asksForMoney ||
        new RegExp(`(Titulaire du compte|Account holder) +${creditor.accountHolder}\\n`).test(body),
    ],
    ['says what becomes of personal data', /Vos données|Your data/.test(body)],
    ['names the software in the footer only', body.split('Relance').length === 2],
    ['demands the whole sum', !asksForMoney || shown.includes(plain(amountToPay(content, language)))],
    ['names a means of payment', !asksForMoney || body.includes('IBAN')],
    [
      'asks a public body about Chorus Pro',
      type !== 'public_body' || !asksForMoney || body.includes('Chorus Pro'),
    ],
    [
      'tells a consumer that disputes of the mediator',
      type !== 'consumer' ||
        !['dispute_received', 'dispute_resolved', 'reply_answered'].includes(step) ||
        content.about?.outcome === 'upheld' ||
        creditor.mediator === null ||
        ['Médiation Exemple', '1 rue du Lac', 'www.mediation.example'].every(part => shown.includes(part)),
    ],
    ['tells nobody else of the mediator', type === 'consumer' || !body.includes('Médiation Exemple')],
    [
      'tells a consumer who is asked for money who helps, and nobody else',
      (type === 'consumer' && asksForMoney) ===
        (shown.includes('34 14') && shown.includes('Point Conseil Budget') && shown.includes('1343-5')),
    ],
    [
      'gives the sums apart with their basis',
      content.statement === null || hasSeparateSums(body, content.statement),
    ],
  ]
}

/** The principal, the compensation and the interest, each apart and with its article where it is claimed. */
function hasSeparateSums(body: string, { invoices, debtorType }: NonNullable<MessageContent['statement']>) {
  const basis = {
    business: { indemnity: /D441-5/, interest: /L441-10, II/ },
    public_body: { indemnity: /D2192-35/, interest: /L2192-13 (et|and) R2192-31/ },
  }[debtorType]
  return (
    body.includes('Principal') &&
    basis.indemnity.test(body) === invoices.some(({ late }) => late.indemnity > 0) &&
    basis.interest.test(body) === invoices.some(({ late }) => late.interest > 0)
  )
}

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
    [
      'says what follows',
      /demander en justice|ask a court/.test(body) === content.mayNameCourt &&
        /pourrons? |pourra |may ask|poursuivrons nos rappels|arrêterons nos rappels|go on reminding|stop our reminders/.test(
          body,
        ),
    ],
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

const ofCalls = ({ text, body, voice, type, content }: RenderedMessage): Mention[] => [
  ['says first that an AI calls', /intelligence artificielle|artificial intelligence/.test(text.subject)],
  ['says for whom', text.subject.includes(voice === 'creditor' ? 'Menuiserie Lambert' : 'Cabinet Rivoire')],
  [
    'speaks for the creditor in its own voice',
    voice === 'collector' ||
      !new RegExp(`(pour|for|behalf of) ${content.creditor.name}|à sa place|in its place`).test(
        // The greeting says in whose service the voice is.
        text.subject.replace('working for ', '') + body,
      ),
  ],
  [
    'after the greeting says nothing of the creditor as of somebody else',
    voice === 'collector' || !body.includes(content.creditor.name),
  ],
  [
    'asks a consumer nothing that only a business has',
    type !== 'consumer' || !/validation|approval|quelqu’un d’autre|somebody else/.test(body),
  ],
  [
    'says nothing of the debt before it knows to whom it speaks',
    !/FAC-2026|€/.test(text.subject + body.split('\n\n')[0]),
  ],
  [
    'says what becomes of the call right after the question of identity',
    /^(Cet appel n’est pas enregistré|This call is not recorded)/.test(body.split('\n\n')[1] ?? ''),
  ],
]

/** Whether the message has what an earlier one claimed among the facts of its invoice. */
const hasEarlierSums = (
  { hasEarlierClaim, isNothingAsked, about }: MessageContent,
  step: string,
  channel: string,
): boolean =>
  hasEarlierClaim &&
  isWritten(channel) &&
  !isNothingAsked &&
  !['dispute_received', 'closing_notice', 'payment_receipt'].includes(step) &&
  about?.outcome !== 'upheld'

/** Art. R124-4 and R124-6 of the Code des procédures civiles d'exécution. */
function ofCollectors({ channel, content, body, step }: RenderedMessage): Mention[] {
  const { creditor, collector } = content
  const mentions: Mention[] = [
    ['names the collector', body.includes(collector!.name)],
    [
      'asks to pay in its first letter',
      step !== 'email_prise_en_charge' || /Merci de payer cette somme|Please pay this sum/.test(body),
    ],
    [
      'gives what was claimed earlier apart',
      !hasEarlierSums(content, step, channel) ||
        /(Indemnité forfaitaire +|Fixed compensation +€)40[,.]00[\s\S]*(Intérêts de retard +|Late-payment interest +€)17[,.]98/.test(
          plain(body),
        ),
    ],
    [
      'names its first letter by reference and day',
      /[Nn]otre lettre\W+R-4T9K2QM du (20\/05\/(20)?26|20 mai 2026)|[Oo]ur letter\W+R-4T9K2QM of 20 May 2026/.test(
        body,
      ),
    ],
  ]
  if (channel === 'sms') return mentions
  return [
    ...mentions,
    [
      'is a receipt with the day, the means, what was paid and what is left',
      step !== 'payment_receipt' ||
        [
          [
            `Quittance. Reçu le 15/06/2026 : 1 200,00 €, par ${content.about?.parts ? 'chèque' : 'virement'}. Imputé : principal 1 200,00 €.`,
            ` Reste dû : ${content.about?.parts ? '50,00 €.' : '0,00 €.'}`,
          ],
          [
            `Receipt. Received on 15 June 2026: €1,200.00, by ${content.about?.parts ? 'cheque' : 'bank transfer'}. Applied to: principal €1,200.00.`,
            ` Still owed: ${content.about?.parts ? '€50.00.' : '€0.00.'}`,
          ],
        ].some(([paid, left]) => plain(body).includes(`${paid}${content.isNothingAsked ? '' : left}`)),
    ],
    [
      'says what the invoice was for',
      channel === 'voice' ||
        /Facture FAC-2026-000042 +Dix chaises|Invoice FAC-2026-000042 +Ten office/.test(body),
    ],
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

/** What would be untrue of this message, with what is on file and what follows. */
function ofTruth({ channel, content, text, body, step, voice }: RenderedMessage): Mention[] {
  const { creditor, following, about } = content
  const all = `${text.subject}\n${body}`
  const saysLast = /dernier (rappel|avis)|last (reminder|(amicable )?notice)/i.test(all)
  const saysBeforeNotice =
    /dernier rappel avant (une )?mise en demeure|last reminder before a formal notice/.test(all)
  return [
    [
      'says that it is the last only if no other one follows',
      !saysLast || following === 'nothing' || (saysBeforeNotice && following === 'formal_notice'),
    ],
    [
      'says that it is the last before a notice only if that is next',
      !saysBeforeNotice || following === 'formal_notice',
    ],
    [
      'asks for a reply only where replies are heard',
      creditor.receivesReplies || !/répond(re|ez|ant) à ce message|reply(ing)? to this message/.test(body),
    ],
    [
      'offers a telephone only where there is one',
      creditor.telephone !== null || !/téléphoner au|can (also )?call \+|Tél\.|Tel\./.test(body),
    ],
    [
      'names a mediator only where there is one',
      creditor.mediator !== null || !/médiateur|mediator/i.test(body),
    ],
    ['names no court without consent', content.mayNameCourt || !/en justice|tribunal|ask a court/.test(body)],
    [
      'promises silence only for what was promised',
      step !== 'promise_confirmed' ||
        new RegExp(
          about?.numbers === undefined
            ? 'pas de rappel pour cette facture|reminded of this invoice'
            : 'pas de rappel pour ces factures|reminded of these invoices',
        ).test(body),
    ],
    [
      'says whether the invoice is owed as the creditor said it',
      step !== 'closing_notice' ||
        (content.isNothingAsked && about?.owed !== 'no'
          ? !/restent? dues?|is still owed/.test(body)
          : {
              yes: /(reste|restent) dues?\.|We stop reminding you/,
              no: /n’est plus due|ne sont plus dues|no longer owed/,
              unsaid: /ne dit pas si|does not say whether/,
            }[about?.owed ?? 'unsaid'].test(body)),
    ],
    [
      'calls a letter a letter',
      channel !== 'lrar' ||
        !/\b(ce message|this message|it isn’t for you|lien ci-dessus|link above|page du lien|page behind the link)\b/i.test(
          body,
        ),
    ],
    [
      'offers a date only where one can be announced',
      !content.isTimeBarred ||
        !/(choisir|choisissez|indiquez|à quelle|quelle) (une )?date|besoin d’un délai|pick a date|give us a date|do you expect|which date|more time|Proposez des montants|Propose amounts|vos dates|your dates/.test(
          body,
        ),
    ],
    [
      'says how to ask a question where it asks for nothing',
      !isAnswerOrEnd(step) ||
        /(Une question|Questions)\s?\? .*(répondez|Écrivez|téléphoner|reply|Write|call)/.test(plain(body)),
    ],
    [
      'says that reminders may follow a decision that leaves something to pay',
      step !== 'dispute_resolved' ||
        /peuvent reprendre|may start again/.test(body) ===
          (!content.isNothingAsked && ['rejected', 'partly', undefined].includes(about?.outcome)),
    ],
    [
      'gives the answer to a reply word for word, and asks for no sum with it',
      step !== 'reply_answered' ||
        (content.written!.paragraphs.every(one => body.includes(one)) &&
          !/reste à payer|still to pay/i.test(body)),
    ],
    [
      'asks for no sum while a dispute is looked into',
      step !== 'dispute_received' || !/reste à payer|still to pay|reste dû|still owed/i.test(body),
    ],
    [
      'names no sum of what is no longer owed',
      step !== 'closing_notice' || about?.owed !== 'no' || !anySum.test(plain(body)),
    ],
    [
      'gives a way to answer a letter without a telephone',
      channel !== 'lrar' ||
        creditor.telephone !== null ||
        /à l’adresse ci-dessous|the address below/.test(body),
    ],
    [
      'speaks of the creditor as of somebody else only for a collector',
      voice === 'collector' ||
        !new RegExp(`${creditor.name} (a|has|n’a|décidera|pourra|examine|verra|will|may)\\b`).test(
          body.replace(/Vos données[\s\S]*|Your data[\s\S]*/, ''),
        ),
    ],
    ...untrue.map(([sentence, reason]): Mention => [`says nothing untrue: ${reason}`, !sentence.test(all)]),
  ]
}

/** What is left of 1 200 € after each end, and the words for it. */
function ofEndedDisputes({
  content: { about, hasEarlierClaim, isNothingAsked },
  body,
  language,
}: RenderedMessage): Mention[] {
  const shown = plain(body)
  if (isNothingAsked) {
    const says = {
      rejected: /contestation n’a pas été retenue|dispute was not accepted/,
      partly: /acceptée pour 240,00 €\.|accepted for €240\.00\./,
      upheld: /contestation est acceptée|dispute is accepted/,
      resumed: /avaient été arrêtés|had stopped/,
    }
    return [['says how a dispute ended past the time bar', says[about?.outcome ?? 'rejected'].test(shown)]]
  }
  const left =
    language === 'fr'
      ? hasEarlierClaim
        ? '1 017,98 €'
        : '960,00 €'
      : hasEarlierClaim
        ? '€1,017.98'
        : '€960.00'
  const says: Record<NonNullable<NonNullable<typeof about>['outcome']>, boolean> = {
    rejected:
      /maint(?:enons|ient) la facture|maintains? the invoice/.test(shown) &&
      /Motif :|Reason:/.test(shown) === (about?.answer !== undefined),
    partly:
      (language === 'fr'
        ? shown.includes(`acceptée pour 240,00 €. Il reste à payer ${left}.`)
        : shown.includes(`accepted for €240.00. ${left} is still to be paid.`)) && !/1[ ,]200/.test(shown),
    upheld: /contestation est acceptée|dispute is accepted/.test(shown) && !anySum.test(shown),
    resumed: /de nouveau réclamée|claimed from you again/.test(shown) && /1[ ,]200/.test(shown),
  }
  return [['says how the dispute ended, and asks for what is left of it', says[about?.outcome ?? 'rejected']]]
}

/** Past the time bar an answer to a consumer names no sum to pay, and says so. */
const ofNothingAsked = ({ body }: RenderedMessage): Mention[] => [
  [
    'asks for nothing past the time bar',
    /Aucun paiement ne vous est demandé|No payment is asked of you/.test(plain(body)) &&
      !/reste à payer|reste dû|peuvent reprendre|may start again|restent réclamés|de nouveau réclamée|still to be paid|still claimed|claimed from you again/i.test(
        plain(body),
      ),
  ],
]

/** The duties that the message does not keep, and what it says that is not so. */
export function missingMentions(message: RenderedMessage): string[] {
  const { step, channel, voice } = message
  const mentions = [
    ...ofEveryMessage(message),
    ...ofTruth(message),
    ...(isWritten(channel) ? ofEmailsAndLetters(message) : []),
    ...(step === formalNotice ? ofFormalNotices(message) : []),
    ...(step === 'dispute_resolved' ? ofEndedDisputes(message) : []),
    ...(message.content.isNothingAsked ? ofNothingAsked(message) : []),
    ...(channel === 'sms' ? ofTextMessages(message) : []),
    ...(channel === 'voice' ? ofCalls(message) : []),
    ...(voice === 'collector' ? ofCollectors(message) : []),
  ]
  return mentions.filter(([, isMet]) => !isMet).map(([duty]) => duty)
}
