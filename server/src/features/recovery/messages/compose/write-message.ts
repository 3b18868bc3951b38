import type { Message, PostalAddress } from '../../../../adapters/channel.ts'
import { calendarFor } from '../../../../domain/contact/calendar.ts'
import { accountStatementOf } from '../../../../domain/money/account-statement.ts'
import type { LateTerms } from '../../../../domain/money/late-payment.ts'
import {
  cascadeOf,
  followingIn,
  formalNotice,
  isRequested,
  stepsSentAfterStop,
} from '../../../../domain/recovery/cascade.ts'
import { daysToPay } from '../../../../domain/recovery/formal-notice.ts'
import { type LocalDate, localTime } from '../../../../domain/time.ts'
import { shortText } from '../../../../kit/short-text.ts'
import type { CollectorIdentity } from '../../../access/companies/installation.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import type { Communication } from '../communication-store.ts'
import { caseReference } from './case-reference.ts'
import type { ContentRow } from './content-store.ts'
import { printLetter } from './print-letter.ts'
import { toHtml } from './texts/email-html.ts'
import { toGsm } from './texts/gsm.ts'
import type { Language } from './texts/labels.ts'
import { claimedIn, claimingSteps, latePaymentStatement } from './texts/late-payment-statement.ts'
import type { CollectorLetter, MessageContent, OwnWords, WrittenAnswer } from './texts/message-content.ts'
import { cleanTexts, oneLine } from './texts/one-line.ts'
import { toPlainText } from './texts/plain-text.ts'
import { textOf } from './texts/texts.ts'

/** The sender name of an SMS: at most eleven letters and digits. */
const senderName = (company: string) =>
  company
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 11) || 'Relance'

/** The creditor itself, or the collector in its name; the software is not a sender. */
const senderOf = (
  { creditor, collector }: { creditor: string; collector: string | null },
  language: Language,
) => (collector === null ? creditor : `${collector} ${language === 'fr' ? 'pour' : 'for'} ${creditor}`)

const linesOf = (address: string | null): string[] =>
  address?.split('\n').filter(line => line.trim() !== '') ?? []

const creditorAddress = (creditor: DebtorFile['creditor']): PostalAddress => ({
  name: creditor.name,
  lines: linesOf(creditor.address),
  postalCode: creditor.postalCode ?? '',
  city: creditor.city ?? '',
  country: creditor.country,
})

const streetAndCity = shortText(150, /^(.*?),?\s*(\d{5})\s+(.+)$/)

/** A collector of the installation is in France: it declared itself to a French prosecutor. */
function collectorAddress({ name, address }: CollectorIdentity): PostalAddress {
  const [, street, postalCode, city] = streetAndCity.exec(address) ?? [null, address, '', '']
  return { name, lines: [street!], postalCode: postalCode!, city: city!, country: 'FR' }
}

export const onOneLine = (place: {
  address: string | null
  postalCode: string | null
  city: string | null
}) =>
  [place.address, [place.postalCode, place.city].filter(part => part !== null).join(' ')]
    .filter(part => part !== null && part !== '')
    .join(', ') || null

const isInFrance = ({ country }: { country: string }) => calendarFor({ country })?.country === 'FR'

export const lateTermsOf = (
  file: Pick<DebtorFile, 'type' | 'creditor' | 'insolvency_opened_on'>,
  { rates }: Pick<ContentRow, 'rates'>,
): LateTerms => ({
  rates,
  debtorType: file.type,
  creditorCountry: file.creditor.country,
  contractRateBps: file.creditor.contractRateBps,
  isClaimed: file.creditor.claimsLatePayment,
  insolvencyOpenedOn: file.insolvency_opened_on,
})

/** The company allows it, and the time bar of no invoice of the message is over. */
export function mayNameCourt(
  { creditor }: Pick<DebtorFile, 'creditor'>,
  { invoices, zone }: Pick<ContentRow, 'invoices' | 'zone'>,
  now: number,
): boolean {
  const today = localTime(zone, now).date
  return creditor.mayNameCourt && invoices.every(({ limitationEndsOn }) => today <= limitationEndsOn)
}

