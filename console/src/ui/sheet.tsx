import { type ReactNode, useId } from 'react'

interface Props {
  readonly title: string
  /** At the right of the title: a link, a button, the age of the data. */
  readonly aside?: ReactNode
  readonly level?: 2 | 3
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a screen with its title. */
export function Sheet({ title, aside, level = 2, className = '', children }: Props) {
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section
      aria-labelledby={id}
      className={`min-w-0 rounded-sheet border border-line bg-sheet p-4 ${className}`}
    >
      <header className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Heading id={id} className="text-section font-[650]">
          {title}
        </Heading>
        {aside}
      </header>
      {children}
    </section>
  )
}
