import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Compresses once what is read a million times: the server only chooses. */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  writeBundle({ dir }) {
    const assets = join(dir!, 'assets')
    for (const name of readdirSync(assets)) {
      const bytes = readFileSync(join(assets, name))
      for (const [ending, compressed] of [
        ['br', brotliCompressSync(bytes)],
        ['gz', gzipSync(bytes, { level: 9 })],
      ] as const)
        if (compressed.length < bytes.length) writeFileSync(join(assets, `${name}.${ending}`), compressed)
    }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwind(), compress],
  // The sources of the SDK, so that nothing has to be built before the console is.
  resolve: { alias: { '@relance/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)) } },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
  },
})
