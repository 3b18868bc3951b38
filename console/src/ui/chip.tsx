import type { ReactNode } from 'react'

export type ChipTone = 'plain' | 'brand' | 'warn' | 'alarm'

const tones: Record<ChipTone, string> = {
  plain: 'border-line bg-sunken text-ink',
  brand: 'border-brand bg-calm text-brand',
  warn: 'border-warn bg-warn-ground text-warn',
  alarm: 'border-alarm bg-alarm-ground text-alarm',
}

/** For a link that looks like a chip. */
export const chipClass = (tone: ChipTone = 'plain') =>
  `inline-flex min-h-6 items-center gap-1.5 rounded-control border px-2 text-head ${tones[tone]}`

interface Props {
  readonly tone?: ChipTone
  /** A small icon before the word: the colour alone never shows the state. */
  readonly sign?: ReactNode
  readonly children: ReactNode
}

export function Chip({ tone = 'plain', sign, children }: Props) {
  return (
    <span className={chipClass(tone)}>
      {sign !== undefined && <span aria-hidden>{sign}</span>}
      {children}
    </span>
  )
}
