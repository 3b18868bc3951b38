import { startRedis } from '../../dev/redis.ts'
import { checkOut, ownRoot } from './base-commit.ts'
import { asJson, type Figure, median, printTable, ratios } from './figures.ts'
import type { Size } from './http.ts'
import { startMailSink } from './mail-sink.ts'
import { openSide, type Side } from './side.ts'
import { type Sample, type Work, works } from './side-work.ts'

export const comparable = Object.keys(works)

export interface Against extends Size {
  commit: string
  names: readonly string[]
  /** How much more CPU than the commit a unit may cost us. */
  limit: number
}

/** Measures this checkout and a commit in turns. Answers the names that cost more than the limit allows. */
export async function benchAgainst(against: Against): Promise<string[]> {
  // The step under way comes to its end, or fails with its processes, so that whatever it started is known and removed.
  const interrupt = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error(`interrupted by ${signal}`)))
  const cleanup = new AsyncDisposableStack()
  try {
    return await compareAll(against, cleanup, interrupt.signal)
  } finally {
    await cleanup.disposeAsync()
  }
}

async function compareAll(
  against: Against,
  cleanup: AsyncDisposableStack,
  interrupted: AbortSignal,
): Promise<string[]> {
  const base = await checkOut(against.commit, cleanup)
  const redis = await startRedis()
  if (redis) cleanup.defer(() => redis.stop())
  const mails = await startMailSink()
  cleanup.defer(() => mails.stop())
  const sides: Pair<Side> = [
    await openSide(ownRoot, redis?.url, cleanup),
    await openSide(base.root, redis?.url, cleanup),
  ]
  const over: string[] = []
  for (const name of against.names) {
    const ownCleanup = cleanup.use(new AsyncDisposableStack())
    const prepare = (side: Side) => {
      interrupted.throwIfAborted()
      return works[name]!.prepare({ side, size: against, mails, cleanup: ownCleanup })
    }
    const pair: Pair<Work> = [await prepare(sides[0]), await prepare(sides[1])]
    const samples = await inTurns(pair, against.rounds, interrupted)
    await ownCleanup.disposeAsync()
    const figures = figuresFor(name, base.id, samples, against.limit)
    printTable(figures)
    console.log(
      JSON.stringify({ bench: name, against: base.id, ...sizeOf(against), figures: asJson(figures) }),
    )
    const ratio = median(costRatios(samples))
    const isOver = !(ratio <= against.limit)
    console.log(
      `${name}: ${ratio.toFixed(3)} of ${base.id}, limit ${against.limit}: ${isOver ? 'OVER' : 'within'}\n`,
    )
    if (isOver) over.push(name)
  }
  return over
}

/** Ours, and the commit's. */
type Pair<T> = [T, T]

/** Whoever went second goes first in the next round: what the first one leaves behind then disturbs both alike. */
async function inTurns(pair: Pair<Work>, rounds: number, interrupted: AbortSignal): Promise<Pair<Sample[]>> {
  for (const work of pair) await work.warmUp()
  const samples: Pair<Sample[]> = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      interrupted.throwIfAborted()
      samples[i].push(await pair[i].round())
    }
  return samples
}

const costs = (samples: readonly Sample[]) => samples.map(one => one.processUs + one.postgresUs)

const costRatios = ([ours, theirs]: Pair<Sample[]>) => ratios(costs(ours), costs(theirs))

function figuresFor(name: string, baseId: string, samples: Pair<Sample[]>, limit: number): Figure[] {
  const unit = `µs CPU/${works[name]!.unit}`
  const [ours, theirs] = samples
  const each = (field: keyof Sample) =>
    [ours.map(one => one[field]), theirs.map(one => one[field])] satisfies Pair<number[]>
  const [ourRate, theirRate] = each('perSecond')
  const parts = (who: string, seen: Sample[]): Figure[] => [
    { name: `${name}, ${who}`, unit, values: costs(seen) },
    { name: `${name}, ${who}, process`, unit, values: seen.map(one => one.processUs) },
    { name: `${name}, ${who}, Postgres`, unit, values: seen.map(one => one.postgresUs) },
    { name: `${name}, ${who}, commits`, unit: `/${works[name]!.unit}`, values: seen.map(one => one.commits) },
  ]
  return [
    ...parts('ours', ours),
    ...parts(baseId, theirs),
    { name: `CPU, ours / ${baseId}`, unit: '', values: costRatios(samples), target: { most: limit } },
    {
      name: `Postgres, ours / ${baseId}`,
      unit: '',
      values: ratios(
        ours.map(one => one.postgresUs),
        theirs.map(one => one.postgresUs),
      ),
    },
    { name: `throughput, ours / ${baseId}`, unit: '', values: ratios(ourRate, theirRate) },
    { name: 'throughput, ours', unit: `${works[name]!.unit}s/s`, values: ourRate },
  ]
}

const sizeOf = ({ rounds, seconds, limit }: Against) => ({ rounds, seconds, limit })
