import type { Statement } from './statement.ts'
import { insertJoinOf, type Join, type Tx, type Value } from './transaction.ts'

/*
 * Several items that do the same thing share one transaction. Each has its own `Tx` and runs concurrently with the others. The
 * queries of one step are collected, and equal statements are sent as one if the statement declares how.
 */

interface ReadForMany {
  many: Statement<object>
  /** The index of the id parameter; in `many` it is an array of ids. */
  parameter: number
  /** The column of the rows that has the id. */
  column: string
}
interface WriteForMany {
  statement: Statement<unknown>
  join: Join
}

const reads = new Map<Statement<unknown>, ReadForMany>()
const writes = new Map<Statement<unknown>, WriteForMany>()

/** `many` reads for an array of ids the rows that `one` reads for a single id; `column` contains the id. */
export const readTogether = <Row>(
  one: Statement<Row>,
  many: Statement<Row & object>,
  column: string,
  parameter = 0,
): void => void reads.set(one, { many, parameter, column })

/**
 * Calls of `one` that wait for the commit may be replaced by one call of `statement`, with the values of all of them joined. The
 * same holds for what is declared with `insertTogether`.
 */
export const writeTogether = (one: Statement<unknown>, form: WriteForMany): void => void writes.set(one, form)

interface Asked {
  statement: Statement<unknown>
  values: readonly Value[]
  resolve(rows: unknown[]): void
  reject(error: unknown): void
}
interface Waiting {
  statement: Statement<unknown>
  values(): readonly Value[]
  onRows: ((rows: unknown[]) => void) | undefined
}

/**
 * Takes from several queues the calls that may be sent together: the first statement of the first queue, and the same statement
 * from every other queue that begins with it. So each queue keeps its order.
 */
function* inSteps<One extends { statement: Statement<unknown> }>(queues: readonly One[][]): Generator<One[]> {
  for (
    let first = queues.find(queue => queue.length > 0);
    first;
    first = queues.find(queue => queue.length > 0)
  ) {
    const { statement } = first[0]!
    yield queues.flatMap(queue => {
      const end = queue.findIndex(one => one.statement !== statement)
      return queue.splice(0, end === -1 ? queue.length : end)
    })
  }
}

const judged = new Map<Statement<unknown>, boolean>()
/** Cached per statement, because each item of a group runs about a dozen statements. */
function doesWrite(statement: Statement<unknown>): boolean {
  const known = judged.get(statement)
  if (known !== undefined) return known
  const isWriting = /\b(insert|delete)\b|(?<!for (no key )?)\bupdate\b/i.test(statement.text)
  judged.set(statement, isWriting)
  return isWriting
}

export interface GroupItem {
  tx: Tx
  /** Keeps what the item queued for the commit. Without this call the item has changed nothing, unless `hasWritten`. */
  keep(): void
  /** The item has already written before the commit, which cannot be undone for one item alone. */
  hasWritten(): boolean
}

/** A group of items in the transaction of `tx`. */
export function startGroup(tx: Tx): { newItem(): GroupItem; write(): void } {
  const askers = new Set<Asked[]>()
  const kept: Waiting[][] = []

  function ask(): void {
    const queues = [...askers]
    askers.clear()
    for (const calls of inSteps(queues)) {
      const { statement } = calls[0]!
      const form = reads.get(statement)
      if (form && calls.length > 1) askForMany(form, calls)
      else for (const { values, resolve, reject } of calls) tx.rows(statement, values).then(resolve, reject)
    }
  }

  function askForMany({ many, parameter, column }: ReadForMany, calls: readonly Asked[]): void {
    const same = Map.groupBy(calls, ({ values }) => JSON.stringify(values.with(parameter, null)))
    for (const alike of same.values()) {
      const ids = alike.map(({ values }) => values[parameter] as string)
      tx.rows(many, alike[0]!.values.with(parameter, [...new Set(ids)])).then(
        rows => {
          const byId = Map.groupBy(rows, row => (row as Record<string, unknown>)[column])
          for (const [i, { resolve }] of alike.entries()) resolve(byId.get(ids[i]) ?? [])
        },
        error => {
          for (const { reject } of alike) reject(error)
        },
      )
    }
  }

  return {
    newItem() {
      const queue: Asked[] = []
      let hasWritten = false
      const own: Waiting[] = []
      return {
        tx: {
          rows: <Row>(statement: Statement<Row>, values: readonly Value[]) =>
            new Promise<Row[]>((resolve, reject) => {
              hasWritten ||= doesWrite(statement)
              // By then all items have run as far as they can without an answer, so all their queries are known.
              if (askers.size === 0) setImmediate(ask)
              askers.add(queue)
              queue.push({ statement, values, resolve: rows => resolve(rows as Row[]), reject })
            }),
          atCommit: (statement, values, onRows) =>
            void own.push({
              statement,
              values: typeof values === 'function' ? values : () => values,
              onRows: onRows as Waiting['onRows'],
            }),
        },
        keep: () => void kept.push(own),
        hasWritten: () => hasWritten,
      }
    },
    write() {
      for (const calls of inSteps(kept.splice(0))) {
        const { statement } = calls[0]!
        const join = insertJoinOf(statement)
        const form = join ? { statement, join } : writes.get(statement)
        if (form && calls.length > 1 && calls.every(({ onRows }) => onRows === undefined))
          tx.atCommit(form.statement, () => form.join(calls.map(({ values }) => values())))
        else for (const { values, onRows } of calls) tx.atCommit(statement, values, onRows)
      }
    },
  }
}
