import type { Channel } from '@relance/sdk'
import type { Language } from '../../lib/language.tsx'
import type { Piece } from './calendar-sentences.ts'
import type { MarkSign } from './contact-signs.ts'
import type { Pattern } from './patterns.tsx'

/*
 * The parts of a calendar that is laid out, in pixels.
 */

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A part of a cell in which one verdict holds. */
export interface CalendarSegment extends Box {
  readonly from: number
  readonly until: number
  readonly piece: Piece
  /** Null where it is open. */
  readonly pattern: Pattern | null
}

export interface CalendarMark {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly channel: Channel
  /** Null: planned. */
  readonly sign: MarkSign | null
  readonly time: string
  readonly name: string
  /** The message that can be opened; null while it is planned. */
  readonly communicationId: string | null
}

/** One day on one channel. */
export interface CalendarCell extends Box {
  readonly channel: Channel
  readonly day: number
  readonly date: string
  /** `mar. 17 nov., E-mail : fermé` */
  readonly label: string
  readonly segments: readonly CalendarSegment[]
  readonly marks: readonly CalendarMark[]
}

export interface DayHead {
  readonly day: number
  readonly x: number
  readonly y: number
  /** Above the first day, and where a month begins. */
  readonly month: string | null
  readonly weekday: string
  readonly number: string
  readonly isToday: boolean
}

export interface LegendItem {
  readonly pattern: Pattern | 'open'
  readonly text: string
}

export interface CalendarLayout {
  readonly form: 'wide' | 'phone'
  readonly width: number
  readonly height: number
  /** The first day that is drawn, and how many are. */
  readonly first: number
  readonly shown: number
  readonly heads: readonly DayHead[]
  readonly lanes: readonly { channel: Channel; name: string; x: number; y: number }[]
  readonly hours: readonly { x: number; text: string }[]
  /** A row per channel; on a telephone a row per day. */
  readonly rows: readonly (readonly CalendarCell[])[]
  readonly today: Box | null
  /** Where the present minute is. */
  readonly now: { x1: number; y1: number; x2: number; y2: number } | null
  readonly legend: readonly LegendItem[]
  /** The signs of what was done. */
  readonly made: readonly MarkSign[]
  readonly hasPlanned: boolean
}

export interface CalendarOptions {
  readonly width: number
  readonly language: Language
  /** The first day to draw where not all of them have room. */
  readonly first?: number | undefined
  /** The channel drawn on a phone. */
  readonly channel?: Channel | undefined
}
