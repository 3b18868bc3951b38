import type { Debtor } from '@relance/sdk'
import { type ReactNode, useId } from 'react'
import { type CommandId, commandOf, runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { day, momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { words } from './words.ts'

/** Its refused addresses, what was reported of the debtor and the proceedings on record: since when, what they stop, and the acts that end them. */
export function Situation({ debtor }: { readonly debtor: Debtor }) {
  const text = useWords(words)
  const language = useLanguage()
  const { reported, insolvency, declaration, closedChannels = [] } = debtor
  const refused = closedChannels.flatMap(({ channel, because }) => (because === 'refused' ? [channel] : []))
  return (
    <>
      {refused.length > 0 && (
        <Notice
          sign="✉"
          isAmber
          title={refused.map(channel => text.refused[channel]).join('. ')}
          acts={['correct-address', 'retry-address']}
        >
          <p>{text.refusedWaits}</p>
        </Notice>
      )}
      {replacedOf(debtor).map(({ id, kind, name, mainName }) => (
        <Notice key={`${id}-${kind}`} sign="✉" isAmber title={text.refusedOf[kind](name)} acts={[]}>
          <p>{text.replacedBy(mainName)}</p>
        </Notice>
      ))}
      {reported && (
        <Notice
          sign="!"
          title={text.reported[reported.situation]}
          acts={['decide-situation', ...(reported.situation === 'insolvency' ? recordOnly : [])]}
        >
          <p>
            {text.reportedSince(momentText(reported.reportedAt, debtor.timeZone ?? 'Europe/Paris', language))}
          </p>
          <p>{text.reportedStops}</p>
        </Notice>
      )}
      {insolvency && (
        <Notice
          sign="§"
          title={text.insolvency(text.insolvencyKinds[insolvency.kind], day(insolvency.openedOn, language))}
          acts={['record-insolvency', 'end-insolvency']}
        >
          {declaration && <Declaration insolvency={insolvency} declaration={declaration} />}
          <p>{text.insolvencyStops}</p>
          <Facts
            items={[
              [
                text.publishedOn,
                insolvency.publishedOn === null ? text.notKnown : day(insolvency.publishedOn, language),
              ],
              ...(insolvency.court === null ? [] : [[text.court, insolvency.court] as const]),
              ...(insolvency.practitioner === null
                ? []
                : [[text.practitioner, insolvency.practitioner] as const]),
            ]}
          />
        </Notice>
      )}
    </>
  )
}

/** People whose address refused a message, where somebody else is written to instead. */
const replacedOf = ({ people: known, email, phone }: Debtor) =>
  (['email', 'phone'] as const).flatMap(kind => {
    const { people = [] } = known ?? {}
    const state = known?.[`${kind}State`]?.state
    if (state === undefined || state === 'refused' || state === 'closed') return []
    const main = people.find(({ mainFor }) => mainFor.includes(kind))
    const mainName = main?.name ?? { email, phone }[kind] ?? ''
    return people
      .filter(person => person !== main && person[`${kind}State`]?.state === 'refused')
      .map(({ id, name }) => ({ id, kind, name, mainName }))
  })

const recordOnly: readonly CommandId[] = ['record-insolvency']

interface DeclarationProps {
  readonly insolvency: NonNullable<Debtor['insolvency']>
  readonly declaration: NonNullable<Debtor['declaration']>
}

/** The API says whether the claim can still be declared. */
function Declaration({ insolvency, declaration }: DeclarationProps) {
  const text = useWords(words)
  const language = useLanguage()
  const { declareBy, reliefUntil, declaredOn, declarationProof, publishedOn } = insolvency
  const on = (date: string | null) => (date === null ? text.notKnown : day(date, language))
  const sentences = {
    declared: [text.declared(on(declaredOn), declarationProof)],
    due: [text.declareBy(on(declareBy)), ...(publishedOn === null ? [text.fromOpening] : [])],
    relief: [text.declarationPassed(on(declareBy)), text.relief(on(reliefUntil))],
    late: [text.declarationPassed(on(declareBy))],
  }
  return <p className="font-medium break-words">{sentences[declaration].join(' ')}</p>
}

interface NoticeProps {
  readonly sign: string
  readonly title: string
  /** The acts that go with it; only those that are possible are shown. */
  readonly acts: readonly CommandId[]
  /** It waits, and nothing is at risk. */
  readonly isAmber?: boolean
  readonly children: ReactNode
}

function Notice({ sign, title, acts, isAmber = false, children }: NoticeProps) {
  const id = useId()
  const language = useLanguage()
  const offered = useOfferedCommands().filter(command => command.obstacle === undefined)
  const possible = acts.filter(act => offered.some(command => command.id === act))
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-sheet border p-3 ${
        isAmber ? 'border-warn bg-warn-ground' : 'border-alarm bg-alarm-ground'
      }`}
    >
      <div className="flex min-w-0 flex-col gap-1 md:max-w-[65%]">
        <h2 id={id} className={`font-[650] ${isAmber ? 'text-warn' : 'text-alarm'}`}>
          <span aria-hidden>{sign}</span> {title}
        </h2>
        {children}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden max-md:w-full max-md:flex-col">
        {possible.map(act => (
          <Button key={act} onClick={() => runCommand(act)}>
            {commandOf(act)[language]}
          </Button>
        ))}
      </div>
    </section>
  )
}
