import type { Actor, Channel, MessageName, ReasonCode, TimelineEntry } from '@relance/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { type Clocks, clockText, placedMoment, weekday } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { messageNameOf } from '../../lib/message-name.ts'
import { nameOf, names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
import { ChannelIcon } from '../../ui/channel-icon.tsx'
import type { MarkSign } from '../../ui/picture/contact-signs.ts'
import { ContactMark } from '../../ui/picture/marks.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { type TimelineKind, timelineQuery } from './timeline-query.ts'
import { words } from './words.ts'

export interface PlannedLine {
  readonly at: string
  readonly channel: Channel | null
  readonly action: MessageName
  readonly because: readonly ReasonCode[]
  readonly invoiceIds?: readonly string[]
}

interface Props {
  readonly kind: TimelineKind
  readonly id: string
  readonly limit: number
  readonly clocks: Clocks
  /** The numbers of a debtor's invoices by id, to name the invoice of a line. */
  readonly numbers?: ReadonlyMap<string, string>
  /** The planned lines. */
  readonly planned: readonly PlannedLine[]
  readonly onOpen: (communicationId: string) => void
  /** Above the lines: where a note is written. */
  readonly children?: ReactNode
}

type Filter = TimelineEntry['kind'] | undefined
const filters: readonly Filter[] = [undefined, 'message', 'note', 'money']

/** What happened, the newest first; what is planned is folded above it. */
export function Timeline({ kind, id, limit, clocks, numbers, planned, onOpen, children }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const [filter, setFilter] = useState<Filter>()
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    timelineQuery(useApi(), kind, id, language, limit, filter),
  )
  const lines = (data?.pages ?? []).flatMap(page => page.data)
  const tabs = kind === 'debtor' && (
    <fieldset aria-label={text.filter} className="flex flex-wrap gap-1">
      {filters.map(one => (
        <button
          key={one ?? 'all'}
          type="button"
          aria-pressed={one === filter}
          className="min-h-8 rounded-control px-2.5 text-head hover:bg-calm aria-pressed:bg-sunken aria-pressed:font-[650] max-md:min-h-11"
          onClick={() => setFilter(one)}
        >
          {text.filters[one ?? 'all']}
        </button>
      ))}
    </fieldset>
  )
  return (
    <Sheet title={text.title} aside={tabs}>
      {children}
      <Planned planned={planned} clocks={clocks} numbers={numbers} />
      <ol className="flex flex-col" aria-busy={!data} style={data ? {} : { minHeight: '24rem' }}>
        {lines.map(line => (
          <Line
            key={line.id}
            line={line}
            number={numbers?.get(line.invoiceId ?? '')}
            clocks={clocks}
            onOpen={onOpen}
          />
        ))}
      </ol>
      {data && lines.length === 0 && <p className="py-2 text-soft">{text.nothing}</p>}
      <div className="mt-2 empty:hidden">
        {hasNextPage && (
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text.older}
          </Button>
        )}
      </div>
    </Sheet>
  )
}

