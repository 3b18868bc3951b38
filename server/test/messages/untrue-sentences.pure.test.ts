import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const features = join(import.meta.dirname, '../../src/features')
const folders = ['debtor-side/page/texts', 'recovery/messages/compose/texts', 'recovery/workflow/attestation']

/** What a debtor, or somebody who is shown an attestation, reads, as it is written in the sources. */
async function allTexts(): Promise<string> {
  const inFolder = async (folder: string) => {
    const names = (await readdir(join(features, folder))).filter(name => !name.endsWith('.test.ts'))
    return Promise.all(names.map(name => readFile(join(features, folder, name), 'utf8')))
  }
  return (await Promise.all(folders.map(inFolder))).flat().join('\n')
}

/** Each was once written and was not so. The reason says what the program does. */
const untrue: [RegExp, string][] = [
  [/a porté cette créance|taken this claim to court/, 'the judicial step files nothing'],
  [/'au tribunal'|'in court'/, 'the judicial step files nothing'],
  [/doit vous répondre|has to answer you|must answer you/, 'nobody makes the creditor answer'],
  [
    /tant que le créancier ne vous aura pas répondu|until \$\{creditor\} has answered/,
    'the reminders wait for the decision',
  ],
  [
    /Aucune décision produisant des effets juridiques|No decision with legal effect/,
    'the formal notice leaves by itself',
  ],
  [/prochain rappel est|next reminder is/, 'the next message may be a formal notice or a call'],
  [
    /en plusieurs fois est possible|instalments? is possible|instalments are possible/,
    'the creditor never agreed to it',
  ],
  [/réclamé ici pour les jours suivants|claimed here for the following days/, 'the days may lie before'],
  [/passée en perte|has been written off/, 'that is a fact of the creditor’s books'],
  [/'Carte bancaire'|\['By', 'Card'\]/, 'the provider of payments takes other means, too'],
]

it.each(untrue)('nobody reads %s: %s', async sentence => {
  expect(await allTexts()).not.toMatch(sentence)
})

it('the texts are found', async () => {
  const texts = await allTexts()
  for (const known of ['en demeure de payer', 'Payer par virement', 'Pay by bank transfer'])
    expect(texts).toContain(known)
})
