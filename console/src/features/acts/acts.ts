import type {
  Channel,
  Debtor,
  DisputeOutcome,
  Invoice,
  InvoiceStatus,
  MessageName,
  PaymentMethod,
  Relance,
  RequestOptions,
  WorkflowStatus,
  WriteOffBasis,
} from '@relance/sdk'
import { type CommandId, commandOf } from '../../lib/commands.ts'
import { momentText, money } from '../../lib/format.ts'
import type { Language } from '../../lib/language.tsx'
import { localTime, midnightOf } from '../../lib/zone.ts'
import { centsOf } from '../../ui/money-text.ts'
import type { TwoPlans } from '../../ui/picture/plan-change-layout.ts'
import { type ActKey, type FieldName, type Group, words } from './words.ts'

interface InvoiceSubject {
  readonly kind: 'invoice'
  readonly id: string
  readonly name: string
  readonly debtorId: string
  readonly currency: string
  readonly balanceCents: number
  readonly timeZone: string
  readonly invoiceStatus: InvoiceStatus
  /** Undefined where the screen did not ask for it. */
  readonly workflowStatus: WorkflowStatus | undefined
}

interface DebtorSubject {
  readonly kind: 'debtor'
  readonly id: string
  readonly name: string
  readonly timeZone: string
  readonly isPaused: boolean
}

/** What an act is about. */
export type Subject = InvoiceSubject | DebtorSubject

/** Where a debtor has no time zone nothing may be sent, and the hours do not matter. */
const zoneOf = ({ timeZone }: { readonly timeZone: string | null }) => timeZone ?? 'Europe/Paris'

export const subjectOfInvoice = (invoice: Invoice): Subject => ({
  kind: 'invoice',
  id: invoice.id,
  name: invoice.invoiceNumber,
  debtorId: invoice.debtor.id,
  currency: invoice.currency,
  balanceCents: invoice.balanceCents,
  timeZone: zoneOf(invoice.debtor),
  invoiceStatus: invoice.status,
  workflowStatus: invoice.recovery?.status,
})

export const subjectOfDebtor = (debtor: Debtor): Subject => ({
  kind: 'debtor',
  id: debtor.id,
  name: debtor.name,
  timeZone: zoneOf(debtor),
  isPaused: debtor.pause !== null,
})

export type Values = Readonly<Partial<Record<FieldName, string>>>
export type Choice = readonly [value: string, words: string]

export interface FieldSpec {
  readonly name: FieldName
  readonly kind: 'text' | 'day' | 'moment' | 'money' | 'choice' | 'check'
  /** The name of the field in the API, where it is another one. */
  readonly of?: string
  readonly isOptional?: boolean
  readonly maxLength?: number
  readonly lines?: number
  readonly choices?: (language: Language) => Readonly<Record<string, string>>
}

/** What an act does, as the API answers it: what all acts have in common, and what one of them says more. */
export interface Effect {
  readonly plan?: TwoPlans | null | undefined
  readonly inFlight?: readonly { readonly channel: Channel; readonly action: MessageName }[]
  /** Of a message that was planned. */
  readonly id?: string | null
  readonly notes?: readonly string[]
}

/** All that an act needs to be done. */
export interface Deed {
  readonly api: Relance
  readonly subject: Subject
  readonly values: Values
  readonly language: Language
  readonly dryRun: boolean
  readonly options: RequestOptions
}

export interface Act {
  readonly key: ActKey
  readonly on: Subject['kind']
  readonly group: Group
  /** Its words, its keys and who may do it stand in the registry of commands. */
  readonly command: CommandId
  /** A stop: shown at once, before the answer is there. Money, sends and ends never are. */
  readonly isStop?: true
  /** It cannot be taken back. */
  readonly isFinal?: true
  readonly fields: readonly FieldSpec[]
  /** Of an act and its opposite only one is offered. */
  readonly fits?: (subject: Subject) => boolean
  /** What can be chosen, where the API has to say it: of the only field without choices of its own. */
  readonly load?: (deed: Pick<Deed, 'api' | 'subject' | 'language' | 'options'>) => Promise<readonly Choice[]>
  readonly perform: (deed: Deed) => Promise<Effect>
  /** The real opposite, where there is one. */
  readonly inverse?: (deed: Deed, effect: Effect) => Promise<unknown>
}

const textOf = (values: Values, name: FieldName) => values[name]?.trim() || undefined
const centsIn = ({ values, language }: Deed, name: FieldName) => {
  const text = textOf(values, name)
  return text === undefined ? undefined : (centsOf(text, language) ?? undefined)
}

