/**
 * The meaning of an area without colour: a tile of 6 pixels whose strokes use the text colour, so that they remain with forced
 * colours and on paper.
 */
export type Pattern = 'cooldown' | 'day' | 'sunday' | 'holiday' | 'cap' | 'hours' | 'hold' | 'money'

const strokes: Record<Pattern, string> = {
  cooldown: 'M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5',
  day: '',
  sunday: 'M1.5 0 V6 M4.5 0 V6',
  holiday: 'M0 0 L6 6 M6 0 L0 6',
  cap: 'M-1 5 L1 7 M0 0 L6 6 M5 -1 L7 1',
  hours: '',
  hold: 'M0 1.5 H6 M0 4.5 H6',
  money: 'M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5',
}

/** The id of a pattern in the picture that has this prefix. */
export const patternUrl = (prefix: string, pattern: Pattern) => `url(#${prefix}-${pattern})`

/** The patterns that a picture uses; the prefix keeps the ids of two pictures apart. */
export function Patterns({ prefix, used }: { prefix: string; used: readonly Pattern[] }) {
  return (
    <defs>
      {used.map(pattern => (
        <pattern
          key={pattern}
          id={`${prefix}-${pattern}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          className={
            pattern === 'money'
              ? 'text-brand forced-colors:text-[CanvasText] print:text-[black]'
              : 'text-edge forced-colors:text-[CanvasText] print:text-[black]'
          }
        >
          <rect
            width={6}
            height={6}
            className={
              pattern === 'money'
                ? 'fill-calm forced-colors:fill-[Canvas] print:fill-[white]'
                : 'fill-sunken forced-colors:fill-[Canvas] print:fill-[white]'
            }
          />
          {pattern === 'day' ? (
            <>
              <circle cx={1.5} cy={1.5} r={0.8} fill="currentColor" />
              <circle cx={4.5} cy={4.5} r={0.8} fill="currentColor" />
            </>
          ) : pattern === 'hours' ? (
            // Only the background. Where backgrounds are removed, a dot distinguishes it from open time.
            <circle
              cx={3}
              cy={3}
              r={0.6}
              className="fill-transparent forced-colors:fill-[GrayText] print:fill-[gray]"
            />
          ) : (
            <path d={strokes[pattern]} stroke="currentColor" strokeWidth={1} fill="none" />
          )}
        </pattern>
      ))}
    </defs>
  )
}

/** A small square of a pattern, for legends. */
export function Swatch({ prefix, pattern }: { prefix: string; pattern: Pattern | 'open' }) {
  return (
    <svg width={16} height={14} aria-hidden="true" className="shrink-0">
      <rect
        x={0.5}
        y={0.5}
        width={15}
        height={13}
        rx={2}
        className={pattern === 'open' ? 'fill-sheet stroke-edge' : 'stroke-edge'}
        {...(pattern === 'open' ? {} : { fill: patternUrl(prefix, pattern) })}
      />
    </svg>
  )
}
