import type {
  Channel,
  DebtorAct,
  DisputeOutcome,
  InvoiceAct,
  MessageName,
  PaymentMethod,
  Relance,
  RequestOptions,
  WriteOffBasis,
} from '@relance/sdk'
import { type CommandId, commandOf } from '../../lib/commands.ts'
import { momentText, money } from '../../lib/format.ts'
import { type Language, wordsIn } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import type { TwoPlans } from '../../ui/picture/plan-change-layout.ts'
import {
  type Choice,
  centsIn,
  channel,
  type FieldSpec,
  isInvoice,
  momentIn,
  note,
  openChannels,
  reason,
  type Subject,
  textOf,
  until,
  type Values,
} from './act-fields.ts'
import { type ActKey, type Group, words } from './words.ts'

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
  /** Its name in the verdicts of the API. */
  readonly verdict: InvoiceAct['act'] | DebtorAct['act']
  readonly group: Group
  /** Its words, its keys and who may do it stand in the registry of commands. */
  readonly command: CommandId
  /** A stop: shown at once, before the answer is there. Money, sends and ends never are. */
  readonly isStop?: true
  /** It cannot be taken back. */
  readonly isFinal?: true
  readonly fields: readonly FieldSpec[]
  /** What can be chosen, where the API has to say it: of the only field without choices of its own. */
  readonly load?: (deed: Pick<Deed, 'api' | 'subject' | 'language' | 'options'>) => Promise<readonly Choice[]>
  readonly perform: (deed: Deed) => Promise<Effect>
  /** The real opposite, where there is one. */
  readonly inverse?: (deed: Deed, effect: Effect) => Promise<unknown>
}

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

const message: Act = {
  key: 'message',
  on: 'invoice',
  verdict: 'message',
  group: 'talk',
  command: 'message',
  fields: [channel, { name: 'at', kind: 'moment', isOptional: true }],
  async perform(deed) {
    const { api, subject, values, language, dryRun, options } = deed
    const body = { channel: values.channel as Channel, at: momentIn(deed, 'at'), dryRun }
    const { id, plan, scheduledAt, shifts } = await api.workflow.communicate(subject.id, body, options)
    const { leaves, moved } = words[language]
    const rules = new Set(shifts.map(({ because }) => names[language].reasons[because]))
    const note = [
      leaves(whenOf(scheduledAt, deed)),
      ...(rules.size > 0 ? [moved([...rules].join(', '))] : []),
    ]
    return { id, plan, notes: [note.join(' ')] }
  },
  inverse: ({ api, subject, options }, { id }) => api.workflow.takeBack(subject.id, id!, options),
}

/** From the calendar of a debtor: the same, about one of the invoices that run. */
export const messageToDebtor: Act = {
  ...message,
  on: 'debtor',
  fields: [{ name: 'invoice', kind: 'choice' }, ...message.fields],
  async load({ api, subject, language, options }) {
    const { data } = await api.invoices.list(
      {
        debtorId: subject.id,
        workflowStatus: 'in_recovery',
        sortBy: 'due_date',
        sortOrder: 'asc',
        limit: 100,
      },
      { signal: options.signal },
    )
    return data.map(({ id, invoiceNumber, balanceCents, currency }) => [
      id,
      `${invoiceNumber}, ${money(balanceCents, currency, language)}`,
    ])
  },
  perform: deed => message.perform(aboutInvoice(deed)),
  inverse: (deed, effect) => message.inverse!(aboutInvoice(deed), effect),
}

const aboutInvoice = (deed: Deed): Deed => ({
  ...deed,
  subject: { ...deed.subject, id: deed.values.invoice! },
})

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
    inverse: deed => trigger('resume')({ ...deed, values: {} }),
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
    fields: [reason],
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
    verdict: 'promise',
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
    verdict: 'dispute',
    group: 'talk',
    command: 'dispute',
    fields: [
      { name: 'saying', of: 'reason', kind: 'text', lines: 3, maxLength: 500 },
      { name: 'disputedCents', of: 'amountCents', kind: 'money', isOptional: true },
    ],
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
    verdict: 'resolve_dispute',
    group: 'talk',
    command: 'resolve-dispute',
    fields: [{ name: 'outcome', kind: 'choice', choices: language => words[language].outcomes }, note],
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
    verdict: 'payment',
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
    verdict: 'refund',
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
    verdict: 'credit',
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
    verdict: 'cancel',
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
    verdict: 'write_off',
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
    verdict: 'pause',
    group: 'debtor',
    command: 'pause-debtor',
    isStop: true,
    fields: [until, reason],
    perform: pauseDebtor,
    inverse: deed => resumeDebtor({ ...deed, values: {} }),
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
      { name: 'channel', kind: 'choice', choices: openChannels },
      { name: 'saying', of: 'reason', kind: 'text', isOptional: true, maxLength: 500 },
    ],
    async perform({ api, subject, values, dryRun, options }) {
      const body = { channel: values.channel as Channel, reason: textOf(values, 'saying'), dryRun }
      const { plan, inFlight } = await api.debtors.optOut(subject.id, body, options)
      return { plan, inFlight }
    },
  },
]

export const nameOfAct = ({ command }: Act, language: Language): string => commandOf(command)[language]

export interface OfferedAct {
  readonly act: Act
  /** Why it is not possible now, in words. */
  readonly obstacle: string | undefined
}

/** The acts that a person may do, in the order of the menu; those that are not possible with the cause that the API names. */
export const actsFor = (
  subject: Subject,
  may: (operation: string) => boolean,
  language: Language,
): OfferedAct[] =>
  acts.flatMap(act => {
    if (act.on !== subject.kind || !may(commandOf(act.command).needs ?? '')) return []
    // Closing a channel has a verdict for each.
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
  const { reasons, workflowStatuses } = wordsIn(names, language)
  if ('heldBy' in verdict && verdict.heldBy.length > 0)
    return heldBy(verdict.heldBy.map(hold => reasons[hold]).join(', '))
  if (because === 'wrong_status' && isInvoice(subject) && subject.workflowStatus)
    return statusIs(workflowStatuses[subject.workflowStatus])
  return because === null ? '' : obstacles[because]
}

/** What is in the fields when the dialog opens. */
export const firstValues = ({ key }: Act, subject: Subject, language: Language): Values =>
  key === 'payment' && isInvoice(subject)
    ? { amountCents: money(subject.balanceCents, subject.currency, language), method: 'bank_transfer' }
    : key === 'message'
      ? { channel: 'email' }
      : {}
