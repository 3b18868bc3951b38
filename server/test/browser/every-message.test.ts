import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LetterMessage } from '../../src/adapters/channel.ts'
import { stepsSentAfterStop } from '../../src/domain/recovery/cascade.ts'
import { printLetter } from '../../src/features/recovery/messages/compose/print-letter.ts'
import { toHtml } from '../../src/features/recovery/messages/compose/texts/email-html.ts'
import {
  amountToPay,
  type MessageContent,
} from '../../src/features/recovery/messages/compose/texts/message-content.ts'
import { stepsWithTexts, textOf } from '../../src/features/recovery/messages/compose/texts/texts.ts'
import { sampleContent } from '../../src/features/recovery/templates/sample-content.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { corpus } from '../injection/corpus.ts'
import { link, messageOf } from '../injection/hostile-message.ts'
import { everyMessage, nameOf, type RenderedMessage } from '../messages/every-message.ts'
import { asWordShowsIt } from './as-word-shows-it.ts'
import { chromiumPath } from './chromium.ts'
import { addressesOf, boxesOfEmail, contentWidth } from './in-page.ts'
import { drawLogo, expectAccessiblePage, savePicture } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

type Language = 'fr' | 'en'
const languages: Language[] = ['fr', 'en']

const emailOf = (
  step: string,
  language: Language,
  more: Partial<MessageContent> = {},
  hasLogo = false,
): string => {
  const content = { ...sampleContent(language, step), ...more }
  const creditor = content.creditor.name
  return toHtml(textOf(step, 'email')!(language, content), { language, creditor, hasLogo })
}

