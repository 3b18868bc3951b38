import { describe, expect, it } from 'vitest'
import { inSteps } from '../../harness/scripted-model.ts'
import { callTool, useCallFixture } from '../../harness/use-call-fixture.ts'
import { mondayMorning } from '../../harness/use-installation.ts'

const {
  model,
  installation,
  ring,
  answer,
  answered,
  callOf,
  closed,
  historyOf,
  outcomesIn,
  workflowOf,
  invoiceOf,
  contactsOf,
} = useCallFixture()

/** What the person gets in writing of what they said. */
const confirmationsOf = ({ invoiceId }: { invoiceId: string }) =>
  installation.sql('select step, about from extra_messages where invoice_id = $1', [invoiceId])

const promisesOf = ({ invoiceId }: { invoiceId: string }) =>
  installation.sql('select pay_on::text, amount_cents::int, status from promises where invoice_id = $1', [
    invoiceId,
  ])

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const check = 'Est-ce bien vous qui suivez les factures des fournisseurs ?'

describe('a call that is answered', () => {
  it('begins with the disclosure, and the debt comes after identity and the notice of the call', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    const question = await peer.listen()
    expect(peer.spoken).toEqual([
      'Bonjour, je suis une intelligence artificielle, au service d’Atelier Martin.',
      question,
    ])
    expect(question).toContain(`Êtes-vous bien chez ${ringing.debtor}`)
    const from = model.requests.length
    model.setScript(
      inSteps(callTool('record_promise', { date: '2026-11-27' }), { text: 'À qui ai-je l’honneur ?' }),
    )
    expect(await peer.prompt('De quoi s’agit-il ?')).toBe('À qui ai-je l’honneur ?')
    model.setScript(() => callTool('identity_confirmed'))
    expect(await peer.prompt('À la comptabilité de la maison.')).toBe(check)
    // Before the check the model gets neither the debt's data nor the tools, whatever it says of the person.
    const before = JSON.stringify(model.requests.slice(from))
    expect(before).not.toContain(ringing.number)
    expect(before).not.toContain('1200')
    expect(before).toContain('first the person has to say who they are')
    model.setScript(() => ({ text: `Il s’agit de la facture ${ringing.number}.` }))
    expect(await peer.prompt('Oui, c’est moi.')).toBe(
      `Cet appel n’est pas enregistré. Un logiciel transcrit vos paroles le temps de l’appel, et une courte note en garde le résultat. Il s’agit de la facture ${ringing.number}.`,
    )
    expect(JSON.stringify(model.requests.at(-1))).toContain(ringing.number)
    await peer.hangUp()
    await closed(ringing)
    expect((await workflowOf(ringing)).status).toBe('in_recovery')
    expect(await callOf(ringing)).toMatchObject({ outcome: 'nothing_agreed', note: '' })
  })

  it('whose line does not say that the disclosure was spoken, or comes back, says it first', async () => {
    const ringing = await ring()
    const silent = await answer(ringing, { isGreeted: false })
    const opening = 'Bonjour, je suis une intelligence artificielle, au service d’Atelier Martin. Êtes-vous'
    expect((await silent.listen()).startsWith(opening)).toBe(true)
    await silent.hangUp()
    // As after a crash: the call is not yet closed.
    await closed(ringing)
    await installation.sql('delete from calls where communication_id = $1', [ringing.communicationId])
    const again = await answer(ringing)
    expect((await again.listen()).startsWith(opening)).toBe(true)
    await again.hangUp()
  })

  it('a promise is recorded after a yes to what it means, and the recovery pauses', async () => {
    const ringing = await ring()
    const peer = await answered(ringing)
    model.setScript(() => callTool('record_promise', { date: '2026-11-27', amountCents: 120_000 }))
    const asked = await peer.prompt('Je paie le vendredi 27.')
    expect(plain(asked)).toBe(
      'Vous annoncez un paiement de 1 200,00 € pour le 27 novembre 2026. Annoncer un paiement, c’est reconnaître la dette. Le confirmez-vous, oui ou non ?',
    )
    expect(await promisesOf(ringing)).toEqual([])
    expect(await peer.prompt('Oui.')).toContain('C’est noté : paiement prévu le 27 novembre 2026.')
    model.setScript(() => callTool('end_call', { note: 'Polite.' }))
    expect(await peer.prompt('Au revoir')).toBe('Merci de votre temps. Au revoir.')
    expect(await peer.ended).toEqual({ saidEnd: true, closeCode: 1000 })
    expect(await closed(ringing)).toMatchObject({ outcome: 'promise', note: 'for 2026-11-27' })
    expect((await workflowOf(ringing)).status).toBe('paused')
    expect(await promisesOf(ringing)).toEqual([
      { pay_on: '2026-11-27', amount_cents: 120_000, status: 'open' },
    ])
    expect((await historyOf(ringing)).map(({ action }) => action)).toEqual([
      'ai_call',
      'promise',
      'call_outcome',
    ])
    expect(await outcomesIn(ringing)).toEqual(['A payment was promised: for 2026-11-27'])
    expect(await confirmationsOf(ringing)).toEqual([
      { step: 'promise_confirmed', about: { on: '2026-11-27', amountCents: 120_000 } },
    ])
    expect((await contactsOf(ringing)).contacts).toMatchObject([
      { channel: 'voice', call: { outcome: 'promise', note: 'for 2026-11-27' } },
    ])
  })

  it('a promise of everything is confirmed with the sum that the call named: the balance and what was claimed', async () => {
    const ringing = await ring()
    await installation.sql('update invoices set claimed_cents = 5798 where id = $1', [ringing.invoiceId])
    const peer = await answered(ringing)
    model.setScript(() => callTool('record_promise', { date: '2026-11-27' }))
    await peer.prompt('Le 27.')
    await peer.prompt('Oui.')
    await peer.hangUp()
    await closed(ringing)
    expect(await confirmationsOf(ringing)).toEqual([
      { step: 'promise_confirmed', about: { on: '2026-11-27', amountCents: 125_798 } },
    ])
  })

  it('a promise without a yes is not recorded, and the model goes on', async () => {
    const ringing = await ring()
    const peer = await answered(ringing)
    for (const said of ['Non.', 'Oui, mais seulement si je peux.']) {
      model.setScript(() => callTool('record_promise', { date: '2026-11-27' }))
      expect(await peer.prompt('Le 27, peut-être.')).toContain('c’est reconnaître la dette')
      model.setScript(() => ({ text: 'Je n’enregistre rien.' }))
      expect(await peer.prompt(said)).toBe('Je n’enregistre rien.')
      // A yes to something else comes too late.
      expect(await peer.prompt('Oui.')).toBe('Je n’enregistre rien.')
    }
    await peer.hangUp()
    expect((await closed(ringing))!.outcome).toBe('nothing_agreed')
    expect(await promisesOf(ringing)).toEqual([])
    expect((await workflowOf(ringing)).status).toBe('in_recovery')
  })

  it('a promise the rules refuse is not recorded, and the model is told why', async () => {
    const ringing = await ring()
    const peer = await answered(ringing)
    const refusals: string[] = []
    const tries = [
      { date: '2027-06-01' },
      { date: '2026-11-01' },
      { date: 'demain' },
      { date: '2026-11-27', amountCents: -5 },
      { date: '2026-11-27', invoiceNumbers: ['F-of-somebody-else'] },
    ]
    for (const args of tries) {
      model.setScript(
        inSteps(callTool('record_promise', args), answers => {
          refusals.push(answers[0]!)
          return { text: 'Un autre jour ?' }
        }),
      )
      await peer.prompt('Un jour.')
    }
    expect(refusals).toHaveLength(5)
    for (const refusal of refusals) expect(refusal).toMatch(/^Refused: /)
    await peer.hangUp()
    expect((await closed(ringing))!.outcome).toBe('nothing_agreed')
    expect((await workflowOf(ringing)).status).toBe('in_recovery')
  })

  it('somebody who disputes is heard: the invoice says so and its reminders stop', async () => {
    const ringing = await ring()
    const peer = await answered(ringing)
    model.setScript(
      inSteps(callTool('record_dispute', { reason: 'Two chairs arrived broken' }), {
        text: 'C’est transmis.',
      }),
    )
    await peer.prompt('Deux chaises étaient cassées.')
    await peer.hangUp()
    expect(await closed(ringing)).toMatchObject({ outcome: 'dispute', note: 'Two chairs arrived broken' })
    expect((await invoiceOf(ringing)).status).toBe('disputed')
    expect((await workflowOf(ringing)).status).toBe('paused')
    const events = await installation.sql<{ actor: object }>(
      `select actor from events where subject_id = $1 and type = 'invoice.status_changed' and data->>'newStatus' = 'disputed'`,
      [ringing.invoiceId],
    )
    expect(events).toEqual([{ actor: { kind: 'debtor', id: ringing.debtorId } }])
    expect(await confirmationsOf(ringing)).toEqual([{ step: 'dispute_received', about: {} }])
  })

  it('somebody else is left alone: the number is never used again', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    await peer.listen()
    model.setScript(() => callTool('wrong_person'))
    expect(await peer.prompt('Non, vous faites erreur.')).toContain(
      'ce numéro ne sera plus utilisé pour ce dossier',
    )
    await peer.hangUp()
    expect((await closed(ringing))!.outcome).toBe('wrong_person')
    const { closedChannels } = await contactsOf(ringing)
    expect(closedChannels).toContainEqual({ channel: 'voice', because: 'wrong_person' })
    expect((await workflowOf(ringing)).status).toBe('paused')
  })

  it.each([
    [
      'payment_sent',
      { note: 'Sent on Friday' },
      'The person says that the payment is on its way: Sent on Friday',
    ],
    ['invoice_not_received', {}, 'The person says that the invoice never arrived.'],
    ['waiting_approval', {}, 'The invoice waits for approval.'],
  ])('%s is noted for the creditor, and every reminder waits until it is read', async (name, args, line) => {
    const ringing = await ring()
    const peer = await answered(ringing)
    model.setScript(inSteps(callTool(name, args), { text: 'Merci, je le note.' }))
    await peer.prompt('Voilà.')
    await peer.hangUp()
    expect((await closed(ringing))!.outcome).toBe(name)
    expect(await outcomesIn(ringing)).toEqual([line])
    const [agenda] = await installation.sql<{ quiet_until: Date }>(
      'select quiet_until from agendas where debtor_id = $1',
      [ringing.debtorId],
    )
    expect(agenda!.quiet_until.getTime()).toBeGreaterThan(mondayMorning + 2 * 86_400_000)
    expect((await workflowOf(ringing)).status).toBe('paused')
    expect((await invoiceOf(ringing)).paidCents).toBe(0)
  })

  it('who wants a human is told who gets to know it, and that nobody is reminded meanwhile', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    await peer.listen()
    model.setScript(() => callTool('hand_over', { to: 'Somebody in accounting' }))
    const bye = await peer.prompt('Je veux parler à un humain.')
    expect(bye).toBe(
      'Je note votre demande et je préviens Atelier Martin. D’ici à ce qu’elle soit lue, vous ne recevrez pas de rappel. Au revoir.',
    )
    await peer.hangUp()
    await closed(ringing)
    expect(await outcomesIn(ringing)).toEqual([
      'The person wants to speak to somebody: Somebody in accounting',
    ])
  })

  it('a machine hears nothing more', async () => {
    const ringing = await ring()
    const peer = await answer(ringing)
    await peer.listen()
    model.setScript(() => callTool('voicemail'))
    peer.send({
      type: 'prompt',
      voicePrompt: 'Vous êtes bien sur la messagerie, laissez un message.',
      last: true,
    })
    await peer.ended
    expect(peer.spoken).toHaveLength(2)
    expect((await closed(ringing))!.outcome).toBe('voicemail')
  })

  it('in English for who reads English', async () => {
    const ringing = await ring({ language: 'en' })
    const peer = await answer(ringing)
    await peer.listen()
    expect(peer.spoken[0]).toBe('Hello, I am an artificial intelligence working for Atelier Martin.')
    expect(await peer.prompt('Remove me from your list.')).toBe('Noted: we will not call you again. Goodbye.')
    await peer.hangUp()
    expect((await closed(ringing))!.outcome).toBe('opt_out')
  })
})
