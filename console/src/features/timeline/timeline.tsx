import type { Actor, Channel, MessageName, ReasonCode, TimelineEntry } from '@relance/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { clockTime, weekday } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { messageNameOf } from '../../lib/message-name.ts'
import { nameOf, names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
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
  readonly timeZone: string
  /** The numbers of a debtor's invoices by id, to name the invoice of a line. */
  readonly numbers?: ReadonlyMap<string, string>
  /** The planned lines. */
  readonly planned: readonly PlannedLine[]
  readonly onOpen: (communicationId: string) => void
}

/** One timeline from the past to the future: events with their actor and reason, and planned actions. */
export function Timeline({ kind, id, limit, timeZone, numbers, planned, onOpen }: Props) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    timelineQuery(useApi(), kind, id, language, limit),
  )
  const lines = (data?.pages ?? []).flatMap(page => page.data).toReversed()
  return (
    <Sheet title={text.title}>
      <div className="mb-2 empty:hidden">
        {hasNextPage ? (
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text.older}
          </Button>
        ) : (
          data && lines.length === 0 && <p className="text-soft">{text.nothing}</p>
        )}
      </div>
      <ol className="flex flex-col" aria-busy={!data} style={data ? {} : { minHeight: '24rem' }}>
        {lines.map(line => (
          <Line
            key={line.id}
            line={line}
            number={numbers?.get(line.invoiceId ?? '')}
            timeZone={timeZone}
            onOpen={onOpen}
          />
        ))}
        {data && (
          <li className="my-1 flex items-center gap-3 text-mark font-[650] text-alarm">
            <span className="h-px w-24 bg-alarm" aria-hidden />
            {text.now}
            <span className="h-px flex-1 bg-alarm" aria-hidden />
          </li>
        )}
        {data && planned.length === 0 && <li className="py-1 text-soft">{text.nothingPlanned}</li>}
        {planned.map(({ at, channel, action, because, invoiceIds = [] }) => (
          <li key={`${at} ${action}`} className="grid grid-cols-[6.5rem_1.5rem_minmax(0,1fr)] gap-x-2 py-1.5">
            <Moment at={at} timeZone={timeZone} />
            <Sign channel={channel} sign={null} />
            <div>
              <span>{known.steps[action]}</span> <span className="text-soft">{text.planned}</span>
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
    </Sheet>
  )
}

function Moment({ at, timeZone }: { at: string; timeZone: string }) {
  const language = useLanguage()
  return (
    <time dateTime={at} className="text-head text-soft">
      {weekday(at, timeZone, language)}
      <br />
      {clockTime(at, timeZone)}
    </time>
  )
}

const signs = {
  sent: 'bar',
  delivered: 'tick',
  bounced: 'cross',
  failed: 'cross',
  unknown: 'question',
  refused: 'cross',
  unclaimed: 'cross',
  done: 'bar',
} as const

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
      {channel !== null && sign !== 'skipped' && sign !== 'cancelled' ? (
        <ContactMark
          x={10}
          y={10}
          radius={8}
          channel={channel}
          sign={sign === null ? null : (signs[sign as keyof typeof signs] ?? 'bar')}
        />
      ) : isMoney ? (
        <path
          d="M4 10 L9 15 L17 5"
          strokeWidth={3}
          className="fill-transparent stroke-brand forced-colors:stroke-[CanvasText]"
        />
      ) : (
        <>
          <circle
            cx={10}
            cy={10}
            r={5}
            strokeWidth={1.5}
            className="fill-sheet stroke-edge forced-colors:stroke-[CanvasText]"
          />
          {sign === 'skipped' && (
            <line x1={5} y1={15} x2={15} y2={5} strokeWidth={1.5} className="stroke-edge" />
          )}
        </>
      )}
    </svg>
  )
}

function Line({
  line,
  number,
  timeZone,
  onOpen,
}: {
  line: TimelineEntry
  number: string | undefined
  timeZone: string
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
    <li className="grid grid-cols-[6.5rem_1.5rem_minmax(0,1fr)] gap-x-2 border-b border-line py-1.5">
      <Moment at={line.at} timeZone={timeZone} />
      <Sign channel={line.channel} sign={line.status} isMoney={line.kind === 'money'} />
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-3">
        <div className="min-w-0 break-words">
          {line.kind === 'message' && step && (
            <p>
              <span className="font-medium">{step}</span>
              <span className="text-soft">
                {status && ` · ${status}`}
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
  const name = actor.name ?? text.actors[actor.kind]
  return actor.onBehalfOf === null ? name : text.onBehalf(name, actor.onBehalfOf)
}
