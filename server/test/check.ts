import { spawn } from 'node:child_process'

/** What must hold before anything lands, the quickest first. `npm run check -- lint types` runs only what is named. */
const stages: Record<string, string[]> = {
  lint: ['biome', 'check', '--error-on-warnings'],
  types: ['tsc', '-p', '.'],
  unused: ['knip'],
  generated: ['node', 'server/generate/generate.ts', '--check'],
  openapi: ['redocly', 'lint', 'server/openapi.json', '--config', 'redocly.yaml'],
  tests: ['vitest', 'run', '--config', 'server/vitest.config.ts'],
}

const run = (command: string[]) =>
  new Promise<number>(resolve => {
    const child = spawn(command[0]!, command.slice(1), {
      stdio: 'inherit',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    })
    child.once('exit', code => resolve(code ?? 1))
  })

const wanted = process.argv.slice(2)
const seconds: [string, number][] = []
for (const [stage, command] of Object.entries(stages)) {
  if (wanted.length > 0 && !wanted.includes(stage)) continue
  const start = performance.now()
  const code = await run(command)
  seconds.push([stage, (performance.now() - start) / 1000])
  if (code !== 0) {
    console.error(`check: ${stage} failed`)
    process.exit(code)
  }
}
console.log(seconds.map(([stage, time]) => `stage: ${stage} ${time.toFixed(1)} s`).join('\n'))
