import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { defineWords, useWords } from '../../lib/language.tsx'

const words = defineWords(
  { asTable: 'Voir en tableau', asPicture: 'Voir l’image' },
  { asTable: 'Show as a table', asPicture: 'Show the picture' },
)

/** The numbers of a picture, once more, for whoever reads rather than looks. */
export interface Twin {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Props {
  /** What the picture shows, in one sentence. */
  readonly label: string
  readonly twin: Twin
  /** Before it is measured, and where nothing measures: the width of a phone. */
  readonly defaultWidth?: number
  readonly children: (width: number) => ReactNode
}

/** A picture as wide as its place, and the table of the same numbers. */
export function Picture({ label, twin, defaultWidth = 390, children }: Props) {
  const { asTable, asPicture } = useWords(words)
  const [isTable, setTable] = useState(false)
  const [width, setWidth] = useState(defaultWidth)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!place.current) return
    const measure = () => setWidth(Math.max(280, Math.floor(place.current?.clientWidth ?? defaultWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [defaultWidth])
  return (
    <figure aria-labelledby={id}>
      <div className="flex justify-between gap-4 text-mark text-soft">
        <figcaption id={id}>{label}</figcaption>
        <button type="button" className="underline" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? asPicture : asTable}
        </button>
      </div>
      <div ref={place}>{isTable ? <TwinTable label={label} {...twin} /> : children(width)}</div>
    </figure>
  )
}

function TwinTable({ label, columns, rows }: Twin & { readonly label: string }) {
  return (
    // A keyboard must be able to move the table sideways.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-body">
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column} scope="col" className="text-left text-head text-soft font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.join('\t')} className="border-t border-line">
              {row.map((cell, i) => (
                <td key={columns[i]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
