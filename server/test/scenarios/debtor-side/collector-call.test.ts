import { beforeAll, expect, it } from 'vitest'
import { inSteps } from '../../harness/scripted-model.ts'
import { callTool, useCallFixture } from '../../harness/use-call-fixture.ts'

const { model, installation, ring, answer, closed } = useCallFixture()

beforeAll(async () => {
  await installation.sql('update installation set collector = $1', [
    JSON.stringify({ name: 'Cabinet Rivoire', address: '8 quai Perrache, 69002 Lyon', siren: '732829320' }),
  ])
  await installation.sql(
    `update companies set mandate_signed_on = '2026-01-12', mandate_reference = 'Coffre 12'`,
  )
})

it('the program says who collects, for whom and the case, once it knows to whom it speaks, and once', async () => {
  const ringing = await ring()
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
    /^Cet appel n’est pas enregistré\. [^.]+\. Cabinet Rivoire, 8 quai Perrache, 69002 Lyon, SIREN 732 829 320, exerce une activité de recouvrement amiable, au nom du créancier Atelier Martin, 4 rue des Tanneurs, 69005 Lyon\. Votre dossier est le R-[0-9A-Z]{7}, du 16 novembre 2026\. Quand pensez-vous payer \?$/,
  )
  model.setScript(inSteps({ text: 'Très bien.' }))
  expect(await peer.prompt('Bientôt.')).toBe('Très bien.')
  await peer.hangUp()
  await closed(ringing)
})
