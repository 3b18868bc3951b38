function exitOnSignal(): void {
  process.exit(130)
}

/**
 * What a process started ends with its event `exit`, and a signal alone would skip that. A worker of Vitest is always ended by
 * a signal: what a failed test did not stop would be left behind. There this file runs once per file of tests.
 */
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  if (!process.listeners(signal).some(({ name }) => name === exitOnSignal.name))
    process.once(signal, exitOnSignal)
