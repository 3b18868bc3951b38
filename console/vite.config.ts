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

/** Every screen needs these files: they are fetched with the page, not when it is known which screen it is. */
const preloadScreen: Plugin = {
  name: 'preload-screen',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter(file => /^assets\/(screen|client)-/.test(file))
        .map(file => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
          injectTo: 'head',
        })),
  },
}

/** Forms: some screens are one, and windows have one. */
const fields = /\/src\/(ui\/field|lib\/(refusal-words|limits|limits\.generated))\.tsx?$/
/** Windows and menus: loaded when somebody acts. */
const layers =
  /\/(@base-ui|@floating-ui)\/(?!react\/(csp-provider|internals\/csp-context)\/)|\/src\/ui\/(dialog|menu)\.tsx?$/
/** What the screens of a debtor and of an invoice have in common. */
const records =
  /\/ui\/picture\/contact-signs\.ts$|\/ui\/picture\/(marks|patterns)\.tsx$|\/features\/(acts\/(?!act-dialog|act-form|address-form|reply-form|task-acts|several-field|split-field|write-|perform-act|refusal)|timeline\/(?!message-dialog))/
/** What screens are made of. */
const screen =
  /\/src\/(ui\/(channel-icon|chip|facts|failure|money-text|sheet|table)|lib\/(date-names|format|message-name|names|standing|work|zone))\.tsx?$|\/ui\/picture\/picture\.tsx$|\/(useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/
/** What asks the API; its errors are known before. */
const client = /\/sdk\/src\/(?!error|sample-portfolio)|\/src\/lib\/client\.ts$/
/** What every page loads once it is drawn. */
const late = /\/src\/(ui\/toast\.tsx|features\/sending\/(sending\.tsx|question\.ts))$/
/** What is needed before any screen, libraries included. Messages of what was done come later. */
const shared =
  /rolldown\/runtime|vite\/preload-helper|\/node_modules\/|\/sdk\/src\/(?!sample-portfolio)|\/src\/(lib\/(?!live|refusal-words|limits)|ui\/(?!toast))[^/]+$/

const sdk = (name: string) => fileURLToPath(new URL(`../sdk/src/${name}.ts`, import.meta.url))

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwind(), preloadScreen, compress],
  resolve: {
    alias: [
      // The sources of the SDK, so that nothing has to be built before the console is.
      { find: '@relance/sdk/sample-portfolio', replacement: sdk('sample-portfolio') },
      { find: '@relance/sdk', replacement: sdk('index') },
      // What it adds to older versions is part of React.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
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
            { name: 'fields', test: fields, priority: 2 },
            { name: 'records', test: records, priority: 2 },
            { name: 'screen', test: screen, priority: 2 },
            { name: 'late', test: late, priority: 2 },
            { name: 'client', test: client, priority: 2 },
            { name: 'lists', test: /\/features\/lists\/|\/routes\/list-screen/, priority: 2 },
            { name: 'shared', test: shared, priority: 1 },
          ],
        },
      },
    },
  },
})