/** `npm run pictures` saves these screenshots in docs/pictures. */
describe.skipIf(!chromiumPath)('a message is readable, fits a phone and stands in nobody’s way', () => {
  const { newPage } = useBrowser()

  const shown = [
    ['first', 'email_prise_en_charge'],
    ['statement', 'relance_email_2'],
    ['formal-notice', 'lrar_mise_en_demeure'],
    ['receipt', 'payment_receipt'],
  ] as const
  it.each(languages.flatMap(language => shown.map(([name, step]) => [name, step, language] as const)))(
    'email %s (%s, %s)',
    async (name, step, language) => {
      const page = await newPage({ language })
      const logo = (await drawLogo(page)).toString('base64')
      const html = emailOf(step, language, {}, true).replace('cid:logo', `data:image/png;base64,${logo}`)
      await page.setContent(html)
      await expectAccessiblePage(page, `email-${name}-${language}`)
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await page.evaluate(contentWidth)).toBe(320)
    },
  )

  const htmlOf = ({ text, language, content }: RenderedMessage, hasLogo = false) =>
    toHtml(text, { language, creditor: content.creditor.name, hasLogo })
  const emails = everyMessage.filter(({ channel }) => channel === 'email')

  it('every email keeps its width and its button in classic Outlook', async () => {
    const page = await newPage()
    await page.setViewportSize({ width: 1200, height: 800 })
    for (const email of emails) {
      await page.setContent(asWordShowsIt(htmlOf(email)))
      const { sheet, button } = await page.$eval('h1', boxesOfEmail)
      expect(sheet, nameOf(email)).toBeLessThanOrEqual(600)
      expect(button, nameOf(email)).toBeGreaterThanOrEqual(44)
    }
  })

  it.each(shown)('email %s (%s) as classic Outlook shows it', async (name, step) => {
    const page = await newPage({ language: 'fr' })
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.setContent(asWordShowsIt(emailOf(step, 'fr')))
    if (process.env.PICTURES)
      await savePicture(`email-${name}-fr-outlook`, await page.screenshot({ fullPage: true }))
  })

  it('the first screen of a phone shows whose it is, the sum, the day it was due and the button', async () => {
    const page = await newPage()
    const logo = (await drawLogo(page)).toString('base64')
    await page.setViewportSize({ width: 390, height: 660 })
    for (const email of emails.filter(({ step }) => !stepsSentAfterStop.includes(step)))
      for (const hasLogo of [false, true]) {
        const html = htmlOf(email, hasLogo).replace('cid:logo', `data:image/png;base64,${logo}`)
        await page.setContent(html)
        const { buttonEnds } = await page.$eval('h1', boxesOfEmail)
        expect(buttonEnds, nameOf(email)).toBeLessThanOrEqual(660)
        const first = html.slice(html.indexOf('role="main"'), html.indexOf('<a href'))
        for (const part of [
          email.content.creditor.name,
          amountToPay(email.content, email.language),
          email.language === 'fr' ? '01/05/2026' : '1 May 2026',
        ])
          expect(first, nameOf(email)).toContain(part)
      }
  })

  it('the number of an invoice stays in one piece in the heading, also on a narrow phone', async () => {
    const page = await newPage()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.setContent(emailOf('relance_email_1', 'fr'))
    const number = page.locator('h1 span', { hasText: 'FAC-2026-000042' })
    expect((await number.boundingBox())!.height).toBeLessThan(30)
  })

  it.each(languages.flatMap(language => [20, 60].map(count => [language, count] as const)))(
    'every other email, with many invoices and long names (%s, %i)',
    async (language, count) => {
      const sample = sampleContent(language)
      const [first] = sample.invoices
      const many: Partial<MessageContent> = {
        creditor: { ...sample.creditor, name: 'Société anonyme des établissements '.repeat(4).trim() },
        invoices: Array.from({ length: count }, (_, i) => ({
          ...first!,
          number: `FACTURE-2026-LONGUE-${i}-${'9'.repeat(30)}`,
        })),
        alsoOpen: [first!],
        collector: {
          name: 'Cabinet Rivoire',
          address: '8 quai Perrache, 69002 Lyon',
          siren: '732829320',
          letters: [{ reference: 'R-4T9K2QM', day: '2026-06-15' }],
        },
      }
      const page = await newPage({ language })
      for (const step of stepsWithTexts('email')) {
        await page.setContent(emailOf(step, language, many))
        await expectAccessiblePage(page, `email-other-${step}`, false)
        await page.setViewportSize({ width: 320, height: 640 })
        expect(await page.evaluate(contentWidth), step).toBe(320)
      }
    },
  )

  it('what somebody typed is never more than words: nothing runs, nothing is fetched, no link is added', async () => {
    const page = await newPage()
    const fetched: string[] = []
    page.on('request', request => fetched.push(request.url()))
    page.on('dialog', dialog => {
      fetched.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    for (let i = 0; i < corpus.length; i += 20) {
      const message = messageOf('email', 'lrar_mise_en_demeure', corpus.slice(i, i + 20))
      if (message.channel !== 'email') throw new Error('not an email')
      await page.setContent(message.html!)
      const links = await page.$$eval('a', addressesOf)
      expect(new Set(links)).toEqual(new Set([link]))
      expect(
        await page.$$('script,style,img,svg,iframe,object,embed,form,input,base,link,video,math'),
      ).toEqual([])
    }
    expect(fetched).toEqual([])
  })

  it.each(languages)('the letter (%s)', async language => {
    const content = { ...sampleContent(language, 'lrar_mise_en_demeure'), payWithinDays: 8 }
    const text = textOf('lrar_mise_en_demeure', 'lrar')!(language, content)
    const [from, to] = addresses
    const logo = await drawLogo(await newPage())
    const pdf = await printLetter({
      logo,
      from,
      to,
      reference: 'FAC-2026-000042',
      text,
      language,
      today: content.today,
      madeAt: 0,
    })
    for (const [i, page] of (await asPictures(pdf)).entries())
      await savePicture(`letter-${language}-${i + 1}`, page)
  })
})

const addresses: [LetterMessage['from'], LetterMessage['to']] = [
  {
    name: 'Menuiserie Lambert',
    lines: ['4 rue des Tanneurs'],
    postalCode: '69005',
    city: 'Lyon',
    country: 'FR',
  },
  {
    name: 'Durand et Fils SARL',
    lines: ['12 avenue de la Gare'],
    postalCode: '38000',
    city: 'Grenoble',
    country: 'FR',
  },
]

/** One for each page; none where nothing draws pages. Only pictures need it. */
async function asPictures(pdf: Buffer): Promise<Buffer[]> {
  if (!process.env.PICTURES) return []
  const folder = await mkdtemp(join(tmpdir(), 'letter-'))
  try {
    await writeFile(join(folder, 'letter.pdf'), pdf)
    await runChild('pdftoppm', ['-r', '80', '-png', join(folder, 'letter.pdf'), join(folder, 'page')])
    return await Promise.all([1, 2].map(page => readFile(join(folder, `page-${page}.png`))))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
