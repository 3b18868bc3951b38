import type { Channel } from '@relance/sdk'

/** Drawn with lines, 16 units wide. */
const shapes: Record<Channel, string> = {
  email: 'M2 3.5h12v9H2zM2 4l6 4.5L14 4',
  sms: 'M2 3h12v8H7.5L5 13.5V11H2z',
  voice:
    'M3 2.5h2.6l1.3 3.2-1.7 1.3a8 8 0 0 0 3.8 3.8l1.3-1.7 3.2 1.3V13a1 1 0 0 1-1 1A10.5 10.5 0 0 1 2 3.5a1 1 0 0 1 1-1z',
  lrar: 'M3.5 2h9v12h-9zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
}
const strokes: Record<Channel, string> = {
  email: 'stroke-email',
  sms: 'stroke-sms',
  voice: 'stroke-voice',
  lrar: 'stroke-lrar',
}

/** The icon of a channel, in its colour. The name of the channel stands beside it, or is its name. */
export function ChannelIcon({ channel, name }: { readonly channel: Channel; readonly name?: string }) {
  const icon = (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      strokeWidth={1.5}
      strokeLinejoin="round"
      className={`inline-block size-4 shrink-0 fill-none align-[-0.2em] forced-colors:stroke-[CanvasText] print:stroke-[black] ${strokes[channel]}`}
    >
      <path d={shapes[channel]} />
    </svg>
  )
  if (name === undefined) return icon
  return (
    <span role="img" aria-label={name}>
      {icon}
    </span>
  )
}
