import type { Channel } from '@relance/sdk'
import type { MarkSign } from './calendar-shapes.ts'

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

const glyphs: Record<MarkSign, string> = {
  tick: 'M-3.2 0.2 L-1 2.4 L3.2 -2.2',
  bar: 'M-3 0 H3',
  cross: 'M-2.4 -2.4 L2.4 2.4 M2.4 -2.4 L-2.4 2.4',
  question: 'M-1.8 -1.6 C-1.8 -3.8 2 -3.8 1.9 -1.6 C1.8 -0.2 0 -0.2 0 1.2 M0 3 V3.3',
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
  channel: Channel
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
        className={`fill-sheet forced-colors:fill-[Canvas] ${channelStroke[channel]}`}
      />
    )
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle
        r={radius}
        strokeWidth={1.5}
        className={`stroke-sheet forced-colors:stroke-[Canvas] ${channelFill[channel]}`}
      />
      <path
        d={glyphs[sign]}
        transform={`scale(${radius / 6})`}
        strokeWidth={1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        className="fill-transparent stroke-sheet forced-colors:stroke-[Canvas] print:stroke-[white]"
      />
    </g>
  )
}
