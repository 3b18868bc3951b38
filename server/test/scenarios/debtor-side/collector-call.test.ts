import { beforeAll, expect, it } from 'vitest'
import { inSteps } from '../../harness/scripted-model.ts'
import { callTool, useCallFixture } from '../../harness/use-call-fixture.ts'

const { model, installation, ring, answer, closed } = useCallFixture()

beforeAll(async () => {
  await installation.sql('update installation set collector = $1', [
    JSON.stringify({
      name: 'Cabinet Rivoire',
      address: '8 quai Perrache, 69002 Lyon',
      siren: '732829320',
      countries: ['FR'],
    }),
  ])
  await installation.sql(
    `update companies set mandate_signed_on = '2026-01-12', mandate_reference = 'Coffre 12'`,
  )
})

/** The invoice is listed, and the letter about it was accepted today. */
const startWithLetter = ({ tenantId, invoiceId }: { tenantId: string; invoiceId: string }) =>
  installation.sql(
    `with list as (
       insert into claim_lists (tenant_id, id, accepted_on, accepted_by, created_at, actor)
       values ($1, gen_random_uuid(), '2026-11-16', 'Claire Lambert', '2026-11-16T08:00:00Z', '{}') returning id),
     claim as (
       insert into listed_claims (tenant_id, list_id, invoice_id, accepted_on, currency, principal_cents, indemnity_cents, interest_cents)
       select $1, id, $2, '2026-11-16', 'EUR', 120000, 0, 0 from list)
     update recoveries set collector_letter_id = gen_random_uuid(), collector_letter_at = '2026-11-16T08:00:00Z' where invoice_id = $2`,
    [tenantId, invoiceId],
  )

it('a collector calls nobody about an invoice of which no letter was accepted', async () => {
  await expect(ring()).rejects.toThrow('nobody was called')
})

it('the program says who collects, for whom and the case, once it knows to whom it speaks, and once', async () => {
  const ringing = await ring({}, 'ai_call', startWithLetter)
  const peer = await answer(ringing)
  const question = await peer.listen()
  expect(peer.spoken[0]).toBe(
    'Bonjour, je suis une intelligence artificielle et je vous appelle pour Cabinet Rivoire.',
  )
  expect(peer.spoken[0] + question).not.toMatch(/recouvrement|R-[0-9A-Z]{7}/)
  model.setScript(inSteps({ text: 'À qui ai-je l’honneur ?' }))
  expect(await peer.prompt('De quoi s’agit-il ?')).toBe('À qui ai-je l’honneur ?')
  // The model says nothing of it: the program does.
  model.setScript(() => callTool('identity_confirmed'))
  expect(await peer.prompt('C’est bien nous.')).toContain('Est-ce bien vous')
  model.setScript(inSteps({ text: 'Quand pensez-vous payer ?' }))
  const said = (await peer.prompt('Oui, c’est moi.')).replaceAll('\u00a0', ' ')
  expect(said).toMatch(
    /^Cet appel n’est pas enregistré\. [^.]+\. Cabinet Rivoire, 8 quai Perrache, 69002 Lyon, SIREN 732 829 320, exerce une activité de recouvrement amiable, au nom du créancier Atelier Martin, 4 rue des Tanneurs, 69005 Lyon, SIREN 732 829 320\. C’est la suite de notre lettre R-[0-9A-Z]{7} du 16 novembre 2026\. Quand pensez-vous payer \?$/,
  )
  model.setScript(inSteps({ text: 'Très bien.' }))
  expect(await peer.prompt('Bientôt.')).toBe('Très bien.')
  await peer.hangUp()
  await closed(ringing)
})
