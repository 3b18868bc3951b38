import type { Today } from '@relance/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { WorkList } from '../features/work/work-list.tsx'
import { useApi, usePlace } from '../lib/api.ts'
import { useCommand } from '../lib/commands.ts'
import { isTyping } from '../lib/keys.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { type WorkFilters, workQuery, workSummaryQuery } from '../lib/work.ts'
import { Failure } from '../ui/failure.tsx'

const WorkSheet = lazyPart(() => import('../features/work/work-sheet.tsx'))
const TaskActs = lazyPart(() => import('../features/acts/task-acts.tsx'))

interface Props {
  readonly today: Today
  readonly filters: WorkFilters
  /** The debtor in the side sheet. */
  readonly open: string | undefined
}

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)

/** The list of what is to be done. */
export function Work({ today, filters, open }: Props) {
  const api = useApi()
  const list = useInfiniteQuery(workQuery(api, filters))
  const summary = useQuery(workSummaryQuery(api, filters))
  const failed = [list, summary].find(({ error, data }) => error && !data)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!list.data || !summary.data) return null
  return (
    <WorkList
      rows={list.data.pages.flatMap(({ data }) => data)}
      summary={summary.data}
      filters={filters}
      today={today}
      open={open}
      onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
    />
  )
}

/** The debtor of the URL beside the list. When its last task is done, the next debtor of the list takes its place. */
export function OpenWork({ today, filters, open }: Props) {
  const api = useApi()
  const { company, environment } = usePlace()
  const navigate = useNavigate()
  const list = useInfiniteQuery(workQuery(api, filters))
  const { data: summary } = useQuery(workSummaryQuery(api, filters))
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const ids = rows.map(({ debtorId }) => debtorId)
  const show = (id: string | undefined) =>
    void navigate({
      to: '/$company/$environment',
      params: { company, environment },
      search: { ...filters, ...(id !== undefined && { ouvert: id }) },
      replace: true,
      resetScroll: false,
    })

  const known = useRef<readonly string[]>(ids)
  useEffect(() => {
    const before = known.current
    if (list.isPlaceholderData) return
    if (open === undefined || ids.includes(open)) known.current = ids
    // Opened by its address, or somebody writes: it stays.
    else if (before.includes(open) && !isTyping(document.activeElement)) {
      const following = before.slice(before.indexOf(open) + 1)
      show(following.find(id => ids.includes(id)) ?? ids[0])
    }
  })
  const shown = useRef(open)
  useEffect(() => {
    const last = shown.current
    shown.current = open
    if (last !== undefined && open === undefined) (rowOf(last) ?? (ids[0] ? rowOf(ids[0]) : null))?.focus()
  })
  const index = open === undefined ? -1 : ids.indexOf(open)
  const beside = (by: number) => (index < 0 ? undefined : ids[index + by])
  const step = (by: number) => {
    if (open !== undefined) {
      const id = beside(by)
      if (id !== undefined) show(id)
      return
    }
    const at = ids.findIndex(id => rowOf(id) === document.activeElement)
    const id = ids[at < 0 ? 0 : Math.max(0, Math.min(ids.length - 1, at + by))]
    if (id !== undefined) rowOf(id)?.focus()
  }
  useCommand('work-next', () => step(1))
  useCommand('work-previous', () => step(-1))
  if (open === undefined) return null
  const { group, later } = filters
  const total = later
    ? summary?.later.debtors
    : group === undefined
      ? summary?.all.debtors
      : summary?.groups.find(one => one.group === group)?.debtors
  const goTo = (id: string | undefined) => (id === undefined ? undefined : () => show(id))
  return (
    <Suspense fallback={null}>
      <WorkSheet
        key={open}
        debtorId={open}
        row={rows[index]}
        place={index < 0 || total === undefined ? null : { index, total }}
        now={today.now}
        timeZone={today.timeZone}
        finish={TaskActs}
        onPrevious={goTo(beside(-1))}
        onNext={goTo(beside(1))}
        onClose={() => show(undefined)}
      />
    </Suspense>
  )
}
