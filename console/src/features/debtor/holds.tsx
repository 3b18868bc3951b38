import type { Debtor, Invoice } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { type CommandId, runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { words } from './words.ts'

/** More are in the list of invoices. */
const invoicesMax = 5

interface Props {
  readonly debtor: Debtor
  readonly invoices: readonly Invoice[]
  /** The act that ends a dispute; undefined if the user may not. */
  readonly onExamine?: ((invoice: Invoice) => void) | undefined
}

/** What is not sent, why, and the act that ends it. */
export function Holds({ debtor, invoices, onExamine }: Props) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const offered = useOfferedCommands().filter(({ obstacle }) => obstacle === undefined)
  const by = (id: CommandId, name: string) =>
    offered.some(one => one.id === id) && <Button onClick={() => runCommand(id)}>{name}</Button>
  const { account, closedChannels = [] } = debtor
  const held = invoices.filter(({ recovery }) => (recovery?.holds.length ?? 0) > 0)
  /** What holds every invoice is said once, for the debtor. */
  const ofDebtor = ['debtor', 'reply', 'insolvency', 'situation', 'wrong_person', 'address_refused']
  const ofInvoices = held.filter(({ recovery }) => recovery!.holds.some(hold => !ofDebtor.includes(hold)))
  const lines: { key: string; sign: string; title: string; about: string; act: ReactNode }[] = [
    ...closedChannels.map(({ channel, because }) => ({
      key: channel,
      sign: '✕',
      title: known.channels[channel],
      about: text.closedBecause[because],
      act: (because === 'refused' || because === 'wrong_person') && by('correct-address', text.correct),
    })),
    ...(account?.heldBy.includes('debtor')
      ? [
          {
            key: 'debtor',
            sign: '‖',
            title: text.everything,
            about: known.reasons.debtor,
            act: by('resume-debtor', text.acts['resume-debtor']),
          },
        ]
      : []),
    ...(account?.heldBy.includes('reply')
      ? [
          {
            key: 'reply',
            sign: '↩',
            title: text.everything,
            about: known.reasons.reply,
            act: (
              <Link
                to="/$company/$environment"
                params={{ company, environment }}
                search={{ ouvert: debtor.id }}
                className={buttonClass()}
              >
                {text.readReply}
              </Link>
            ),
          },
        ]
      : []),
    ...ofInvoices.slice(0, invoicesMax).map(invoice => {
      const { id, invoiceNumber, currency, recovery } = invoice
      const holds = recovery!.holds.filter(hold => !ofDebtor.includes(hold))
      const isDisputed = holds.includes('dispute')
      const disputed = recovery!.disputedCents
      return {
        key: id,
        sign: isDisputed ? '⚖' : '‖',
        title: invoiceNumber,
        about: [
          holds.map(hold => known.reasons[hold]).join(', '),
          isDisputed && disputed !== null && money(disputed, currency, language),
        ]
          .filter(Boolean)
          .join(' · '),
        act:
          isDisputed && onExamine ? (
            <Button aria-label={text.examineOf(invoiceNumber)} onClick={() => onExamine(invoice)}>
              {text.examine}
            </Button>
          ) : (
            <Link
              to="/$company/$environment/invoices/$id"
              params={{ company, environment, id }}
              aria-label={text.seeOf(invoiceNumber)}
              className={buttonClass()}
            >
              {text.see}
            </Link>
          ),
      }
    }),
  ]
  if (lines.length === 0) return null
  return (
    <Sheet title={text.holds}>
      <ul className="flex flex-col divide-y divide-line">
        {lines.map(({ key, sign, title, about, act }) => (
          <li key={key} className="flex min-h-12 items-center gap-3 py-1.5 first:pt-0">
            <span aria-hidden className="w-4 shrink-0 text-center text-warn">
              {sign}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium break-words">{title}</span>
              <span className="block text-mark text-soft">{about}</span>
            </span>
            <span className="shrink-0">{act}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
