import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwind()],
  // The sources of the SDK, so that nothing has to be built before the console is.
  resolve: { alias: { '@relance/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)) } },
  build: { target: 'es2024', modulePreload: { polyfill: false } },
})
