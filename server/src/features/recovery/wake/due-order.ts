/*
 * Which due debtors are taken, and in which order.
 */

/** The first of every tenant, then the second of every tenant, and so on. */
export function roundRobin<Row extends { tenant_id: string }>(rows: readonly Row[], count: number): Row[] {
  const byTenant = [...Map.groupBy(rows, row => row.tenant_id).values()]
  const longest = Math.max(0, ...byTenant.map(own => own.length))
  return Array.from({ length: longest }, (_, turn) => byTenant.flatMap(own => own.slice(turn, turn + 1)))
    .flat()
    .slice(0, count)
}

/**
 * The moment from which due debtors are searched. Everything earlier was served, except debtors that are released or resumed
 * later with a moment in the past. A search from the beginning finds them; it takes at most a hundredth of the time.
 */
export function createDueFloor() {
  const marginMs = 5_000
  const fullLookShare = 100
  let floor = 0
  let nextFullLookAt = 0
  return {
    /** Runs one search; `list` returns the due rows, oldest first. */
    async look<Row extends { wake_at: number }>(
      wall: number,
      list: (from: number) => Promise<Row[]>,
    ): Promise<Row[]> {
      const startedAt = performance.now()
      const isFull = startedAt >= nextFullLookAt
      const rows = await list(isFull ? 0 : floor)
      const endedAt = performance.now()
      if (isFull) nextFullLookAt = endedAt + Math.max(1_000, (endedAt - startedAt) * fullLookShare)
      floor = Math.min(wall, rows[0]?.wake_at ?? wall) - marginMs
      return rows
    },
  }
}