/** `2026-11-16` or `2026-11-16T08:15` by the clock on the debtor's wall. */
export function instantOf(local: string, timeZone: string): string {
  const [date = '', time = '00:00'] = local.split('T')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const minute = hours * 60 + minutes
  const at = midnightOf(date, timeZone) + minute * 60_000
  return new Date(at + (minute - localTime(at, timeZone).minute) * 60_000).toISOString()
}
const momentIn = ({ values, subject }: Deed, name: FieldName) => {
  const local = textOf(values, name)
  return local === undefined ? undefined : instantOf(local, subject.timeZone)
}

const reason: FieldSpec = { name: 'reason', kind: 'text', isOptional: true, maxLength: 500 }
const note: FieldSpec = { name: 'note', kind: 'text', isOptional: true, maxLength: 500 }
const until: FieldSpec = { name: 'until', kind: 'day', isOptional: true }
const channel: FieldSpec = { name: 'channel', kind: 'choice', choices: language => words[language].channels }

const isInvoice = (subject: Subject): subject is InvoiceSubject => subject.kind === 'invoice'
const statusIs = (status: WorkflowStatus) => (subject: Subject) =>
  isInvoice(subject) && (subject.workflowStatus === undefined || subject.workflowStatus === status)
const isDisputed = (subject: Subject) => isInvoice(subject) && subject.invoiceStatus === 'disputed'
const sumOf = (cents: number, { subject, language }: Deed) =>
  money(cents, isInvoice(subject) ? subject.currency : 'EUR', language)
const whenOf = (at: string, { subject, language }: Deed) => momentText(at, subject.timeZone, language)

const trigger =
  (action: 'start' | 'pause' | 'resume' | 'escalate') =>
  (deed: Deed): Promise<Effect> =>
    deed.api.workflow.trigger(
      deed.subject.id,
      {
        action,
        reason: textOf(deed.values, 'reason'),
        ...(action === 'pause' && { until: momentIn(deed, 'until') }),
        dryRun: deed.dryRun,
      },
      deed.options,
    )

async function pauseDebtor(deed: Deed): Promise<Effect> {
  const { api, subject, values, language, dryRun, options } = deed
  const body = { until: momentIn(deed, 'until'), reason: textOf(values, 'reason'), dryRun }
  const { plan, inFlight, recoveriesHeld } = await api.debtors.pause(subject.id, body, options)
  return { plan, inFlight, notes: [words[language].held(recoveriesHeld)] }
}

async function resumeDebtor({ api, subject, values, language, dryRun, options }: Deed): Promise<Effect> {
  const body = { reason: textOf(values, 'reason'), dryRun }
  const { plan, recoveriesReleased } = await api.debtors.resume(subject.id, body, options)
  return { plan, notes: [words[language].released(recoveriesReleased)] }
}

/** The messages that somebody asked for and that have not left. */
async function requestedOf({ api, subject, options }: Pick<Deed, 'api' | 'subject' | 'options'>) {
  const plan = await api.workflow.plan(subject.id, { signal: options.signal })
  const actions = plan.actions.filter(
    ({ action, communicationId }) => action === 'extra_message' && communicationId !== null,
  )
  return { plan, actions }
}

/** A deletion has no dry run: what is drawn is the one message that will not leave. */
async function takeBack(deed: Deed): Promise<Effect> {
  const { api, subject, values, dryRun, options } = deed
  const id = textOf(values, 'message')!
  if (!dryRun) {
    await api.workflow.takeBack(subject.id, id, options)
    return {}
  }
  const { plan, actions } = await requestedOf(deed)
  const withActions = (some: typeof actions) => Object.assign({}, plan, { actions: some })
  const before = withActions(actions.filter(({ communicationId }) => communicationId === id))
  return { plan: { before: [before], after: [withActions([])] } }
}

