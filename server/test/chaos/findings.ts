export interface Findings {
  /** `seen` is shown when the promise does not hold, and where it is a figure worth reading, always. */
  check(promise: string, holds: boolean, seen?: unknown): void
  figure(name: string, value: unknown): void
  counts(): { passed: number; failed: number }
}

const shown = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}

export function startFindings(): Findings {
  const counts = { passed: 0, failed: 0 }
  return {
    check(promise, holds, seen) {
      if (holds) counts.passed++
      else counts.failed++
      const detail = seen === undefined || (holds && Array.isArray(seen)) ? '' : `: ${shown(seen)}`
      console.log(`${holds ? 'ok  ' : 'FAIL'} ${promise}${detail}`)
    },
    figure: (name, value) => console.log(`     ${name}: ${shown(value)}`),
    counts: () => ({ ...counts }),
  }
}
