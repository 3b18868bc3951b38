import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { defineWords, useWords } from '../../lib/language.tsx'

const words = defineWords(
  { asTable: 'Voir en tableau', asPicture: 'Voir l’image' },
  { asTable: 'Show as a table', asPicture: 'Show the picture' },
)

/** The numbers of a picture as a table. */
export interface TableData {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Props {
  /** What the picture shows, in one sentence. */
  readonly label: string
  /** Called when the table is shown. */
  readonly table: () => TableData
  readonly children: (width: number) => ReactNode
}

/** The width inside a sheet on a screen of 320 pixels. */
const widthMin = 240

/** A picture as wide as its place, and the table of the same numbers. */
export function Picture({ label, table, children }: Props) {
  const { asTable, asPicture } = useWords(words)
  const [isTable, setTable] = useState(false)
  // Measured before the first paint, so that the picture is drawn once.
  const [width, setWidth] = useState<number | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!place.current) return
    // A place that is not laid out at this moment has no width; the picture keeps the one it had.
    const measure = () => {
      const measured = place.current?.clientWidth
      if (measured) setWidth(Math.max(widthMin, Math.floor(measured)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <figure aria-labelledby={id}>
      <div className="flex justify-between gap-4 text-mark text-soft">
        <figcaption id={id}>{label}</figcaption>
        <button
          type="button"
          className="underline print:hidden"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? asPicture : asTable}
        </button>
      </div>
      {/* On a screen that becomes narrower, the picture is too wide until it is measured again. */}
      <div ref={place} className="overflow-x-clip">
        {isTable ? <PictureTable label={label} {...table()} /> : width !== null && children(width)}
      </div>
    </figure>
  )
}

function PictureTable({ label, columns, rows }: TableData & { readonly label: string }) {
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
