import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toHtml } from '../src/features/recovery/messages/compose/texts/email-html.ts'
import { everyMessage, everyVariant, letterOf, nameOf } from './messages/every-message.ts'
import { missingMentions } from './messages/mandatory-mentions.ts'
import { kandelMoles, proseOf } from './messages/readability.ts'

/**
 * Writes every message that a debtor may get into files, to be read: `npm run messages -- <folder>`. Its variants are in the
 * folder `variants`, as text.
 */
const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('messages <folder>')
  process.exit(2)
}

const inVariants = join(folder, 'variants')
await mkdir(inVariants, { recursive: true })
let failed = 0
for (const message of everyMessage) {
  const { channel, language, text, body, content } = message
  const path = join(folder, nameOf(message))
  await writeFile(`${path}.txt`, `${text.subject}\n\n${body}`)
  if (channel === 'email')
    await writeFile(`${path}.html`, toHtml(text, { language, creditor: content.creditor.name }))
  if (channel === 'lrar') await writeFile(`${path}.pdf`, await letterOf(message))
  const missing = missingMentions(message)
  failed += missing.length
  const score = language === 'fr' ? `  readability ${kandelMoles(proseOf(text)).toFixed(0)}` : ''
  console.log(
    `${missing.length === 0 ? 'ok  ' : 'FAIL'} ${nameOf(message)}${score}${missing.map(duty => `\n       ${duty}`).join('')}`,
  )
}
const variants = everyVariant()
for (const message of variants) {
  await writeFile(join(inVariants, `${nameOf(message)}.txt`), `${message.text.subject}\n\n${message.body}`)
  const missing = missingMentions(message)
  failed += missing.length
  if (missing.length > 0)
    console.log(`FAIL ${nameOf(message)}${missing.map(duty => `\n       ${duty}`).join('')}`)
}
console.log(
  `${everyMessage.length} messages in ${folder}, and ${variants.length} variants; ${failed} mentions missing or untrue`,
)
process.exitCode = failed === 0 ? 0 : 1
