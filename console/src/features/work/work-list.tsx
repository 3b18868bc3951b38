import type { Today, WorkLine, WorkSummary } from '@relance/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { clockTime, count, day, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import type { WorkFilters } from '../../lib/work.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TaskChip } from './task-chip.tsx'
import { type Group, groupOrder, words } from './words.ts'

interface Props {
  readonly rows: readonly WorkLine[]
  readonly summary: WorkSummary
  readonly filters: WorkFilters
  readonly today: Today
  /** The debtor in the side sheet. */
  readonly open: string | undefined
  readonly onMore: (() => void) | undefined
}

const here = '/$company/$environment' as const

/** The debtors with open work, with what is to be done, their sum and its age. All of it is as the API says. */
export function WorkList({ rows, summary, filters, today, open, onMore }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const { all, later, groups } = summary
  const shown = filters.group === undefined ? all : groups.find(({ group }) => group === filters.group)
  const debtors = (filters.later ? later : shown)?.debtors ?? 0
  const ownerIs = (inCharge: string | undefined, name: string): Choice => ({
    name,
    search: { ...filters, inCharge },
    isChosen: filters.inCharge === inCharge,
  })
  const owners = [ownerIs('me', text.mine), ownerIs(undefined, text.team)]
  const kindIs = (group: Group | undefined, name: string, n: number): Choice => ({
    name: `${name}\u00a0${count(n, language)}`,
    search: { ...filters, group },
    isChosen: filters.group === group,
  })
  const debtorsOf = (group: Group) => groups.find(one => one.group === group)?.debtors ?? 0
  const kinds = [
    kindIs(undefined, text.all, all.debtors),
    ...groupOrder
      .filter(group => group === filters.group || debtorsOf(group) > 0)
      .map(group => kindIs(group, text.groups[group], debtorsOf(group))),
  ]
  return (
    <section aria-labelledby="work" className="min-w-0 rounded-sheet border border-line bg-sheet">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 max-md:py-2">
        <h2 id="work" className="text-section font-[650]">
          {text.title}
        </h2>
        <div className="flex gap-2">
          <Menu label={text.kinds} choices={kinds} />
          <Menu label={text.whose} choices={owners} />
        </div>
        <Side label={text.whose} kind="switch" choices={owners} />
      </header>
      <div className="flex items-end justify-between gap-x-4 border-b border-line px-4">
        <Side label={text.kinds} kind="tabs" choices={kinds} />
        {(later.debtors > 0 || filters.later) && (
          <SearchLink
            search={{ ...filters, later: filters.later ? undefined : 'true' }}
            className="inline-flex min-h-9 items-center text-head whitespace-nowrap text-soft underline"
          >
            {filters.later ? text.now : text.later(count(later.debtors, language))}
          </SearchLink>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty filters={filters} today={today} />
      ) : (
        <ul>
          {rows.map(row => (
            <Row key={row.debtorId} row={row} filters={filters} today={today} open={open} />
          ))}
        </ul>
      )}
      {onMore && (
        <div className="border-t border-line px-4 py-2">
          <Button onClick={onMore}>{text.more}</Button>
        </div>
      )}
      <footer className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1 text-head text-soft">
        <p role="status">
          {[
            text.clients(debtors, count(debtors, language)),
            ...(shown === all && !filters.later
              ? [text.due(money(all.openCents, all.currency, language))]
              : []),
          ].join(' · ')}
        </p>
        <p>{text.order}</p>
      </footer>
    </section>
  )
}

interface Search extends WorkFilters {
  readonly ouvert?: string
}

function SearchLink({
  search,
  ...rest
}: {
  readonly search: Search
  readonly className: string
  readonly children: ReactNode
  readonly 'aria-current'?: 'true' | undefined
  readonly 'data-row'?: string
}) {
  const { company, environment } = usePlace()
  return <Link {...rest} to={here} params={{ company, environment }} search={search} resetScroll={false} />
}

interface Choice {
  readonly name: string
  readonly search: WorkFilters
  readonly isChosen: boolean
}

const tab = {
  tabs: 'inline-flex min-h-9 items-center border-b-2 border-transparent px-1 text-head text-soft hover:text-ink aria-[current]:border-brand aria-[current]:font-[650] aria-[current]:text-ink',
  switch:
    'inline-flex min-h-7 items-center px-2.5 text-head text-soft hover:bg-calm aria-[current]:bg-neutral aria-[current]:font-[650] aria-[current]:text-ink',
}
const around = {
  tabs: 'flex flex-wrap gap-x-3',
  switch: 'flex divide-x divide-edge overflow-hidden rounded-control border border-edge',
}

