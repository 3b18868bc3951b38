import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Asks Chromium to compile all functions of a file while it arrives, beside the main thread, instead of one by one when they are first
 * called. The first line has to say it; the bundler puts its own line before any banner.
 */
const compileHint = Buffer.from('//# allFunctionsCalledOnLoad\n')
const isCalledOnLoad = (file: string) => file.endsWith('.js') && !file.startsWith('layers-')

/** Compresses once what is read a million times: the server only chooses. */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  writeBundle({ dir }) {
    const assets = join(dir!, 'assets')
    for (const name of readdirSync(assets)) {
      const written = readFileSync(join(assets, name))
      const bytes = isCalledOnLoad(name) ? Buffer.concat([compileHint, written]) : written
      if (bytes !== written) writeFileSync(join(assets, name), bytes)
      for (const [ending, compressed] of [
        ['br', brotliCompressSync(bytes)],
        ['gz', gzipSync(bytes, { level: 9 })],
      ] as const)
        if (compressed.length < bytes.length) writeFileSync(join(assets, `${name}.${ending}`), compressed)
    }
  },
}

/** Every screen needs this file: it is fetched with the page, not when it is known which screen it is. */
const preloadScreen: Plugin = {
  name: 'preload-screen',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter(file => file.startsWith('assets/screen-'))
        .map(file => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
          injectTo: 'head',
        })),
  },
}

/** Windows, menus and fields: loaded when somebody acts. */
const layers =
  /\/(@base-ui|@floating-ui)\/(?!react\/(csp-provider|internals\/csp-context)\/)|\/src\/ui\/(dialog|menu|field)\.tsx?$/
/** What the screens of a debtor and of an invoice have in common. */
const records =
  /\/ui\/money-text\.ts$|\/ui\/picture\/(marks|patterns)\.tsx$|\/features\/(acts\/(?!act-dialog)|timeline\/(?!message-dialog))/
/** What screens are made of. */
const screen =
  /\/src\/(ui\/(chip|facts|failure|sheet|table)|lib\/(date-names|format|message-name|names|standing|zone))\.tsx?$|\/ui\/picture\/picture\.tsx$|\/(useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/
/** What is needed before any screen, libraries included. */
const shared = /rolldown\/runtime|\/node_modules\/|\/sdk\/src\/|\/src\/(lib\/(?!live)|ui\/)[^/]+$/

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwind(), preloadScreen, compress],
  // The sources of the SDK, so that nothing has to be built before the console is.
  resolve: { alias: { '@relance/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)) } },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    // A file for all that every screen needs and one for the layers: left to itself the bundler makes twenty of a screen, and
    // each costs a request, a compilation and a preload.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'layers', test: layers, priority: 2 },
            { name: 'records', test: records, priority: 2 },
            { name: 'screen', test: screen, priority: 2 },
            { name: 'lists', test: /\/features\/lists\/|\/routes\/list-screen/, priority: 2 },
            { name: 'shared', test: shared, priority: 1 },
          ],
        },
      },
    },
  },
})
