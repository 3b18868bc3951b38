import type {
  Channel,
  Debtor,
  DebtorAct,
  DisputeCategory,
  DisputeOutcome,
  InsolvencyKind,
  InvoiceAct,
  MessageName,
  MessageRequest,
  PaymentInput,
  Relance,
  RequestOptions,
  SituationDecisionInput,
  WriteOffBasis,
} from '@relance/sdk'
import { type CommandId, commandOf } from '../../lib/commands.ts'
import { day, momentText, money } from '../../lib/format.ts'
import { type Language, wordsIn } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { standingText } from '../../lib/standing.ts'
import type { TwoPlans } from '../../ui/picture/plan-change-layout.ts'
import {
  type Choice,
  centsIn,
  channelsFor,
  chosenIds,
  decisionsOf,
  type FieldSpec,
  isInvoice,
  momentIn,
  note,
  reason,
  type SplitRow,
  type Subject,
  splitOf,
  textOf,
  until,
  type Values,
} from './act-fields.ts'
import { type ActKey, type Group, words } from './words.ts'

/** The effect of an act as the API reports it: fields that all acts share, and some that only one act has. */
export interface Effect {
  readonly plan?: TwoPlans | null | undefined
  readonly inFlight?: readonly { readonly channel: Channel; readonly action: MessageName }[]
  /** The id of the planned message. */
  readonly id?: string | null
  /** When an answer leaves. */
  readonly answerAt?: string | null
  readonly notes?: readonly string[]
  /** What has to be confirmed before the act: more is recorded than is owed. */
  readonly toConfirm?: string | undefined
  /** The open invoices of a debtor, with what each gets of a sum. */
  readonly split?: readonly SplitRow[]
}

type Situation = NonNullable<Debtor['reported']>['situation']
type Decision = SituationDecisionInput['decision']

/** Everything an act needs to run. */
export interface ActRequest {
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
  /** Its name in the verdicts of the API; null for an act that only a task offers. */
  readonly verdict: InvoiceAct['act'] | DebtorAct['act'] | null
  readonly group: Group
  /** Its name, its keys and the required permission are in the registry of commands. */
  readonly command: CommandId
  /** Where another operation than that of its command does it. */
  readonly operation?: string
  /** A stop is shown before the API answers. Payments, sends and final acts never are. */
  readonly isStop?: true
  /** It cannot be taken back. */
  readonly isFinal?: true
  readonly fields: readonly FieldSpec[]
  /** Loads the choices from the API, for the only field that has no fixed choices. */
  readonly load?: (
    request: Pick<ActRequest, 'api' | 'subject' | 'language' | 'options'>,
  ) => Promise<readonly Choice[]>
  readonly perform: (request: ActRequest) => Promise<Effect>
  /** The act that undoes this one, if there is one. */
  readonly inverse?: (request: ActRequest, effect: Effect) => Promise<unknown>
}

const sumOf = (cents: number, { subject, language }: ActRequest) => money(cents, subject.currency, language)
const whenOf = (at: string, { subject, language }: ActRequest) => momentText(at, subject.timeZone, language)

const isPartly = ({ outcome }: Values) => outcome === 'partly'
const isNotWholly = ({ outcome }: Values) => outcome === 'partly' || outcome === 'rejected'
const isRepresented = ({ decision }: Values) => decision === 'representative'
const isFiled = ({ filing }: Values) => filing === 'filed'
const isServed = ({ filing }: Values) => filing === 'served'

const trigger =
  (action: 'start' | 'pause' | 'resume' | 'escalate') =>
  (request: ActRequest): Promise<Effect> =>
    request.api.workflow.trigger(
      request.subject.id,
      {
        action,
        reason: textOf(request.values, 'reason'),
        ...(action === 'pause' && { until: momentIn(request, 'until') }),
        ...(action === 'escalate' && request.values.noticeReceived === 'yes' && { noticeReceived: true }),
        dryRun: request.dryRun,
      },
      request.options,
    )

