import type { Findings } from './findings.ts'
import type { Stage } from './stage.ts'
import { type Deed, standingAfter, type Wish } from './stories.ts'
import type { Create } from './traffic.ts'

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

const isTrigger = (wish: Wish) => wish !== 'part' && wish !== 'rest' && wish !== 'refund'
const isMoney = (wish: Wish) => wish === 'part' || wish === 'rest'
const sorted = (values: readonly string[]) => values.toSorted().join(' ')
const countOf = (values: readonly string[], wanted: string) => values.filter(value => value === wanted).length

/** Every wish that was answered had its effect, once; what nobody was told happened once or not at all. */
export async function judgeDeeds(findings: Findings, stage: Stage, made: readonly Create[]): Promise<void> {
  const rows = await stage.ask<AccountRow>(accounts, [stage.company.tenants.production])
  const byNumber = new Map(rows.map(row => [row.number, row]))
  const deeds = made.flatMap(create => create.deeds)
  const kinds = Map.groupBy(deeds, deed => deed.wish)
  findings.figure('wishes', Object.fromEntries([...kinds].map(([wish, own]) => [wish, own.length])))
  const refused = deeds.filter(deed => deed.refusal !== null)
  findings.check('no payment and no trigger was refused', refused.length === 0, refused.map(briefly))
  const answered = deeds.filter(deed => deed.data !== null)
  findings.check('at least 90 % of them were answered', answered.length >= 0.9 * deeds.length, {
    asked: deeds.length,
    answered: answered.length,
  })
  const stories = made.flatMap(create => {
    const row = byNumber.get(create.number)
    // A customer who gave up does not know what happened: only whole stories have an end to compare.
    return row && create.answeredId !== null && create.deeds.every(deed => deed.data !== null)
      ? [{ create, row }]
      : []
  })
  const where = (isWrong: (create: Create, row: AccountRow) => boolean) =>
    stories
      .filter(({ create, row }) => isWrong(create, row))
      .map(({ create, row }) => ({ did: create.deeds.map(deed => deed.wish), ...row }))
  const check = (promise: string, isWrong: (create: Create, row: AccountRow) => boolean) => {
    const wrong = where(isWrong)
    findings.check(promise, wrong.length === 0, wrong)
  }
  check('every recovery stands where its customer left it', ({ isAutoStarted, deeds: own }, row) => {
    return row.recovery !== standingAfter(isAutoStarted, own)
  })
  check('every trigger that was answered is told once in the history', ({ deeds: own }, row) => {
    return sorted(row.triggers) !== sorted(own.map(deed => deed.wish).filter(isTrigger))
  })
  check(
    'every payment that was answered is recorded once, under the id it was answered',
    ({ deeds: own }, row) => {
      const money = own.filter(deed => isMoney(deed.wish))
      const wanted = money.map(deed => `${deed.data!.id} ${deed.cents}`)
      return sorted(row.payments.map(payment => `${payment.id} ${payment.cents}`)) !== sorted(wanted)
    },
  )
  check('every payment, every end of a debt and of a recovery is an event, once', ({ deeds: own }, row) => {
    const wishes = own.map(deed => deed.wish)
    return (
      countOf(row.types, 'payment.received') !== wishes.filter(isMoney).length ||
      countOf(row.types, 'debt.paid') !== countOf(wishes, 'rest') ||
      countOf(row.types, 'workflow.completed') !== countOf(wishes, 'rest') + countOf(wishes, 'cancel')
    )
  })
  const wrong = await stage.ask(faults)
  findings.check('money is conserved, and no step is forgotten', wrong.length === 0, wrong)
}

const briefly = ({ wish, refusal }: Deed) => ({ wish, refusal })
