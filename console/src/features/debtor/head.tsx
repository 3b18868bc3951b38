import type { Debtor } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { type CommandId, runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { type Clocks, placedMoment } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { words } from './words.ts'

interface Props {
  readonly debtor: Debtor
  readonly clocks: Clocks
  /** One of its invoices waits for a decision. */
  readonly isFinished: boolean
  /** The menu of everything else. */
  readonly children?: ReactNode
}

/** Who it is, who looks after it, and the two or three things that are done next. */
export function DebtorHead({ debtor, clocks, isFinished, children }: Props) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const { pause, insolvency, siret, inChargeName } = debtor
  const town = [debtor.postalCode, debtor.city].filter(Boolean).join(' ')
  const moment = (at: string) => placedMoment(at, clocks, language)
  const facts = [
    known.debtorTypes[debtor.type],
    siret && `SIRET ${siret}`,
    town || debtor.country,
    text.writesIn(known.languages[debtor.language]),
    inChargeName && text.inCharge(inChargeName),
  ]
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/$company/$environment/debtors"
            params={{ company, environment }}
            className="inline-flex min-h-6 items-center gap-1 text-soft hover:underline"
          >
            {text.all} <span aria-hidden>›</span>
          </Link>
          <h1 className="min-w-0 text-screen font-[650] break-words">{debtor.name}</h1>
        </div>
        <p className="text-soft">{facts.filter(Boolean).join(' · ')}</p>
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
          {pause && (
            <Chip tone="warn" sign="‖">
              {pause.until === null
                ? text.pausedSince(moment(pause.since))
                : text.pausedUntil(moment(pause.since), moment(pause.until))}
            </Chip>
          )}
          {!debtor.contactable && !insolvency && (
            <Chip tone="alarm" sign="✕">
              {text.notContactable}
            </Chip>
          )}
        </div>
      </div>
      {/* Its height stays while it is not known what the user may do. */}
      <div className="flex min-h-9 flex-wrap gap-2 max-md:w-full">
        <NextActs debtor={debtor} isFinished={isFinished} />
        {children}
      </div>
    </header>
  )
}

type NextAct = 'decide' | CommandId
type Hold = NonNullable<Debtor['account']>['heldBy'][number]

const actsMax = 3
const atBottom = ['message', 'payment', 'promise'] as const

/** What comes first is what the state asks for, by the verdicts of the API. */
function nextActs({ acts = [], account, declaration, reported, insolvency }: Debtor, isFinished: boolean) {
  const isAllowed = (act: string) => acts.some(one => one.act === act && one.allowed)
  const isHeldBy = (hold: Hold) => account?.heldBy.includes(hold) ?? false
  const isToDeclare = declaration === 'due' || declaration === 'relief'
  const first: readonly (NextAct | false)[] = insolvency
    ? [isToDeclare && 'record-insolvency']
    : [
        reported !== null && 'decide-situation',
        isHeldBy('wrong_person') && 'correct-address',
        isAllowed('resume') && 'resume-debtor',
        isHeldBy('dispute') && 'resolve-dispute',
        isFinished && 'decide',
      ]
  const usual: readonly NextAct[] = insolvency ? ['payment'] : ['message', 'payment', 'promise']
  return [...first.filter(one => one !== false), ...usual]
}

function NextActs({ debtor, isFinished }: Pick<Props, 'debtor' | 'isFinished'>) {
  const text = useWords(words)
  const { company, environment } = usePlace()
  const offered = useOfferedCommands()
  const possible = nextActs(debtor, isFinished).filter(
    act => act === 'decide' || offered.some(({ id, obstacle }) => id === act && obstacle === undefined),
  )
  return possible.slice(0, actsMax).map((act, i) => {
    const tone = i === 0 ? 'brand' : 'plain'
    const name = text.acts[act as keyof typeof text.acts]
    if (act !== 'decide')
      return (
        // On a phone the usual ones are at the bottom.
        <Button
          key={act}
          tone={tone}
          onClick={() => runCommand(act)}
          className={atBottom.some(one => one === act) ? 'max-md:hidden' : 'max-md:flex-1'}
        >
          {name}
        </Button>
      )
    return (
      <Link
        key={act}
        to="/$company/$environment"
        params={{ company, environment }}
        search={{ ouvert: debtor.id }}
        className={`${buttonClass(tone)} max-md:flex-1`}
      >
        {name}
      </Link>
    )
  })
}

/** On a phone what is done most is at the bottom, above the navigation. */
export function BottomActs({ debtor }: { readonly debtor: Debtor }) {
  const text = useWords(words)
  const offered = useOfferedCommands().filter(({ obstacle }) => obstacle === undefined)
  const acts = atBottom.filter(
    act => !(act === 'message' && debtor.insolvency) && offered.some(({ id }) => id === act),
  )
  const slot =
    'inline-flex min-h-12 min-w-0 flex-1 items-center justify-center rounded-control border px-1 text-body font-medium'
  if (acts.length === 0 && debtor.phone === null) return null
  return (
    <nav
      aria-label={text.quickActs}
      className="fixed inset-x-0 bottom-14 z-10 flex [@media(height<30rem)]:static gap-2 border-t border-line bg-sheet p-2 md:hidden print:hidden"
    >
      {debtor.phone !== null && (
        <a href={`tel:${debtor.phone}`} className={`${slot} border-brand bg-brand text-on-brand`}>
          {text.call}
        </a>
      )}
      {acts.map(act => (
        <button
          key={act}
          type="button"
          className={`${slot} border-edge bg-sheet`}
          aria-label={text.acts[act]}
          onClick={() => runCommand(act)}
        >
          {text.shortActs[act]}
        </button>
      ))}
    </nav>
  )
}

/** The contact rules treat records that share an address as one person, so the screen shows them together. */
export function SamePerson({ debtor }: { debtor: Debtor }) {
  const text = useWords(words)
  const { company, environment } = usePlace()
  const others = debtor.sameAddress ?? []
  if (others.length === 0) return null
  return (
    <section
      aria-label={text.samePerson}
      className="rounded-sheet border border-line bg-calm px-4 py-3 text-body"
    >
      <p>
        <strong className="font-[650]">{text.samePerson}.</strong> {text.samePersonWhy}
      </p>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {others.map(({ id, name, shares }) => (
          <li key={id}>
            <Link
              to="/$company/$environment/debtors/$id"
              params={{ company, environment, id }}
              className="inline-block min-h-6 text-brand underline"
            >
              {name}
            </Link>{' '}
            <span className="text-soft">{shares.map(share => text.shares[share]).join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
