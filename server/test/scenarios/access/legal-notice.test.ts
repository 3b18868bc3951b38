import { expect, it } from 'vitest'
import { createStartContext, startApi } from '../../../src/start/api.ts'
import { startWorker } from '../../../src/start/worker.ts'
import { useDebtors } from '../../harness/use-debtors.ts'
import { visibleText } from '../../harness/visitor.ts'

const env = {
  OPERATOR_NAME: 'Exploitation Exemple SAS',
  OPERATOR_ADDRESS: '5 rue du Port, 44000 Nantes',
  OPERATOR_TELEPHONE: '+33 2 40 00 00 00',
  OPERATOR_REGISTRATION: 'SAS au capital de 10 000 €, 732 829 320 RCS Nantes',
  OPERATOR_DIRECTOR: 'La présidence',
  HOST_NAME: 'Hébergement Exemple SA',
  HOST_ADDRESS: '2 quai Sud, 59000 Lille',
  HOST_TELEPHONE: '+33 3 20 00 00 00',
}
const { installation, contactedInvoice, visitor } = await useDebtors({ env })

it('the legal notice names the publisher with its director, and the host, in both languages', async () => {
  const at = (language: string) => visitor().get(`/legal?lang=${language}`)
  const [french, english] = await Promise.all(['fr', 'en'].map(at))
  expect([french!.status, english!.status]).toEqual([200, 200])
  for (const value of Object.values(env))
    for (const { html } of [french!, english!]) expect(visibleText(html)).toContain(value)
  expect(visibleText(french!.html)).toContain('Directeur de la publication La présidence')
  expect(visibleText(english!.html)).toContain('Director of publication La présidence')
})

it('every public page links to it, in its language', async () => {
  const { code } = await contactedInvoice()
  const who = visitor()
  const debtorPages = ['', '/data', '/dispute', '/promise', '/situation', '/stop', '/not-me'].map(
    path => `/d/${code}${path}`,
  )
  for (const path of [...debtorPages, '/d', '/d/unknown', '/sign-in', '/legal', '/', '/docs', '/alerts']) {
    const { html } = await who.get(path)
    expect(html, path).toMatch(
      /<footer>.*<a href="\/legal\?lang=(fr">Mentions légales|en">Legal notice)<\/a><\/footer>/s,
    )
  }
})

it('production refuses to start without them, as an api and as a worker', async () => {
  const { config } = installation.server
  const production = {
    ...config,
    RELANCE_ENV: 'production' as const,
    PUBLIC_URL: 'https://relance.example',
  }
  for (const name of Object.keys(env)) {
    const context = createStartContext({ ...production, [name]: undefined })
    await expect(startApi(context), name).rejects.toThrow(new RegExp(`${name} must be set`))
    await expect(startWorker(context), name).rejects.toThrow(new RegExp(`${name} must be set`))
  }
})