interface ChoicesProps {
  readonly label: string
  readonly choices: readonly Choice[]
}

/** Links side by side; on a phone there is a menu instead. */
function Side({ label, kind, choices }: ChoicesProps & { readonly kind: keyof typeof tab }) {
  return (
    <nav aria-label={label} className={`${around[kind]} max-md:hidden`}>
      {choices.map(({ name, search, isChosen }) => (
        <SearchLink
          key={name}
          search={search}
          className={tab[kind]}
          aria-current={isChosen ? 'true' : undefined}
        >
          {name}
        </SearchLink>
      ))}
    </nav>
  )
}

function Menu({ label, choices }: ChoicesProps) {
  const navigate = useNavigate()
  const { company, environment } = usePlace()
  const go = (index: number) =>
    void navigate({
      to: here,
      params: { company, environment },
      search: choices[index]!.search,
      resetScroll: false,
    })
  return (
    <select
      aria-label={label}
      className="min-h-11 max-w-40 rounded-control border border-edge bg-sheet px-2 font-medium md:hidden"
      value={choices.findIndex(({ isChosen }) => isChosen)}
      onChange={({ target }) => go(Number(target.value))}
    >
      {choices.map(({ name }, index) => (
        <option key={name} value={index}>
          {name}
        </option>
      ))}
    </select>
  )
}

function Row({
  row,
  filters,
  today,
  open,
}: Pick<Props, 'filters' | 'today' | 'open'> & { readonly row: WorkLine }) {
  const text = useWords(words)
  const language = useLanguage()
  const { debtorId, name, openCents, currency, oldestDaysOverdue, comeBackOn, tasks, taskCount } = row
  const [first] = tasks
  return (
    <li className="border-b border-line last:border-b-0">
      <SearchLink
        search={{ ...filters, ouvert: debtorId }}
        data-row={debtorId}
        aria-current={open === debtorId ? 'true' : undefined}
        className="group grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 -outline-offset-2 hover:bg-calm focus-visible:bg-calm aria-[current]:bg-calm aria-[current]:shadow-[inset_3px_0_var(--brand)] forced-colors:aria-[current]:outline-2 max-md:py-2 md:grid-cols-[minmax(0,1fr)_minmax(9rem,12.5rem)_7rem_2.75rem_auto]"
      >
        <span className="min-w-0 break-words">{name}</span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-md:order-3">
          {first && <TaskChip task={first} now={today.now} timeZone={today.timeZone} />}
          {taskCount > 1 && <span className="text-mark text-soft">{text.moreTasks(taskCount - 1)}</span>}
          {filters.later && comeBackOn !== null && (
            <span className="text-mark text-soft">{text.backOn(day(comeBackOn, language))}</span>
          )}
          {oldestDaysOverdue !== null && (
            <span className="text-head text-soft md:hidden">
              {text.days(count(oldestDaysOverdue, language))}
            </span>
          )}
        </span>
        <span className="text-right font-medium whitespace-nowrap max-md:order-2">
          {money(openCents, currency, language)}
        </span>
        <span className="text-right whitespace-nowrap text-soft max-md:hidden">
          {oldestDaysOverdue === null ? '–' : text.days(count(oldestDaysOverdue, language))}
        </span>
        {/* The whole row is the link. */}
        <span
          className={`${buttonClass()} min-h-7! w-21 group-hover:border-brand group-hover:bg-brand group-hover:text-on-brand group-focus-visible:border-brand group-focus-visible:bg-brand group-focus-visible:text-on-brand max-md:order-4 max-md:min-h-9! ${open === undefined ? '' : 'min-[85rem]:hidden'}`}
        >
          {first ? text.buttons[first.kind] : text.open}
        </span>
      </SearchLink>
    </li>
  )
}

/** What is planned next is in the slots of the day. */
function Empty({ filters, today }: Pick<Props, 'filters' | 'today'>) {
  const text = useWords(words)
  const hasFilter =
    filters.group !== undefined || filters.inCharge !== undefined || filters.later !== undefined
  if (hasFilter)
    return (
      <p className="flex flex-wrap gap-x-3 px-4 py-6 text-soft">
        {text.nothingHere}
        <SearchLink search={{}} className="min-h-6 text-brand underline">
          {text.clear}
        </SearchLink>
      </p>
    )
  const next = today.slots.find(({ at, planned }) => planned > 0 && at >= today.now)
  return (
    <p className="px-4 py-6 text-soft">
      {[text.empty, next && text.nextSending(clockTime(next.at, today.timeZone))].filter(Boolean).join(' ')}
    </p>
  )
}