interface WritingContext {
  mailFrom: string
  now: number
  code: string
  link: string
  /** We also receive replies by email. */
  receivesReplies: boolean
  /** Of an answer to a reply. */
  written?: WrittenAnswer | null
  /** Of a message that a person wrote. */
  words?: OwnWords | null
}

/** The first letter about an invoice gives it its reference and its day; every later message names both. */
function lettersOf(
  { invoices, zone }: Pick<ContentRow, 'invoices' | 'zone'>,
  message: { id: string; step: string; today: LocalDate },
): CollectorLetter[] {
  const own = stepsSentAfterStop.includes(message.step) ? [] : [{ id: message.id, day: message.today }]
  const letters = invoices.flatMap(({ letter }) =>
    letter ? [{ id: letter.id, day: localTime(zone, letter.at).date }] : own,
  )
  const byId = new Map(letters.map(letter => [letter.id, letter]))
  return [...byId.values()].map(({ id, day }) => ({ reference: caseReference(id), day }))
}

/** The content from which the texts of a step are built. */
export function messageContentOf(
  { id, step, channel }: Pick<Communication, 'id' | 'step' | 'channel'>,
  file: DebtorFile,
  contentRow: ContentRow,
  context: Pick<WritingContext, 'now' | 'link' | 'receivesReplies' | 'written' | 'words'>,
): MessageContent {
  const { creditor } = file
  const zone = contentRow.zone
  const today = localTime(zone, context.now).date
  const claimable = contentRow.invoices.filter(({ isWaived }) => !isWaived)
  const isTimeBarred =
    contentRow.invoices.length > 0 &&
    contentRow.invoices.every(({ limitationEndsOn }) => today > limitationEndsOn)
  const isClaimed = claimable.some(({ claimedCents }) => claimedCents > 0)
  // Once late-payment sums were claimed, every later email or letter claims them too, since the debtor's page asks for them.
  const claims =
    claimingSteps.includes(step) ||
    (isClaimed && isRequested(step) && (channel === 'email' || channel === 'lrar'))
  const statement = claims
    ? latePaymentStatement(
        claimable,
        contentRow.invoices.length - claimable.length,
        lateTermsOf(file, contentRow),
        today,
      )
    : null
  return {
    creditor: {
      name: creditor.name,
      replyEmail: creditor.replyEmail,
      receivesReplies: context.receivesReplies,
      // Who is insolvent is not shown where to pay: such a payment can be annulled.
      iban: file.insolvency_kind === null ? creditor.iban : null,
      accountHolder: creditor.accountHolder,
      address: onOneLine(creditor),
      city: creditor.city,
      siren: creditor.siren,
      legalForm: creditor.legalForm,
      rcs: creditor.rcs,
      mediator: creditor.mediator,
      telephone: creditor.telephone,
    },
    debtor: {
      name: file.name,
      address: onOneLine({ address: file.address, postalCode: file.postal_code, city: file.city }),
      isConsumer: file.type === 'consumer',
      isAskedForNumber: channel === 'sms' && !/[\p{L}\p{N}]/u.test(file.postal_code ?? ''),
      usesChorus: file.type === 'public_body' && isInFrance(file),
    },
    today,
    invoices: contentRow.invoices,
    // What asks for nothing does not remind of other invoices, and a consumer is not reminded of a time-barred one.
    alsoOpen:
      stepsSentAfterStop.includes(step) || contentRow.open !== null
        ? []
        : contentRow.alsoOpen.filter(one => file.type !== 'consumer' || today <= one.limitationEndsOn),
    payWithinDays: step === formalNotice ? daysToPay : null,
    following: followingIn(
      contentRow.cascades.map(({ name, version, steps }) => cascadeOf(name, version, steps)),
      step,
    ),
    mayNameCourt: mayNameCourt(file, contentRow, context.now),
    isTimeBarred,
    // Proceedings forbid the payment of earlier claims: art. L622-7 C. com., L722-5 C. conso.
    isNothingAsked: (file.type === 'consumer' && isTimeBarred) || file.insolvency_kind !== null,
    statement,
    hasEarlierClaim: isClaimed && statement === null,
    collector: creditor.collector && {
      name: creditor.collector.name,
      address: creditor.collector.address,
      siren: creditor.collector.siren,
      letters: lettersOf(contentRow, { id, step, today }),
    },
    own: contentRow.own,
    about: contentRow.about,
    written: context.written ?? null,
    words: context.words ?? null,
    account:
      contentRow.open &&
      accountStatementOf(contentRow.open.invoices, {
        on: today,
        isConsumer: file.type === 'consumer',
        leftOut: contentRow.open.leftOut,
      }),
    link: context.link,
  }
}