/** Everything that can be done to an invoice or a debtor, in the order of the menu. */
export const acts: readonly Act[] = [
  {
    key: 'start',
    on: 'invoice',
    group: 'run',
    command: 'start',
    fields: [reason],
    fits: subject => isInvoice(subject) && subject.workflowStatus === 'pending',
    perform: trigger('start'),
  },
  {
    key: 'pause',
    on: 'invoice',
    group: 'run',
    command: 'pause-invoice',
    isStop: true,
    fields: [until, reason],
    fits: subject => isInvoice(subject) && subject.workflowStatus !== 'paused',
    perform: trigger('pause'),
    inverse: deed => trigger('resume')({ ...deed, values: {} }),
  },
  {
    key: 'resume',
    on: 'invoice',
    group: 'run',
    command: 'resume-invoice',
    fields: [reason],
    fits: statusIs('paused'),
    perform: trigger('resume'),
  },
  {
    key: 'escalate',
    on: 'invoice',
    group: 'run',
    command: 'escalate',
    fields: [reason],
    perform: trigger('escalate'),
  },
  {
    key: 'message',
    on: 'invoice',
    group: 'talk',
    command: 'message',
    fields: [channel, { name: 'at', kind: 'moment', isOptional: true }],
    async perform(deed) {
      const { api, subject, values, language, dryRun, options } = deed
      const body = { channel: values.channel as Channel, at: momentIn(deed, 'at'), dryRun }
      const { id, plan, scheduledAt } = await api.workflow.communicate(subject.id, body, options)
      return { id, plan, notes: [words[language].leaves(whenOf(scheduledAt, deed))] }
    },
    inverse: ({ api, subject, options }, { id }) => api.workflow.takeBack(subject.id, id!, options),
  },
  {
    key: 'takeBack',
    on: 'invoice',
    group: 'talk',
    command: 'take-back',
    fields: [{ name: 'message', kind: 'choice' }],
    async load(deed) {
      const { actions } = await requestedOf(deed)
      return actions.map(({ communicationId, channel, scheduledAt }) => [
        communicationId!,
        [
          channel && words[deed.language].channels[channel],
          scheduledAt && momentText(scheduledAt, deed.subject.timeZone, deed.language),
        ]
          .filter(Boolean)
          .join(', '),
      ])
    },
    perform: takeBack,
  },
  {
    key: 'promise',
    on: 'invoice',
    group: 'talk',
    command: 'promise',
    fields: [
      { name: 'date', kind: 'day' },
      { name: 'promisedCents', of: 'amountCents', kind: 'money', isOptional: true },
      note,
    ],
    async perform(deed) {
      const { api, subject, values, language, dryRun, options } = deed
      const body = {
        date: values.date!,
        amountCents: centsIn(deed, 'promisedCents'),
        note: textOf(values, 'note'),
        dryRun,
      }
      const { plan, inFlight, waitsUntil } = await api.invoices.promise(subject.id, body, options)
      return { plan, inFlight, notes: [words[language].waits(whenOf(waitsUntil, deed))] }
    },
  },
  {
    key: 'dispute',
    on: 'invoice',
    group: 'talk',
    command: 'dispute',
    fields: [
      { name: 'saying', of: 'reason', kind: 'text', lines: 3, maxLength: 500 },
      { name: 'disputedCents', of: 'amountCents', kind: 'money', isOptional: true },
    ],
    fits: subject => !isDisputed(subject),
    perform: deed =>
      deed.api.invoices.dispute(
        deed.subject.id,
        {
          reason: textOf(deed.values, 'saying')!,
          amountCents: centsIn(deed, 'disputedCents'),
          dryRun: deed.dryRun,
        },
        deed.options,
      ),
  },
  {
    key: 'resolve',
    on: 'invoice',
    group: 'talk',
    command: 'resolve-dispute',
    fields: [{ name: 'outcome', kind: 'choice', choices: language => words[language].outcomes }, note],
    fits: isDisputed,
    perform: ({ api, subject, values, dryRun, options }) =>
      api.invoices.resolveDispute(
        subject.id,
        { outcome: values.outcome as DisputeOutcome, note: textOf(values, 'note'), dryRun },
        options,
      ),
  },
  {
    key: 'payment',
    on: 'invoice',
    group: 'money',
    command: 'payment',
    fields: [
      { name: 'amountCents', kind: 'money' },
      { name: 'method', kind: 'choice', choices: language => words[language].methods },
      { name: 'paidAt', kind: 'day', isOptional: true },
      { name: 'externalReference', kind: 'text', isOptional: true, maxLength: 200 },
    ],
    async perform(deed) {
      const { api, subject, values, dryRun, options } = deed
      const body = {
        invoiceId: subject.id,
        amountCents: centsIn(deed, 'amountCents')!,
        method: values.method as PaymentMethod,
        paidAt: momentIn(deed, 'paidAt'),
        externalReference: textOf(values, 'externalReference'),
        dryRun,
      }
      const { plan } = await api.payments.create(body, options)
      return { plan }
    },
  },
  {
    key: 'refund',
    on: 'invoice',
    group: 'money',
    command: 'refund',
    fields: [{ name: 'payment', kind: 'choice' }, reason],
    async load({ api, subject, language, options }) {
      const { data } = await api.payments.ofInvoice(subject.id, { limit: 100 }, { signal: options.signal })
      return data
        .filter(({ status }) => status === 'completed')
        .map(({ id, amountCents, currency, method, paidAt, createdAt }) => [
          id,
          [
            money(amountCents, currency, language),
            words[language].methods[method],
            momentText(paidAt ?? createdAt, subject.timeZone, language),
          ].join(', '),
        ])
    },
    async perform({ api, values, dryRun, options }) {
      const body = { reason: textOf(values, 'reason'), dryRun }
      const { plan } = await api.payments.refund(values.payment!, body, options)
      return { plan }
    },
  },
  {
    key: 'credit',
    on: 'invoice',
    group: 'money',
    command: 'credit',
    fields: [
      { name: 'number', kind: 'text', maxLength: 100 },
      { name: 'amountCents', kind: 'money' },
      { name: 'issuedOn', kind: 'day' },
    ],
    async perform(deed) {
      const { api, subject, values, language, dryRun, options } = deed
      const body = {
        number: textOf(values, 'number')!,
        amountCents: centsIn(deed, 'amountCents')!,
        issuedOn: values.issuedOn!,
        dryRun,
      }
      const { plan, balanceCents } = await api.invoices.credit(subject.id, body, options)
      return { plan, notes: [words[language].remains(sumOf(balanceCents, deed))] }
    },
  },
  {
    key: 'cancel',
    on: 'invoice',
    group: 'end',
    command: 'cancel',
    isFinal: true,
    fields: [
      { name: 'reason', kind: 'text', maxLength: 500 },
      { name: 'notifyDebtor', kind: 'check', isOptional: true },
    ],
    async perform({ api, subject, values, language, dryRun, options }) {
      const notifyDebtor = values.notifyDebtor === 'yes'
      const body = { reason: textOf(values, 'reason')!, notifyDebtor, dryRun }
      const { plan, inFlight, summary } = await api.invoices.cancel(subject.id, body, options)
      const { closingNotice, noClosingNotice } = words[language]
      const notes = notifyDebtor ? [summary.debtorNotified ? closingNotice : noClosingNotice] : []
      return { plan, inFlight, notes }
    },
  },
  {
    key: 'writeOff',
    on: 'invoice',
    group: 'end',
    command: 'write-off',
    isFinal: true,
    fields: [
      { name: 'basis', kind: 'choice', choices: language => words[language].bases },
      { name: 'attested', of: 'note', kind: 'text', lines: 3, isOptional: true, maxLength: 2_000 },
    ],
    async perform(deed) {
      const { api, subject, values, language, dryRun, options } = deed
      const body = { basis: values.basis as WriteOffBasis, note: textOf(values, 'attested'), dryRun }
      const { plan, inFlight, writtenOffCents } = await api.invoices.writeOff(subject.id, body, options)
      return { plan, inFlight, notes: [words[language].lost(sumOf(writtenOffCents, deed))] }
    },
  },
  {
    key: 'debtorPause',
    on: 'debtor',
    group: 'debtor',
    command: 'pause-debtor',
    isStop: true,
    fields: [until, reason],
    fits: subject => isInvoice(subject) || !subject.isPaused,
    perform: pauseDebtor,
    inverse: deed => resumeDebtor({ ...deed, values: {} }),
  },
  {
    key: 'debtorResume',
    on: 'debtor',
    group: 'debtor',
    command: 'resume-debtor',
    fields: [reason],
    fits: subject => !isInvoice(subject) && subject.isPaused,
    perform: resumeDebtor,
  },
  {
    key: 'optOut',
    on: 'debtor',
    group: 'debtor',
    command: 'opt-out',
    fields: [channel, { name: 'saying', of: 'reason', kind: 'text', isOptional: true, maxLength: 500 }],
    async perform({ api, subject, values, dryRun, options }) {
      const body = { channel: values.channel as Channel, reason: textOf(values, 'saying'), dryRun }
      const { plan, inFlight } = await api.debtors.optOut(subject.id, body, options)
      return { plan, inFlight }
    },
  },
]

