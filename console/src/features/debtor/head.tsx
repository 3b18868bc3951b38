import type { Debtor } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { day, momentText, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Chip, type ChipTone } from '../../ui/chip.tsx'
import { Situation } from './situation.tsx'
import { words } from './words.ts'

const riskTones = {
  low: 'brand',
  medium: 'plain',
  high: 'warn',
  critical: 'alarm',
} as const satisfies Record<string, ChipTone>
const riskSigns = { low: '▁', medium: '▃', high: '▅', critical: '▇' }

const zoneOf = (debtor: Debtor) => debtor.timeZone ?? 'Europe/Paris'

/** `Colmar · Europe/Paris · entreprise · en français` */
function usePlaceLine(debtor: Debtor): string {
  const text = useWords(words)
  const known = useWords(names)
  const town = [debtor.postalCode, debtor.city].filter(Boolean).join(' ')
  return [
    town || debtor.country,
    debtor.timeZone,
    known.debtorTypes[debtor.type],
    text.writesIn(known.languages[debtor.language]),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Who it is, what is open, and what comes next. */
export function DebtorHead({ debtor, children }: { debtor: Debtor; children?: ReactNode }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const zone = zoneOf(debtor)
  const { account, pause, insolvency } = debtor
  const placeLine = usePlaceLine(debtor)
  const moment = (at: string) => momentText(at, zone, language)
  return (
    <header className="rounded-sheet border border-line bg-sheet p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-screen font-[650] break-words">{debtor.name}</h1>
          <p className="text-soft">{placeLine}</p>
          <p className="flex flex-wrap gap-x-4 text-soft">
            <span className="min-w-0 break-all">{debtor.email}</span>
            {debtor.phone && <span className="whitespace-nowrap">{debtor.phone}</span>}
          </p>
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
        {children}
      </div>
      <Situation debtor={debtor} />
      <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-4">
        <Figure name={text.open} className="max-lg:col-span-2">
          <span className="block text-amount font-[650]">
            {account ? money(account.openCents, account.currency, language) : '–'}
          </span>
          <span className="text-soft">{account && text.openInvoices(account.openInvoices)}</span>
        </Figure>
        <Figure name={text.nextContact}>
          {account?.nextContact ? (
            <>
              <span className="block text-section font-medium">{moment(account.nextContact.at)}</span>
              <span className="text-soft">{known.channels[account.nextContact.channel]}</span>
            </>
          ) : (
            <span className="block text-section">{text.noContact}</span>
          )}
          {account && account.heldBy.length > 0 && (
            <span className="block text-warn">
              {text.heldBy} {account.heldBy.map(hold => known.reasons[hold]).join(', ')}
            </span>
          )}
        </Figure>
        <Figure name={text.oldest}>
          <span className="block text-section">
            {account?.oldestDueDate ? day(account.oldestDueDate, language) : '–'}
          </span>
        </Figure>
        <Figure name={text.risk}>
          {account?.riskLevel ? (
            <Chip tone={riskTones[account.riskLevel]} sign={riskSigns[account.riskLevel]}>
              {known.risks[account.riskLevel]}
            </Chip>
          ) : (
            <span className="text-soft">{text.riskUnknown}</span>
          )}
        </Figure>
      </dl>
    </header>
  )
}

function Figure({
  name,
  className = '',
  children,
}: {
  name: string
  className?: string
  children: ReactNode
}) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-head text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
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
