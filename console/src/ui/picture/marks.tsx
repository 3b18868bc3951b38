import type { Channel } from '@relance/sdk'
import type { MarkSign } from './contact-signs.ts'

/** Colours of the channels. With forced colours and on paper, the sign and the position distinguish them. */
export const channelFill: Record<Channel, string> = {
  email: 'fill-email forced-colors:fill-[CanvasText] print:fill-[black]',
  sms: 'fill-sms forced-colors:fill-[CanvasText] print:fill-[black]',
  voice: 'fill-voice forced-colors:fill-[CanvasText] print:fill-[black]',
  lrar: 'fill-lrar forced-colors:fill-[CanvasText] print:fill-[black]',
}

export const channelStroke: Record<Channel, string> = {
  email: 'stroke-email forced-colors:stroke-[CanvasText] print:stroke-[black]',
  sms: 'stroke-sms forced-colors:stroke-[CanvasText] print:stroke-[black]',
  voice: 'stroke-voice forced-colors:stroke-[CanvasText] print:stroke-[black]',
  lrar: 'stroke-lrar forced-colors:stroke-[CanvasText] print:stroke-[black]',
}

/** What became of a contact. The colour is that of the outcome; which channel it was is said by its lane, its name or its icon. */
const fates: Record<MarkSign, { readonly fill: string; readonly glyph: string }> = {
  sent: { fill: 'fill-brand', glyph: 'M-3.2 0.2 L-1 2.4 L3.2 -2.2' },
  delivered: { fill: 'fill-brand', glyph: 'M-4.2 0.2 L-2.2 2.2 L1.2 -2 M-0.2 2.2 L0 2.2 L4.2 -2' },
  refused: { fill: 'fill-alarm', glyph: 'M-2.4 -2.4 L2.4 2.4 M2.4 -2.4 L-2.4 2.4' },
  unknown: {
    fill: 'fill-warn',
    glyph: 'M-1.8 -1.6 C-1.8 -3.8 2 -3.8 1.9 -1.6 C1.8 -0.2 0 -0.2 0 1.2 M0 3 V3.3',
  },
  skipped: { fill: 'fill-edge', glyph: 'M-2.8 0 H2.8' },
}

/** A contact with the sign of its result; without a sign, a planned contact. */
export function ContactMark({
  x,
  y,
  channel,
  sign,
  radius = 6,
}: {
  x: number
  y: number
  channel: Channel | null
  sign: MarkSign | null
  radius?: number
}) {
  if (sign === null)
    return (
      <circle
        cx={x}
        cy={y}
        r={radius - 0.5}
        strokeWidth={1.75}
        strokeDasharray="2.5 2"
        className={`fill-sheet forced-colors:fill-[Canvas] ${channel === null ? 'stroke-edge' : channelStroke[channel]}`}
      />
    )
  const { fill, glyph } = fates[sign]
  return (
    <g transform={`translate(${x} ${y})`} data-channel={channel ?? undefined}>
      <circle
        r={radius}
        strokeWidth={1.5}
        className={`stroke-sheet forced-colors:fill-[CanvasText] forced-colors:stroke-[Canvas] print:fill-[black] ${fill}`}
      />
      <path
        d={glyph}
        transform={`scale(${radius / 6})`}
        strokeWidth={1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        className="fill-transparent stroke-sheet forced-colors:stroke-[Canvas] print:stroke-[white]"
      />
    </g>
  )
}