export const nameOfAct = ({ command }: Act, language: Language): string => commandOf(command)[language]

/** The acts that a person may do, and that are not the opposite of what is already so. */
export const actsFor = (subject: Subject, may: (operation: string) => boolean): Act[] =>
  acts.filter(
    act =>
      act.on === subject.kind &&
      may(commandOf(act.command).needs ?? '') &&
      (act.fits === undefined || act.fits(subject)),
  )

/** What is in the fields when the dialog opens. */
export const firstValues = ({ key }: Act, subject: Subject, language: Language): Values =>
  key === 'payment' && isInvoice(subject)
    ? { amountCents: money(subject.balanceCents, subject.currency, language), method: 'bank_transfer' }
    : key === 'message'
      ? { channel: 'email' }
      : {}

/** Whether everything that must be there is there, and every sum is a sum. */
export const isComplete = ({ fields }: Act, values: Values, language: Language): boolean =>
  fields.every(({ name, kind, isOptional = false }) => {
    const text = textOf(values, name)
    return text === undefined ? isOptional : kind !== 'money' || centsOf(text, language) !== null
  })

/** The same for what means the same: a sum is shown in another form than it was typed in. */
export const keyOf = ({ fields }: Act, values: Values, language: Language): string =>
  JSON.stringify(
    fields.map(({ name, kind }) => {
      const text = textOf(values, name)
      return (text !== undefined && kind === 'money' && centsOf(text, language)) || text
    }),
  )