async function pauseDebtor(request: ActRequest): Promise<Effect> {
  const { api, subject, values, language, dryRun, options } = request
  const body = { until: momentIn(request, 'until'), reason: textOf(values, 'reason'), dryRun }
  const { plan, inFlight, recoveriesHeld } = await api.debtors.pause(subject.id, body, options)
  return { plan, inFlight, notes: [words[language].held(recoveriesHeld)] }
}

async function resumeDebtor({
  api,
  subject,
  values,
  language,
  dryRun,
  options,
}: ActRequest): Promise<Effect> {
  const body = { reason: textOf(values, 'reason'), dryRun }
  const { plan, recoveriesReleased } = await api.debtors.resume(subject.id, body, options)
  return { plan, notes: [words[language].released(recoveriesReleased)] }
}

const isRequested: Record<NonNullable<MessageRequest['template']>, true> = {
  extra_message: true,
  written_message: true,
  account_statement: true,
}

/** The messages that a user requested and that are not sent yet. Others, such as the answer to a dispute, cannot be taken back. */
async function requestedOf({ api, subject, options }: Pick<ActRequest, 'api' | 'subject' | 'options'>) {
  const plan = await api.workflow.plan(subject.id, { signal: options.signal })
  const actions = plan.actions.filter(
    ({ communicationId, action }) => communicationId !== null && action in isRequested,
  )
  return { plan, actions }
}

/** A deletion has no dry run: the preview shows the one message that will not be sent. */
async function takeBack(request: ActRequest): Promise<Effect> {
  const { api, subject, values, dryRun, options } = request
  const id = textOf(values, 'message')!
  if (!dryRun) {
    await api.workflow.takeBack(subject.id, id, options)
    return {}
  }
  const { plan, actions } = await requestedOf(request)
  const withActions = (some: typeof actions) => Object.assign({}, plan, { actions: some })
  const before = withActions(actions.filter(({ communicationId }) => communicationId === id))
  return { plan: { before: [before], after: [withActions([])] } }
}

/** It has a sheet of its own, which performs it: write-sheet.tsx. */
export const message: Act = {
  key: 'message',
  on: 'invoice',
  verdict: 'message',
  group: 'talk',
  command: 'message',
  fields: [],
  perform: async () => ({}),
  inverse: ({ api, subject, options }, { id }) => api.workflow.takeBack(subject.id, id!, options),
}

type Loading = Pick<ActRequest, 'api' | 'subject' | 'language' | 'options'>

/** Invoices of a debtor, the one that is due first at the beginning. */
async function invoicesOf(
  { api, subject, language, options }: Loading,
  workflowStatus: 'in_recovery' | 'paused',
): Promise<readonly Choice[]> {
  const { data } = await api.invoices.list(
    { debtorId: subject.id, workflowStatus, sortBy: 'due_date', sortOrder: 'asc', limit: 100 },
    { signal: options.signal },
  )
  return data.map(({ id, invoiceNumber, balanceCents, currency }) => [
    id,
    `${invoiceNumber}, ${money(balanceCents, currency, language)}`,
  ])
}

/** Those whose reminders a promise can make wait. */
const runningInvoices = async (request: Loading) =>
  (await Promise.all([invoicesOf(request, 'in_recovery'), invoicesOf(request, 'paused')])).flat()

/** The fields of money that was received. */
const received: readonly FieldSpec[] = [
  { name: 'amountCents', kind: 'money' },
  { name: 'method', kind: 'choice', choices: language => words[language].methods },
  { name: 'paidAt', kind: 'day', isOptional: true },
  { name: 'externalReference', kind: 'text', isOptional: true },
]
const overpayment: FieldSpec = {
  name: 'allowOverpayment',
  kind: 'check',
  isOptional: true,
  isQuestion: true,
}

/** The dry run allows more than is owed, because its answer says how much it is. */
const receivedIn = (request: ActRequest) => {
  const { values, dryRun } = request
  const means =
    values.method === 'cheque'
      ? { method: 'bank_transfer' as const, instrument: 'cheque' as const }
      : { method: values.method as PaymentInput['method'] }
  return {
    amountCents: centsIn(request, 'amountCents')!,
    ...means,
    paidAt: momentIn(request, 'paidAt'),
    externalReference: textOf(values, 'externalReference'),
    allowOverpayment: dryRun || values.allowOverpayment === 'yes',
    dryRun,
  }
}

