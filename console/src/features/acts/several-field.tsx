import { useWords } from '../../lib/language.tsx'
import { CheckField } from '../../ui/field.tsx'
import { type Choice, chosenIds, noneChosen } from './act-fields.ts'
import { words } from './words.ts'

interface Props {
  readonly label: string
  /** The chosen ids; empty: all of them. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly Choice[]
}

/** All things of a list, or some of them. */
export function SeveralField({ label, value, onChange, choices }: Props) {
  const { allOfThem } = useWords(words)
  const isAll = value === ''
  const chosen = isAll ? choices.map(([id]) => id) : chosenIds(value)
  const toggle = (id: string, isChecked: boolean) => {
    const now = choices.map(([one]) => one).filter(one => (one === id ? isChecked : chosen.includes(one)))
    onChange(now.length === choices.length ? '' : now.join(',') || noneChosen)
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-head font-medium">{label}</legend>
      <CheckField
        label={allOfThem(choices.length)}
        isChecked={isAll}
        onChange={isChecked => onChange(isChecked ? '' : noneChosen)}
      />
      <div className="ml-6 flex max-h-48 flex-col gap-2 overflow-y-auto">
        {choices.map(([id, text]) => (
          <CheckField
            key={id}
            label={text}
            isChecked={chosen.includes(id)}
            onChange={isChecked => toggle(id, isChecked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
