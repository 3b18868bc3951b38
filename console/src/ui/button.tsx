import type { ComponentProps } from 'react'

type Tone = 'plain' | 'brand' | 'alarm' | 'quiet'

const tones: Record<Tone, string> = {
  plain: 'border-edge bg-sheet text-ink hover:bg-calm',
  brand: 'border-brand bg-brand text-on-brand hover:opacity-90',
  alarm: 'border-alarm bg-sheet text-alarm hover:bg-alarm-ground',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-calm',
}

/** For a link that looks like a button. */
export const buttonClass = (tone: Tone = 'plain') =>
  `inline-flex min-h-9 items-center justify-center gap-2 rounded-control border px-3 text-body font-medium disabled:cursor-not-allowed disabled:opacity-50 ${tones[tone]}`

interface Props extends ComponentProps<'button'> {
  readonly tone?: Tone
}

/** The words of a button say what it does. */
export function Button({ tone = 'plain', className = '', ...rest }: Props) {
  return <button type="button" className={`${buttonClass(tone)} ${className}`} {...rest} />
}
