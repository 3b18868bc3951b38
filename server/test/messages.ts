import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toHtml } from '../src/features/recovery/messages/compose/texts/email-html.ts'
import { everyMessage, letterOf, nameOf } from './messages/every-message.ts'
import { missingMentions } from './messages/mandatory-mentions.ts'
import { kandelMoles, proseOf } from './messages/readability.ts'

/** Writes every message that a debtor may get into files, to be read: `npm run messages -- <folder>`. */
const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('messages <folder>')
  process.exit(2)
}

await mkdir(folder, { recursive: true })
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
console.log(`${everyMessage.length} messages in ${folder}; ${failed} mentions missing`)
process.exitCode = failed === 0 ? 0 : 1