/** What is planned, the next first. */
function Planned({
  planned,
  clocks,
  numbers,
}: Pick<Props, 'planned' | 'clocks'> & { readonly numbers: Props['numbers'] | undefined }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const [next] = planned
  if (!next) return <p className="mb-2 text-soft">{text.nothingPlanned}</p>
  return (
    <details className="mb-2 rounded-control bg-sunken px-3">
      <summary className="min-h-9 cursor-pointer py-2">
        <span className="font-[650]">{text.toCome(planned.length)}</span>{' '}
        <span className="text-soft">
          {text.nextOne(known.steps[next.action], placedMoment(next.at, clocks, language))}
        </span>
      </summary>
      <ol className="pb-2">
        {planned.map(({ at, channel, action, because, invoiceIds = [] }) => (
          <li key={`${at} ${action}`} className={`${row} border-t border-line py-1.5`}>
            <Moment at={at} clocks={clocks} />
            <Sign channel={channel} sign={null} />
            <div className="min-w-0">
              <span>
                {channel && <ChannelIcon channel={channel} />} {known.steps[action]}
              </span>{' '}
              <span className="text-soft">{text.planned}</span>
              {numbers && (
                <span className="text-soft">
                  {invoiceIds
                    .flatMap(about => numbers.get(about) ?? [])
                    .map(number => (
                      <InvoiceNumber key={number} text={number} />
                    ))}
                </span>
              )}
              {because.length > 0 && (
                <p className="text-soft">
                  {text.movedBecause([...new Set(because)].map(code => known.reasons[code]).join(', '))}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </details>
  )
}

const row = 'grid grid-cols-[6.5rem_1.5rem_minmax(0,1fr)] gap-x-2'

function Moment({ at, clocks }: { at: string; clocks: Clocks }) {
  const language = useLanguage()
  return (
    <time dateTime={at} className="text-head text-soft">
      {weekday(at, clocks.home, language)}
      <br />
      {clockText(at, clocks, language)}
    </time>
  )
}

const signs: Readonly<Record<string, MarkSign>> = {
  sent: 'sent',
  delivered: 'delivered',
  bounced: 'refused',
  failed: 'refused',
  unknown: 'unknown',
  refused: 'refused',
  unclaimed: 'refused',
  skipped: 'skipped',
  cancelled: 'skipped',
  done: 'sent',
}

function Sign({
  channel,
  sign,
  isMoney = false,
}: {
  channel: Channel | null
  sign: string | null
  isMoney?: boolean
}) {
  return (
    <svg width={20} height={20} aria-hidden="true">
      {channel !== null || sign === 'skipped' ? (
        <ContactMark
          x={10}
          y={10}
          radius={8}
          channel={channel}
          sign={sign === null ? null : (signs[sign] ?? 'sent')}
        />
      ) : isMoney ? (
        <path
          d="M4 10 L9 15 L17 5"
          strokeWidth={3}
          className="fill-transparent stroke-brand forced-colors:stroke-[CanvasText]"
        />
      ) : (
        <circle
          cx={10}
          cy={10}
          r={5}
          strokeWidth={1.5}
          className="fill-sheet stroke-edge forced-colors:stroke-[CanvasText]"
        />
      )}
    </svg>
  )
}

/** What was refused is red in words too, and what came to nothing is grey. */
const statusTones: Readonly<Record<string, string>> = {
  bounced: 'text-alarm',
  failed: 'text-alarm',
  refused: 'text-alarm',
  unclaimed: 'text-alarm',
  unknown: 'text-warn',
}

function Line({
  line,
  number,
  clocks,
  onOpen,
}: {
  line: TimelineEntry
  number: string | undefined
  clocks: Clocks
  onOpen: (communicationId: string) => void
}) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const who = useWho(line.actor)
  const { communicationId } = line
  const status = line.status === null ? null : nameOf(known.historyStatuses, line.status, '')
  const step = messageNameOf(line, language)
  return (
    <li className={`${row} border-t border-line py-1.5`}>
      <Moment at={line.at} clocks={clocks} />
      <Sign
        channel={line.kind === 'message' ? line.channel : null}
        sign={line.status}
        isMoney={line.kind === 'money'}
      />
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-3">
        <div className="min-w-0 break-words">
          {line.kind === 'message' && step && (
            <p>
              {line.channel && <ChannelIcon channel={line.channel} />}{' '}
              <span className="font-medium">{step}</span>
              <span className="text-soft">
                {status && (
                  <>
                    {' · '}
                    <span className={statusTones[line.status ?? ''] ?? ''}>{status}</span>
                  </>
                )}
                {number && <InvoiceNumber text={number} />}
              </span>
            </p>
          )}
          <p className={line.kind === 'message' ? 'text-head text-soft' : ''}>
            {line.sentence}
            {line.kind !== 'message' && number && <InvoiceNumber text={number} />}
          </p>
          {who && line.actor?.kind !== 'worker' && <p className="text-head text-soft">{text.by(who)}</p>}
        </div>
        {communicationId !== null && line.kind === 'message' && (
          <button
            type="button"
            className="min-h-6 text-head text-brand underline print:hidden"
            onClick={() => onOpen(communicationId)}
          >
            {text.read}
          </button>
        )}
      </div>
    </li>
  )
}

/** The number of an invoice, without line breaks at its hyphens. */
const InvoiceNumber = ({ text }: { text: string }) => (
  <>
    {' · '}
    <span className="whitespace-nowrap text-soft">{text}</span>
  </>
)

function useWho(actor: Actor | null): string | null {
  const text = useWords(words)
  if (actor === null) return null
  const named = actor.kind === 'api_key' || actor.kind === 'oauth_client' ? text.named[actor.kind] : null
  const name = actor.name === null ? text.actors[actor.kind] : (named?.(actor.name) ?? actor.name)
  return actor.onBehalfOf === null ? name : text.onBehalf(name, actor.onBehalfOf)
}
