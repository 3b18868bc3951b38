const shapes = {
  today: 'M3 12h2v5H3zM9 5h2v12H9zM15 9h2v8h-2z',
  debtors:
    'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 7c0-3.2 2.6-5.2 6-5.2s6 2 6 5.2h-2c0-2-1.7-3.3-4-3.3S6 15 6 17z',
  invoices: 'M4 2h9l3 3v13H4zm2 2v12h8V6h-2V4zm1.5 4h5v1.6h-5zm0 3.4h5V13h-5z',
  search:
    'M8.5 3a5.5 5.5 0 0 1 4.4 8.8l4.2 4.1-1.4 1.4-4.1-4.2A5.5 5.5 0 1 1 8.5 3Zm0 2a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  more: 'M3 5h14v2H3zm0 4h14v2H3zm0 4h14v2H3z',
  fold: 'M12.5 4 14 5.5 9.5 10l4.5 4.5-1.5 1.5-6-6z',
  unfold: 'm7.5 4-1.5 1.5 4.5 4.5L6 14.5 7.5 16l6-6z',
} as const

export type IconName = keyof typeof shapes

/** An icon next to a text. Without text, the control needs an accessible name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg aria-hidden viewBox="0 0 20 20" className="size-5 shrink-0 fill-current">
      <path d={shapes[name]} />
    </svg>
  )
}

/** The logo. */
export function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-6 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-brand" />
      <path d="M11 24V8h6a5 5 0 0 1 0 10h-6m6 0 5 6" className="fill-none stroke-on-brand stroke-3" />
    </svg>
  )
}
