import type { ChaosInstallation } from './chaos-installation.ts'
import { type ActionKind, type CustomerAction, expectedStatusAfter } from './customer-actions.ts'
import type { Findings } from './findings.ts'
import type { InvoiceRequest } from './traffic.ts'

interface AccountRow {
  number: string
  paid_cents: string
  invoice: string
  recovery: string
  payments: { id: string; cents: number; status: string }[]
  triggers: string[]
  types: string[]
}

// As the administrator, who sees through every policy.
const accounts = `
  select i.number, i.paid_cents, i.status as invoice, r.status as recovery,
         (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'cents', p.amount_cents, 'status', p.status)), '[]')
            from payments p where p.invoice_id = i.id) as payments,
         array(select a.action from actions a where a.invoice_id = i.id and a.status = 'done' and a.channel is null order by a.action)
           as triggers,
         array(select e.type from events e where e.subject_id = i.id order by e.sequence) as types
    from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
   where i.tenant_id = $1`

const faults = `
  select entry_id::text as id, 'an entry that does not balance' as fault from postings
   group by entry_id having sum(amount_cents) <> 0 or count(*) <> 2
  union all
  select i.number, 'a balance that is not its postings' from invoices i
   where i.paid_cents <> -coalesce((select sum(p.amount_cents) from postings p
           where p.invoice_id = i.id and p.account = 'receivable' and p.kind <> 'credit'), 0)
  union all
  select i.number, 'a balance that is not its payments' from invoices i
   where i.paid_cents <> coalesce((select sum(p.amount_cents) from payments p where p.invoice_id = i.id and p.status = 'completed'), 0)
  union all
  select i.number, 'a recovery that waits for a message that is over' from recoveries r
    join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    join communications c on c.tenant_id = r.tenant_id and c.id = r.communication_id
   where c.state not in ('reserved', 'sending')
  union all
  select i.number, 'a step nobody will be woken for' from recoveries r
    join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id
   where r.due_at is not null and r.communication_id is null and a.wake_at is null
  union all
  select i.number, 'a recovery that runs and plans nothing' from recoveries r
    join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
   where r.status = 'in_recovery' and r.due_at is null`

const isTrigger = (kind: ActionKind) => kind !== 'part' && kind !== 'rest' && kind !== 'refund'
const isMoney = (kind: ActionKind) => kind === 'part' || kind === 'rest'
const sorted = (values: readonly string[]) => values.toSorted().join(' ')
const countOf = (values: readonly string[], wanted: string) => values.filter(value => value === wanted).length

/** Every action that was answered had its effect exactly once; an unanswered one had it once or not at all. */
export async function judgeActions(
  findings: Findings,
  installation: ChaosInstallation,
  requests: readonly InvoiceRequest[],
): Promise<void> {
  const rows = await installation.query<AccountRow>(accounts, [installation.company.tenants.production])
  const byNumber = new Map(rows.map(row => [row.number, row]))
  const actions = requests.flatMap(request => request.actions)
  const kinds = Map.groupBy(actions, action => action.kind)
  findings.figure(
    'actions',
    Object.fromEntries([...kinds].map(([kind, ownActions]) => [kind, ownActions.length])),
  )
  const refused = actions.filter(action => action.refusal !== null)
  findings.check('no payment and no trigger was refused', refused.length === 0, refused.map(summarise))
  const answered = actions.filter(action => action.data !== null)
  findings.check('at least 90 % of them were answered', answered.length >= 0.9 * actions.length, {
    asked: actions.length,
    answered: answered.length,
  })
  const completed = requests.flatMap(request => {
    const row = byNumber.get(request.number)
    // After a customer gave up, the expected end is unknown: only invoices whose actions were all answered are compared.
    return row && request.answeredId !== null && request.actions.every(action => action.data !== null)
      ? [{ create: request, row }]
      : []
  })
  const wrongRows = (isWrong: (request: InvoiceRequest, row: AccountRow) => boolean) =>
    completed
      .filter(({ create: request, row }) => isWrong(request, row))
      .map(({ create: request, row }) => ({ did: request.actions.map(action => action.kind), ...row }))
  const check = (promise: string, isWrong: (request: InvoiceRequest, row: AccountRow) => boolean) => {
    const wrong = wrongRows(isWrong)
    findings.check(promise, wrong.length === 0, wrong)
  }
  check('every recovery stands where its customer left it', ({ isAutoStarted, actions: ownActions }, row) => {
    return row.recovery !== expectedStatusAfter(isAutoStarted, ownActions)
  })
  check('every trigger that was accepted is once in the history', ({ actions: ownActions }, row) => {
    const accepted = ownActions.filter(action => !action.isRefused).map(action => action.kind)
    return sorted(row.triggers) !== sorted(accepted.filter(isTrigger))
  })
  check(
    'every payment that was answered is recorded once, under the id it was answered',
    ({ actions: ownActions }, row) => {
      const money = ownActions.filter(action => isMoney(action.kind))
      const wanted = money.map(action => `${action.data!.id} ${action.cents}`)
      return sorted(row.payments.map(payment => `${payment.id} ${payment.cents}`)) !== sorted(wanted)
    },
  )
  check(
    'every payment, every end of a debt and of a recovery is an event, once',
    ({ actions: ownActions }, row) => {
      const actionKinds = ownActions.map(action => action.kind)
      return (
        countOf(row.types, 'payment.received') !== actionKinds.filter(isMoney).length ||
        countOf(row.types, 'debt.paid') !== countOf(actionKinds, 'rest') ||
        countOf(row.types, 'workflow.completed') !==
          countOf(actionKinds, 'rest') + countOf(actionKinds, 'cancel')
      )
    },
  )
  const wrong = await installation.query(faults)
  findings.check('money is conserved, and no step is forgotten', wrong.length === 0, wrong)
}

const summarise = ({ kind, refusal }: CustomerAction) => ({ kind, refusal })
