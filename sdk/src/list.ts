import type { Pagination } from './generated/types.ts'

/** One page of a list. */
export interface Page<Item, Position = Pagination> {
  readonly data: Item[]
  readonly pagination: Position
  /** `cursor` of the next page; null on the last one, and where a list is not read by cursor. */
  readonly nextCursor: string | null
  readonly requestId: string | null
  readonly status: number
  readonly headers: Headers
}

type ReadPage<Item, Position> = (more: object) => Promise<Page<Item, Position>>

interface AnyPosition {
  hasNext?: boolean
  page?: number
  offset?: number
  total?: number
  totalIsExact?: false
}

/** The query values to replace for the next page; null after the last one. */
function nextOf({ data, pagination, nextCursor }: Page<unknown, unknown>): object | null {
  const { hasNext, page, offset, total = 0, totalIsExact } = pagination as AnyPosition
  if (offset !== undefined) {
    const next = offset + data.length
    return data.length > 0 && (next < total || totalIsExact === false) ? { offset: next } : null
  }
  if (!hasNext) return null
  return nextCursor === null ? { page: page! + 1 } : { cursor: nextCursor, page: undefined, start: undefined }
}

/**
 * A list sends its request when it is used. `await` gives one page, and `then`, `catch` and `finally` work as those of a promise;
 * `for await` gives every item, page by page; `pages()` gives every page.
 */
export class List<Item, Position = Pagination> implements Promise<Page<Item, Position>>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'List'
  readonly #read: ReadPage<Item, Position>
  #first: Promise<Page<Item, Position>> | undefined

  constructor(read: ReadPage<Item, Position>) {
    this.#read = read
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited
  then<Done = Page<Item, Position>, Failed = never>(
    done?: ((page: Page<Item, Position>) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#first ??= this.#read({})
    return this.#first.then(done, failed)
  }

  catch<Failed = never>(
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Page<Item, Position> | Failed> {
    return this.then(null, failed)
  }

  finally(ended?: (() => void) | null): Promise<Page<Item, Position>> {
    return this.then().finally(ended)
  }

  async *pages(): AsyncGenerator<Page<Item, Position>, void, undefined> {
    for (let more: object | null = {}; more; ) {
      const page: Page<Item, Position> = await this.#read(more)
      yield page
      more = nextOf(page)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}