/**
 * Composes the message of a step, and returns what it claims for each invoice in addition to its principal. It decides nothing.
 */
export function writeMessage(
  communication: Pick<Communication, 'id' | 'step' | 'channel'>,
  file: DebtorFile,
  contentRow: ContentRow,
  context: WritingContext,
): { message: Message; claimed: { invoiceId: string; cents: number }[] } {
  const { channel, step } = communication
  const { creditor, language } = file
  const toText = textOf(step, channel)
  if (!toText) throw new Error(`no text for step ${step} on ${channel}`)
  const content = messageContentOf(communication, file, contentRow, context)
  const text = toText(language, content)
  const { subject } = text
  const body = toPlainText(text.blocks)
  const common = { communicationId: communication.id, code: context.code, language, at: context.now }
  const names = cleanTexts({
    creditor: creditor.name,
    collector: creditor.collector?.name ?? null,
    debtor: file.name,
  })
  const claimed = claimedIn(content.statement)
  const { logo: stored } = contentRow
  const logo = stored && { mediaType: stored.mediaType, bytes: Buffer.from(stored.base64, 'base64') }
  switch (channel) {
    case 'email': {
      const message: Message = {
        ...common,
        channel,
        from: { name: senderOf(names, language), address: context.mailFrom },
        replyTo: { name: names.creditor, address: creditor.replyEmail },
        to: { name: names.debtor, address: file.email },
        subject,
        text: body,
        // A getter, because only a real provider needs the HTML: a sandbox stores the text only.
        get html() {
          return toHtml(text, { language, creditor: names.creditor, hasLogo: logo !== null })
        },
        ...(logo && { logo }),
      }
      return { message, claimed }
    }
    case 'sms':
      return {
        message: {
          ...common,
          channel,
          from: senderName(names.collector ?? names.creditor),
          to: file.phone!,
          text: toGsm(body.trim()),
        },
        claimed,
      }
    case 'voice':
      return { message: { ...common, channel, to: file.phone!, opening: subject, text: body }, claimed }
    case 'lrar': {
      const from = cleanTexts(
        creditor.collector ? collectorAddress(creditor.collector) : creditorAddress(creditor),
      )
      const to = cleanTexts({
        name: file.name,
        lines: linesOf(file.address),
        postalCode: file.postal_code!,
        city: file.city!,
        country: file.country,
      })
      const reference = oneLine(contentRow.invoices[0]!.number)
      let printed: Promise<Buffer> | undefined
      const message: Message = {
        ...common,
        channel,
        from,
        to,
        subject,
        text: body,
        reference,
        pdf: () => {
          printed ??= printLetter({
            ...(logo && { logo: logo.bytes }),
            from,
            to,
            reference,
            text,
            language,
            today: content.today,
            madeAt: context.now,
          })
          return printed
        },
        delivery: { by: 'paper' },
      }
      return { message, claimed }
    }
  }
}