async function receive(request: ActRequest): Promise<Effect> {
  const { api, subject, values, language, options } = request
  const split = splitOf(values.split, language)
  const body = {
    debtorId: subject.id,
    currency: subject.currency,
    ...receivedIn(request),
    ...(split.length > 0 && { split }),
  }
  const answer = await api.payments.receive(body, options)
  const { plan, inFlight, leftOverCents, excessCents } = answer
  const { excessOfSeveral, leftOver } = words[language]
  const last = answer.split.at(-1)!
  const toConfirm =
    split.length > 0 && leftOverCents > 0
      ? leftOver(sumOf(leftOverCents, request), last.invoiceNumber)
      : excessCents > 0
        ? excessOfSeveral(sumOf(excessCents, request), last.invoiceNumber)
        : undefined
  const rows = [
    ...answer.split.map(part => ({
      id: part.invoiceId,
      number: part.invoiceNumber,
      dueDate: part.dueDate,
      owedCents: part.owedBeforeCents,
      cents: part.amountCents,
      afterCents: part.owedAfterCents,
    })),
    ...(answer.otherInvoices ?? []).map(({ invoiceId, invoiceNumber, dueDate, owedCents }) => ({
      id: invoiceId,
      number: invoiceNumber,
      dueDate,
      owedCents,
      cents: 0,
      afterCents: owedCents,
    })),
  ]
  return {
    plan,
    inFlight,
    toConfirm,
    split: rows.toSorted((a, b) => (`${a.dueDate} ${a.number}` < `${b.dueDate} ${b.number}` ? -1 : 1)),
  }
}

