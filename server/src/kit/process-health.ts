/** A short sentence about what is wrong; null: nothing. */
export type Check = () => string | null | Promise<string | null>

/** `live` fails when only a restart helps; `ready` fails as long as the part cannot do its work. */
interface PartHealth {
  live?: Check
  ready: Check
}

/** The health of the parts of this process. */
export interface ProcessHealth {
  /** A part is added when it starts, before it waits for anything. */
  add(part: PartHealth): void
  /** Null: all parts are well. */
  live(): Promise<string | null>
  ready(): Promise<string | null>
}

/** Probes ask every few seconds and wait about as long. */
const answerWithinMs = 2_000

/** Runs a check once at a time, so that a check that hangs is not started again. */
function once(check: Check): Check {
  let running: Promise<string | null> | null = null
  const ask = async () => {
    try {
      return await check()
    } finally {
      running = null
    }
  }
  return async () => {
    running ??= ask()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>(resolve => {
      timer = setTimeout(() => resolve(`a check gave no answer for ${answerWithinMs} ms`), answerWithinMs)
    })
    return Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}

export function createProcessHealth(): ProcessHealth {
  const checks: Record<'live' | 'ready', Check[]> = { live: [], ready: [] }
  const firstFault = async (kind: 'live' | 'ready') =>
    (await Promise.all(checks[kind].map(check => check()))).find(fault => fault !== null) ?? null
  return {
    add({ live, ready }) {
      if (live) checks.live.push(once(live))
      checks.ready.push(once(ready))
    },
    live: () => firstFault('live'),
    ready: async () => (checks.ready.length === 0 ? 'it is starting' : firstFault('ready')),
  }
}
