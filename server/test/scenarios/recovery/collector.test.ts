import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({
  env: { COLLECTOR_NAME: 'Cabinet Rivoire', COLLECTOR_ADDRESS: '8 quai Perrache, 69002 Lyon' },
})

it('who recovers on a mandate says so in every message, and names the first one in each later one', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('PUT', '/api/v1/company', {
    collectorMode: true,
    address: '4 rue des Tanneurs',
    postalCode: '69005',
    city: 'Lyon',
  })
  await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  await sandbox.advanceToDay('2026-11-22')
  const emails = (await sandbox.messages('&channel=email')).toSorted((left, right) =>
    left.createdAt < right.createdAt ? -1 : 1,
  )
  const [first, second] = emails
  expect(emails).toHaveLength(2)
  for (const message of [first!, second!])
    for (const part of [
      'Recouvrement amiable par Cabinet Rivoire, 8 quai Perrache, 69002 Lyon',
      'Atelier Martin, 4 rue des Tanneurs, 69005 Lyon',
      message.communicationId,
      'restent à la charge du créancier',
      'Cabinet Rivoire, pour Atelier Martin',
    ])
      expect(message.body).toContain(part)
  expect(first!.body).not.toContain('Première lettre')
  expect(second!.body).toMatch(new RegExp(`Première lettre +${first!.communicationId}, du 16/11/2026`))
})

it('a company that writes in its own name is not collected for', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Petit SARL') })
  await sandbox.advance('PT1H')
  expect((await sandbox.messages())[0]!.body).not.toMatch(/Rivoire|L111-8/)
})
