import type { Debtor } from '@relance/sdk'
import { useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Chip, type ChipTone } from '../../ui/chip.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { words } from './words.ts'

type Account = NonNullable<Debtor['account']>

const tones = { none: 'plain', watch: 'warn', high: 'alarm' } as const satisfies Record<
  Account['attention']['level'],
  ChipTone
>

/** Whether somebody should look at this debtor, why in words, and the score beside it. */
export function Risk({ account }: { readonly account: Account }) {
  const text = useWords(words)
  const known = useWords(names)
  const { attention, riskLevel } = account
  return (
    <Sheet
      title={text.risk}
      aside={<Chip tone={tones[attention.level]}>{known.attention[attention.level]}</Chip>}
    >
      {attention.reasons.length > 0 && (
        <ol className="mb-2 flex list-decimal flex-col gap-1 pl-6">
          {attention.reasons.map(({ code, days }) => (
            <li key={code}>{text.attentionReasons[code](days ?? 0)}</li>
          ))}
        </ol>
      )}
      <p className="text-soft">
        {text.scoreIs(riskLevel === null ? text.riskUnknown : known.risks[riskLevel])}
      </p>
    </Sheet>
  )
}
