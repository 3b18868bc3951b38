import type { ContactCalendar } from '@relance/sdk'
import { type Clocks, placedMoment, weekday } from '../../lib/format.ts'
import { defineWords, useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'

type Outlook = ContactCalendar['outlook']
type Because = Outlook['because'][number]

/** Where the name of a code would not do after “nothing before”. */
const words = defineWords(
  {
    next: (moment: string, channel: string) => `Prochain contact\u00a0: ${moment}, ${channel}.`,
    nothingBefore: (reasons: string) => `Rien avant\u00a0: ${reasons}.`,
    nothing: (reasons: string) => `Aucun message n’est prévu\u00a0: ${reasons}.`,
    decideOn: (day: string) => `à vous de décider le ${day}`,
    because: {
      cascade: 'l’étape suivante n’est prévue qu’à ce moment-là',
      escalated: 'l’étape avancée n’est prévue qu’à ce moment-là',
      requested: 'c’est le moment demandé',
      completed: 'aucune facture n’est à relancer',
      on_its_way: 'un message part en ce moment',
    } satisfies Partial<Record<Because, string>>,
  },
  {
    next: (moment, channel) => `Next contact: ${moment}, ${channel}.`,
    nothingBefore: reasons => `Nothing before: ${reasons}.`,
    nothing: reasons => `No message is planned: ${reasons}.`,
    decideOn: day => `for you to decide on ${day}`,
    because: {
      cascade: 'the next step is planned for that moment',
      escalated: 'the step brought forward is planned for that moment',
      requested: 'it was asked for that moment',
      completed: 'no invoice is to be reminded of',
      on_its_way: 'a message is on its way',
    },
  },
)

/** What comes next, and why nothing is sent before, or at all: in one sentence. */
export function OutlookLine({ outlook, clocks }: { readonly outlook: Outlook; readonly clocks: Clocks }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const { next, at, channel, because } = outlook
  const own: Readonly<Partial<Record<Because, string>>> = text.because
  const reasons = because.map(code =>
    code === 'awaiting_decision' && at !== null
      ? text.decideOn(weekday(at, clocks.home, language))
      : (own[code] ?? known.reasons[code]),
  )
  const why = [...new Set(reasons)].join(', ')
  if (next !== 'message' || at === null || channel === null) return <p>{text.nothing(why)}</p>
  return (
    <p>
      {text.next(placedMoment(at, clocks, language), known.channels[channel].toLowerCase())}{' '}
      <span className="text-soft">{text.nothingBefore(why)}</span>
    </p>
  )
}
