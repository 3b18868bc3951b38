import { describe, expect, it } from 'vitest'
import { callTool, useCallFixture } from '../../harness/use-call-fixture.ts'

const { model, ring, answer, answeredBy, callOf, closed, outcomesIn, installation } = useCallFixture()

const opening = 'Bonjour, je suis une intelligence artificielle, au service d’Atelier Martin.'
const check = 'Est-ce bien vous qui suivez les factures des fournisseurs ?'
const codeQuestion = 'Pour vérifier que je parle à la bonne personne, quel est votre code postal ?'
const notVerified = 'Je n’ai pas pu vérifier à qui je parle. Je m’arrête donc là. Merci, et au revoir.'

describe('who answers', () => {
  it.each([
    ['machine_start', 'voicemail', 'A machine answered; nothing was left on it.'],
    ['fax', 'voicemail', 'A machine answered; nothing was left on it.'],
    ['unknown', 'unreachable', 'Nobody was reached.'],
  ])('%s: not a word is spoken, and the call is over', async (who, outcome, line) => {
    const ringing = await ring()
    expect(await answeredBy(ringing, who)).toEqual({ isConnected: false })
    expect(ringing.call.twiml).toContain('<Hangup>')
    expect(ringing.call.twiml).not.toMatch(/Atelier|Durand|facture|Bonjour/i)
    expect(await callOf(ringing)).toMatchObject({ outcome, ended_at: expect.any(Date) })
    expect(await outcomesIn(ringing)).toEqual([line])
    // A conversation that comes all the same is not let in.
    await expect(answer(ringing)).rejects.toThrow('hung up')
  })
})

describe('at a business', () => {
  it('who answers the telephone hears nothing of a debt, and who is fetched hears first that an AI calls', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    await peer.listen()
    expect(await peer.prompt('Oui, bonjour.')).toBe(check)
    model.setScript(() => callTool('another_person'))
    expect(await peer.prompt('Oui, je vous la passe.')).toBe('Merci, je patiente.')
    expect(await peer.prompt('Comptabilité, bonjour.')).toBe(`${opening} ${check}`)
    expect(peer.spoken.join(' ')).not.toContain(ringing.number)
    model.setScript(() => ({ text: `Il s’agit de la facture ${ringing.number}.` }))
    expect(await peer.prompt('Oui, tout à fait.')).toContain(ringing.number)
    await peer.hangUp()
    await closed(ringing)
  })

  it('a yes that was said before the question is no answer to it', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    await peer.listen()
    const asked = model.requests.length
    peer.send({ type: 'prompt', voicePrompt: 'Oui.', last: true })
    peer.send({ type: 'prompt', voicePrompt: 'Oui, bonjour.', last: true })
    expect(await peer.listen()).toBe(check)
    model.setScript(() => ({ text: 'Je comprends.' }))
    expect(await peer.prompt('Non.')).toBe('Je comprends.')
    expect(model.requests.length).toBe(asked + 1)
    expect(peer.spoken.join(' ')).not.toContain('enregistré')
    await peer.hangUp()
  })

  it('a yes to something the model asked is not taken for an answer, and after two questions the call ends', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    await peer.listen()
    expect(await peer.prompt('Oui.')).toBe(check)
    model.setScript(() => ({ text: 'Puis-je patienter ?' }))
    expect(await peer.prompt('C’est ma collègue.')).toBe('Puis-je patienter ?')
    expect(await peer.prompt('Oui.')).toBe(check)
    expect(await peer.prompt('Euh.')).toBe('Puis-je patienter ?')
    expect(await peer.prompt('Oui.')).toBe(notVerified)
    await peer.ended
    expect(peer.spoken.join(' ')).not.toContain(ringing.number)
    expect((await closed(ringing))!.outcome).toBe('nothing_agreed')
  })
})

describe('a consumer', () => {
  /** The cascade of consumers has no call; a company's own may have one. */
  async function ringConsumer(postalCode: string | null = '69005') {
    const ringing = await ring({ name: 'Camille Perrin' })
    await installation.sql(`update debtors set type = 'consumer', postal_code = $2 where id = $1`, [
      ringing.debtorId,
      postalCode,
    ])
    return ringing
  }

  it('gives the postal code, which the program judges and the model does not know', async () => {
    const ringing = await ringConsumer()
    const peer = await answer(ringing)
    expect(await peer.listen()).toContain('Suis-je bien en relation avec Camille Perrin')
    const from = model.requests.length
    model.setScript(() => callTool('identity_confirmed'))
    expect(await peer.prompt('C’est elle à l’appareil.')).toBe(codeQuestion)
    model.setScript(() => ({ text: 'C’est pour vérifier.' }))
    expect(await peer.prompt('Pourquoi donc ?')).toBe('C’est pour vérifier.')
    const before = JSON.stringify(model.requests.slice(from))
    expect(before).not.toMatch(/69005|1200/)
    expect(before).not.toContain(ringing.number)
    model.setScript(() => ({ text: `Il s’agit de la facture ${ringing.number}.` }))
    const said = await peer.prompt('Le 69 005.')
    expect(said).toMatch(/^Cet appel n’est pas enregistré\./)
    expect(said).toContain(ringing.number)
    await peer.hangUp()
    await closed(ringing)
  })

  it('with two wrong postal codes, or a list of them, hears nothing of a debt', async () => {
    const ringing = await ringConsumer()
    const peer = await answer(ringing)
    await peer.listen()
    expect(await peer.prompt('Oui.')).toBe(codeQuestion)
    expect(await peer.prompt('75011')).toBe(codeQuestion)
    expect(await peer.prompt('69001, 69002, 69003, 69004, 69005')).toBe(notVerified)
    await peer.ended
    expect(peer.spoken.join(' ')).not.toContain(ringing.number)
    expect((await closed(ringing))!.outcome).toBe('nothing_agreed')
  })

  it('gets no further tries by passing the telephone on', async () => {
    const ringing = await ringConsumer()
    const peer = await answer(ringing)
    const question = await peer.listen()
    expect(await peer.prompt('Oui.')).toBe(codeQuestion)
    expect(await peer.prompt('75011')).toBe(codeQuestion)
    model.setScript(() => callTool('another_person'))
    expect(await peer.prompt('Je vous la passe.')).toBe('Merci, je patiente.')
    expect(await peer.prompt('Allô ?')).toBe(`${opening} ${question}`)
    expect(await peer.prompt('Oui.')).toBe(notVerified)
    await peer.ended
  })

  it('whose postal code nobody knows is told of a message, and of nothing else', async () => {
    const ringing = await ringConsumer(null)
    const peer = await answer(ringing)
    await peer.listen()
    expect(await peer.prompt('Oui.')).toBe(
      'Atelier Martin a un message pour vous. Je ne peux pas vous le lire au téléphone. Merci, et au revoir.',
    )
    await peer.ended
    expect(peer.spoken.join(' ')).not.toContain(ringing.number)
  })
})