/** Everything that can be done to an invoice or a debtor, in the order of the menu. */
export const acts: readonly Act[] = [
  {
    key: 'start',
    on: 'invoice',
    verdict: 'start',
    group: 'run',
    command: 'start',
    fields: [reason],
    perform: trigger('start'),
  },
  {
    key: 'pause',
    on: 'invoice',
    verdict: 'pause',
    group: 'run',
    command: 'pause-invoice',
    isStop: true,
    fields: [until, reason],
    perform: trigger('pause'),
    inverse: request => trigger('resume')({ ...request, values: {} }),
  },
  {
    key: 'resume',
    on: 'invoice',
    verdict: 'resume',
    group: 'run',
    command: 'resume-invoice',
    fields: [reason],
    perform: trigger('resume'),
  },
  {
    key: 'escalate',
    on: 'invoice',
    verdict: 'escalate',
    group: 'run',
    command: 'escalate',
    fields: [{ name: 'noticeReceived', kind: 'check', isOptional: true }, reason],
    perform: trigger('escalate'),
  },
  message,
  {
    key: 'takeBack',
    on: 'invoice',
    verdict: 'take_back',
    group: 'talk',
    command: 'take-back',
    fields: [{ name: 'message', kind: 'choice' }],
    async load(request) {
      const { actions } = await requestedOf(request)
      return actions.map(({ communicationId, channel, scheduledAt }) => [
        communicationId!,
        [
          channel && words[request.language].channels[channel],
          scheduledAt && momentText(scheduledAt, request.subject.timeZone, request.language),
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
    verdict: 'promise',
    group: 'talk',
    command: 'promise',
    fields: [
      { name: 'date', kind: 'day' },
      { name: 'promisedCents', of: 'amountCents', kind: 'money', isOptional: true },
      note,
    ],
    async perform(request) {
      const { api, subject, values, language, dryRun, options } = request
      const body = {
        date: values.date!,
        amountCents: centsIn(request, 'promisedCents'),
        note: textOf(values, 'note'),
        dryRun,
      }
      const { plan, inFlight, waitsUntil } = await api.invoices.promise(subject.id, body, options)
      return { plan, inFlight, notes: [words[language].waits(whenOf(waitsUntil, request))] }
    },
  },
  {
    key: 'promiseAll',
    on: 'debtor',
    verdict: 'promise',
    group: 'talk',
    command: 'promise',
    operation: 'debtors.promise',
    fields: [{ name: 'date', kind: 'day' }, { name: 'invoiceIds', kind: 'several', isOptional: true }, note],
    load: runningInvoices,
    async perform(request) {
      const { api, subject, values, language, dryRun, options } = request
      const chosen = chosenIds(values.invoiceIds)
      const body = {
        date: values.date!,
        ...(chosen.length > 0 && { invoiceIds: chosen }),
        note: textOf(values, 'note'),
        dryRun,
      }
      const { plan, inFlight, waitsUntil, promises, withoutPromise } = await api.debtors.promise(
        subject.id,
        body,
        options,
      )
      const { waits, promisedFor, withoutPromiseOf } = words[language]
      const notes = [promisedFor(promises.length), waits(whenOf(waitsUntil, request))]
      const left = withoutPromise.map(({ invoiceNumber }) => invoiceNumber)
      if (left.length > 0) notes.push(withoutPromiseOf(left.join(', ')))
      return { plan, inFlight, notes }
    },
  },
  {
    key: 'dispute',
    on: 'invoice',
    verdict: 'dispute',
    group: 'talk',
    command: 'dispute',
    fields: [
      { name: 'saying', of: 'reason', kind: 'text', lines: 3 },
      {
        name: 'category',
        kind: 'choice',
        isOptional: true,
        choices: language => words[language].categories,
      },
      { name: 'disputedCents', of: 'amountCents', kind: 'money', isOptional: true },
    ],
    async perform(request) {
      const { api, subject, values, language, dryRun, options } = request
      const body = {
        reason: textOf(values, 'saying')!,
        category: textOf(values, 'category') as DisputeCategory | undefined,
        amountCents: centsIn(request, 'disputedCents'),
        dryRun,
      }
      const { plan, inFlight, disputedCents, amountCents } = await api.invoices.dispute(
        subject.id,
        body,
        options,
      )
      const { disputed, wholeWaits } = words[language]
      const notes = [disputed(sumOf(disputedCents, request))]
      if (amountCents !== null) notes.push(wholeWaits)
      return { plan, inFlight, notes }
    },
  },
  {
    key: 'resolve',
    on: 'invoice',
    verdict: 'resolve_dispute',
    group: 'talk',
    command: 'resolve-dispute',
    fields: [
      { name: 'outcome', kind: 'choice', choices: language => words[language].outcomes },
      { name: 'notOwedCents', of: 'amountCents', kind: 'money', isOptional: true, when: isPartly },
      {
        name: 'creditNumber',
        kind: 'text',
        isOptional: true,
        when: values => isPartly(values) && textOf(values, 'notOwedCents') !== undefined,
      },
      { name: 'answer', kind: 'text', lines: 3, isOptional: true, when: isNotWholly },
      note,
    ],
    async perform(request) {
      const { api, subject, values, language, dryRun, options } = request
      const amountCents = isPartly(values) ? centsIn(request, 'notOwedCents') : undefined
      const body = {
        outcome: values.outcome as DisputeOutcome,
        amountCents,
        creditNumber: amountCents === undefined ? undefined : textOf(values, 'creditNumber'),
        answer: isNotWholly(values) ? textOf(values, 'answer') : undefined,
        note: textOf(values, 'note'),
        dryRun,
      }
      const { plan, inFlight, disputedCents, creditedCents } = await api.invoices.resolveDispute(
        subject.id,
        body,
        options,
      )
      const { disputed, credited } = words[language]
      const sums = [disputed(sumOf(disputedCents, request))]
      if (creditedCents !== null) sums.push(credited(sumOf(creditedCents, request)))
      return { plan, inFlight, notes: [sums.join(' ')] }
    },
  },
  {
    key: 'payment',
    on: 'invoice',
    verdict: 'payment',
    group: 'money',
    command: 'payment',
    fields: [...received, overpayment],
    async perform(request) {
      const { api, subject, language, options } = request
      const body = { invoiceId: subject.id, ...receivedIn(request) }
      const { plan, inFlight, excessCents, owedBeforeCents } = await api.payments.create(body, options)
      const { excess } = words[language]
      const toConfirm =
        excessCents > 0 ? excess(sumOf(excessCents, request), sumOf(owedBeforeCents, request)) : undefined
      return { plan, inFlight, toConfirm }
    },
  },
  {
    key: 'receipt',
    on: 'debtor',
    verdict: 'payment',
    group: 'money',
    command: 'payment',
    operation: 'payments.receive',
    fields: [...received, { name: 'split', kind: 'split', isOptional: true }, overpayment],
    perform: receive,
  },
  {
    key: 'refund',
    on: 'invoice',
    verdict: 'refund',
    group: 'money',
    command: 'refund',
    fields: [{ name: 'payment', kind: 'choice' }, reason],
    async load({ api, subject, language, options }) {
      const { data } = await api.payments.ofInvoice(subject.id, { limit: 100 }, { signal: options.signal })
      return data
        .filter(({ status }) => status === 'completed')
        .map(({ id, amountCents, currency, method, instrument, paidAt, createdAt }) => [
          id,
          [
            money(amountCents, currency, language),
            words[language].methods[instrument ?? method],
            momentText(paidAt ?? createdAt, subject.timeZone, language),
          ].join(', '),
        ])
    },
    async perform({ api, values, dryRun, options }) {
      const body = { reason: textOf(values, 'reason'), dryRun }
      const { plan, inFlight } = await api.payments.refund(values.payment!, body, options)
      return { plan, inFlight }
    },
  },
  {
    key: 'credit',
    on: 'invoice',
    verdict: 'credit',
    group: 'money',
    command: 'credit',
    fields: [
      { name: 'number', kind: 'text' },
      { name: 'amountCents', kind: 'money' },
      { name: 'issuedOn', kind: 'day' },
    ],
    async perform(request) {
      const { api, subject, values, language, dryRun, options } = request
      const body = {
        number: textOf(values, 'number')!,
        amountCents: centsIn(request, 'amountCents')!,
        issuedOn: values.issuedOn!,
        dryRun,
      }
      const { plan, inFlight, balanceCents } = await api.invoices.credit(subject.id, body, options)
      return { plan, inFlight, notes: [words[language].remains(sumOf(balanceCents, request))] }
    },
  },
  {
    key: 'cancel',
    on: 'invoice',
    verdict: 'cancel',
    group: 'end',
    command: 'cancel',
    isFinal: true,
    fields: [
      { name: 'reason', kind: 'text' },
      { name: 'notifyDebtor', kind: 'check', isOptional: true },
      { name: 'stillOwed', kind: 'choice', isOptional: true, choices: language => words[language].owed },
    ],
    async perform({ api, subject, values, language, dryRun, options }) {
      const notifyDebtor = values.notifyDebtor === 'yes'
      const stillOwed = values.stillOwed ? values.stillOwed === 'yes' : undefined
      const body = { reason: textOf(values, 'reason')!, notifyDebtor, stillOwed, dryRun }
      const { plan, inFlight, summary } = await api.invoices.cancel(subject.id, body, options)
      const { closingNotice, noClosingNotice } = words[language]
      const notes = notifyDebtor ? [summary.debtorNotified ? closingNotice : noClosingNotice] : []
      return { plan, inFlight, notes }
    },
  },
  {
    key: 'writeOff',
    on: 'invoice',
    verdict: 'write_off',
    group: 'end',
    command: 'write-off',
    isFinal: true,
    fields: [
      { name: 'basis', kind: 'choice', choices: language => words[language].bases },
      { name: 'attested', of: 'note', kind: 'text', lines: 3, isOptional: true },
    ],
    async perform(request) {
      const { api, subject, values, language, dryRun, options } = request
      const body = { basis: values.basis as WriteOffBasis, note: textOf(values, 'attested'), dryRun }
      const { plan, inFlight, writtenOffCents } = await api.invoices.writeOff(subject.id, body, options)
      return { plan, inFlight, notes: [words[language].lost(sumOf(writtenOffCents, request))] }
    },
  },
  {
    key: 'file',
    on: 'invoice',
    verdict: 'file',
    group: 'end',
    command: 'record-filing',
    fields: [
      { name: 'filing', kind: 'choice', choices: language => words[language].filings },
      { name: 'filedOn', kind: 'day', when: isFiled },
      { name: 'filingProof', kind: 'text', when: isFiled },
      { name: 'servedOn', kind: 'day', when: isServed },
      { name: 'serviceProof', kind: 'text', when: isServed },
    ],
    async perform({ api, subject, values, language, dryRun, options }) {
      const recorded = isFiled(values)
        ? { filedOn: values.filedOn, filingProof: textOf(values, 'filingProof') }
        : { servedOn: values.servedOn, serviceProof: textOf(values, 'serviceProof') }
      const { plan, limitationEndsOn } = await api.workflow.recordFiling(
        subject.id,
        { ...recorded, dryRun },
        options,
      )
      return { plan, notes: [words[language].limitation(day(limitationEndsOn, language))] }
    },
  },
  {
    key: 'debtorPause',
    on: 'debtor',
    verdict: 'pause',
    group: 'debtor',
    command: 'pause-debtor',
    isStop: true,
    fields: [until, reason],
    perform: pauseDebtor,
    inverse: request => resumeDebtor({ ...request, values: {} }),
  },
  {
    key: 'debtorResume',
    on: 'debtor',
    verdict: 'resume',
    group: 'debtor',
    command: 'resume-debtor',
    fields: [reason],
    perform: resumeDebtor,
  },
  {
    key: 'optOut',
    on: 'debtor',
    verdict: 'opt_out',
    group: 'debtor',
    command: 'opt-out',
    fields: [
      { name: 'channel', kind: 'choice', choices: channelsFor('opt_out') },
      { name: 'saying', of: 'reason', kind: 'text', isOptional: true },
    ],
    async perform({ api, subject, values, dryRun, options }) {
      const body = { channel: values.channel as Channel, reason: textOf(values, 'saying'), dryRun }
      const { plan, inFlight } = await api.debtors.optOut(subject.id, body, options)
      return { plan, inFlight }
    },
  },
  {
    key: 'correctAddress',
    on: 'debtor',
    verdict: 'correct_address',
    group: 'debtor',
    command: 'correct-address',
    fields: [
      { name: 'email', kind: 'text' },
      { name: 'phone', kind: 'text', isOptional: true },
      { name: 'siret', kind: 'text', isOptional: true },
      { name: 'address', kind: 'text', lines: 2, isOptional: true },
      { name: 'postalCode', kind: 'text', isOptional: true },
      { name: 'city', kind: 'text', isOptional: true },
    ],
    async perform({ api, subject, values, dryRun, options }) {
      const before = isInvoice(subject) ? null : subject.contact
      // A field that was emptied is cleared; one that is as it was is not sent.
      const changed = (name: 'phone' | 'siret' | 'address' | 'postalCode' | 'city') => {
        const value = textOf(values, name) ?? null
        return value === (before?.[name] ?? null) ? {} : { [name]: value }
      }
      const body = {
        email: textOf(values, 'email')!,
        ...changed('phone'),
        ...changed('siret'),
        ...changed('address'),
        ...changed('postalCode'),
        ...changed('city'),
      }
      const { plan } = await api.debtors.update(subject.id, { ...body, dryRun }, options)
      return { plan }
    },
  },
  {
    key: 'retryAddress',
    on: 'debtor',
    verdict: 'retry_address',
    group: 'debtor',
    command: 'retry-address',
    fields: [{ name: 'channel', kind: 'choice', choices: channelsFor('retry_address') }, reason],
    async perform({ api, subject, values, language, dryRun, options }) {
      const body = { channel: values.channel as Channel, reason: textOf(values, 'reason'), dryRun }
      const { plan, recoveriesReleased } = await api.debtors.retryAddress(subject.id, body, options)
      return { plan, notes: [words[language].released(recoveriesReleased)] }
    },
  },
  {
    key: 'reportSituation',
    on: 'debtor',
    verdict: 'report_situation',
    group: 'debtor',
    command: 'report-situation',
    fields: [
      { name: 'situation', kind: 'choice', choices: language => words[language].situations },
      { name: 'toldBy', of: 'channel', kind: 'choice', choices: language => words[language].tellings },
      note,
    ],
    async perform({ api, subject, values, language, dryRun, options }) {
      const body = {
        situation: values.situation as Situation,
        channel: values.toldBy as Channel,
        note: textOf(values, 'note'),
        dryRun,
      }
      const { plan, inFlight } = await api.debtors.reportSituation(subject.id, body, options)
      return { plan, inFlight, notes: [words[language].untilDecided] }
    },
  },
  {
    key: 'decideSituation',
    on: 'debtor',
    verdict: 'decide_situation',
    group: 'debtor',
    command: 'decide-situation',
    fields: [
      { name: 'decision', kind: 'choice', choices: decisionsOf },
      {
        name: 'representativeName',
        of: 'representative.name',
        kind: 'text',
        when: isRepresented,
      },
      {
        name: 'representativeEmail',
        of: 'representative.email',
        kind: 'text',
        when: isRepresented,
      },
      {
        name: 'representativePhone',
        of: 'representative.phone',
        kind: 'text',
        isOptional: true,
        when: isRepresented,
      },
      {
        name: 'representativeAddress',
        of: 'representative.address',
        kind: 'text',
        lines: 2,
        isOptional: true,
        when: isRepresented,
      },
      {
        name: 'representativePostalCode',
        of: 'representative.postalCode',
        kind: 'text',
        isOptional: true,
        when: isRepresented,
      },
      {
        name: 'representativeCity',
        of: 'representative.city',
        kind: 'text',
        isOptional: true,
        when: isRepresented,
      },
      note,
    ],
    async perform({ api, subject, values, dryRun, options }) {
      const situationId = (!isInvoice(subject) && subject.reported?.situationId) || ''
      const representative = {
        name: textOf(values, 'representativeName')!,
        email: textOf(values, 'representativeEmail')!,
        phone: textOf(values, 'representativePhone'),
        address: textOf(values, 'representativeAddress'),
        postalCode: textOf(values, 'representativePostalCode'),
        city: textOf(values, 'representativeCity'),
      }
      const body = {
        decision: values.decision as Decision,
        ...(isRepresented(values) && { representative }),
        note: textOf(values, 'note'),
        dryRun,
      }
      const { plan } = await api.debtors.decideSituation(subject.id, situationId, body, options)
      return { plan }
    },
  },
  {
    key: 'recordInsolvency',
    on: 'debtor',
    verdict: 'record_insolvency',
    group: 'debtor',
    command: 'record-insolvency',
    fields: [
      {
        name: 'kind',
        of: 'insolvency.kind',
        kind: 'choice',
        choices: language => words[language].proceedings,
      },
      { name: 'openedOn', of: 'insolvency.openedOn', kind: 'day' },
      { name: 'publishedOn', of: 'insolvency.publishedOn', kind: 'day', isOptional: true },
      { name: 'court', of: 'insolvency.court', kind: 'text', isOptional: true },
      {
        name: 'practitioner',
        of: 'insolvency.practitioner',
        kind: 'text',
        isOptional: true,
      },
      { name: 'declaredOn', of: 'insolvency.declaredOn', kind: 'day', isOptional: true },
      {
        name: 'declarationProof',
        of: 'insolvency.declarationProof',
        kind: 'text',
        isOptional: true,
        when: values => textOf(values, 'declaredOn') !== undefined,
      },
    ],
    async perform({ api, subject, values, language, dryRun, options }) {
      const insolvency = {
        kind: values.kind as InsolvencyKind,
        openedOn: values.openedOn!,
        publishedOn: textOf(values, 'publishedOn'),
        court: textOf(values, 'court'),
        practitioner: textOf(values, 'practitioner'),
        declaredOn: textOf(values, 'declaredOn'),
        declarationProof: values.declaredOn ? textOf(values, 'declarationProof') : undefined,
      }
      const answer = await api.debtors.update(subject.id, { insolvency, dryRun }, options)
      const { declareBy, declaredOn } = answer.insolvency!
      const { toDeclare, untilEnded } = words[language]
      const notes = [untilEnded]
      if (declareBy !== null && declaredOn === null) notes.push(toDeclare(day(declareBy, language)))
      return { plan: answer.plan, notes }
    },
  },
  {
    key: 'endInsolvency',
    on: 'debtor',
    verdict: 'end_insolvency',
    group: 'debtor',
    command: 'end-insolvency',
    fields: [],
    async perform({ api, subject, dryRun, options }) {
      const { plan } = await api.debtors.update(subject.id, { insolvency: null, dryRun }, options)
      return { plan }
    },
  },
]

export const nameOfAct = ({ command }: Act, language: Language): string => commandOf(command)[language]

/** The operation that does it. */
export const operationOf = ({ operation, command }: Act): string =>
  operation ?? commandOf(command).needs ?? ''

export interface OfferedAct {
  readonly act: Act
  /** Why it is not possible now, in words. */
  readonly obstacle: string | undefined
}

/** The acts that the user may perform, in menu order. Acts that are not possible now have the cause that the API gives. */
export const actsFor = (
  subject: Subject,
  may: (operation: string) => boolean,
  language: Language,
): OfferedAct[] =>
  acts.flatMap(act => {
    if (act.on !== subject.kind || !may(operationOf(act))) return []
    // Closing a channel has one verdict per channel.
    const verdicts = subject.acts.filter((one: InvoiceAct | DebtorAct) => one.act === act.verdict)
    const [first] = verdicts
    if (!first) return []
    const isPossible = verdicts.some(({ allowed }) => allowed)
    return [{ act, obstacle: isPossible ? undefined : obstacleOf(first, subject, language) }]
  })

function obstacleOf(
  { because, ...verdict }: InvoiceAct | DebtorAct,
  subject: Subject,
  language: Language,
): string {
  const { obstacles, heldBy, statusIs } = wordsIn(words, language)
  const { reasons } = wordsIn(names, language)
  if ('heldBy' in verdict && verdict.heldBy.length > 0)
    return heldBy(verdict.heldBy.map(hold => reasons[hold]).join(', '))
  if (because === 'wrong_status' && isInvoice(subject) && subject.standing)
    return statusIs(standingText(subject.standing, language))
  return because === null ? '' : obstacles[because]
}

/** The default field values of an act. */
export function firstValues({ key }: Act, subject: Subject, language: Language): Values {
  if (key === 'receipt') return { method: 'bank_transfer' }
  if (isInvoice(subject))
    return key === 'payment'
      ? { amountCents: money(subject.balanceCents, subject.currency, language), method: 'bank_transfer' }
      : {}
  if (key === 'correctAddress') {
    const { email, phone, siret, address, postalCode, city } = subject.contact
    return {
      email,
      phone: phone ?? '',
      siret: siret ?? '',
      address: address ?? '',
      postalCode: postalCode ?? '',
      city: city ?? '',
    }
  }
  if (key === 'retryAddress') {
    const [first] = Object.keys(channelsFor('retry_address')(language, subject))
    return first === undefined ? {} : { channel: first }
  }
  // Proceedings are recorded as a whole: what is on record is kept unless it is changed.
  if (key !== 'recordInsolvency' || subject.insolvency === null) return {}
  const { kind, openedOn, publishedOn, court, practitioner, declaredOn, declarationProof } =
    subject.insolvency
  return {
    kind,
    openedOn,
    publishedOn: publishedOn ?? '',
    court: court ?? '',
    practitioner: practitioner ?? '',
    declaredOn: declaredOn ?? '',
    declarationProof: declarationProof ?? '',
  }
}
