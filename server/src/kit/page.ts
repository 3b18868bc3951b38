/** The answer of a list. */
export interface Page<Item> {
  items: Item[]
  /** Where the next page starts; sent in the body and in the Link header. Lists paged by offset have none. */
  nextCursor?: string | null
  pagination: PagePosition | OffsetPosition | FeedPosition
}

/** How the deliveries of a webhook and the conversations with the assistant are paged. */
export interface OffsetPosition {
  totalIsExact?: false
  limit: number
  offset: number
  total: number
}

/** How a feed is read: `nextCursor` is always there, also when nothing more has happened yet. */
export interface FeedPosition {
  limit: number
  hasNext: boolean
}

interface PagePosition {
  totalIsExact?: false
  page: number
  limit: number
  total: number
  totalPages: number
  hasNext: boolean
  hasPrev: boolean
}

export const pagination = ({ page: number, limit }: { page: number; limit: number }, total: number) => ({
  page: number,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  hasNext: number * limit < total,
  hasPrev: number > 1,
})
