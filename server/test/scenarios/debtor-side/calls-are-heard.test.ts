import { expect, it } from 'vitest'
import { inSteps } from '../../harness/scripted-model.ts'
import { callTool, useCallFixture } from '../../harness/use-call-fixture.ts'
import { mondayMorning } from '../../harness/use-installation.ts'

const { model, installation, ring, answered, closed, workflowOf, wakeAgain } = useCallFixture({
  own: 'moves the clock',
})

const repliesOf = ({ invoiceId }: { invoiceId: string }) =>
  installation.sql<{ id: string; said: string; channel: string }>(
    `select id, data ->> 'said' as said, data ->> 'channel' as channel from events
      where subject_id = $1 and type = 'reply.received'`,
    [invoiceId],
  )

let days = 0

it.each([
  ['payment_sent', { note: 'Sent on Friday' }],
  ['invoice_not_received', {}],
  ['waiting_approval', {}],
  ['hand_over', { to: 'Somebody in accounting' }],
])(
  '%s is heard: the creditor is alerted once, and five weeks later no letter has left',
  async (name, args) => {
    const ringing = await ring()
    const peer = await answered(ringing)
    // Said twice in one call, it is one reply.
    model.setScript(inSteps(callTool(name, args), callTool(name, args), { text: 'Merci.' }))
    await peer.prompt('Voilà.')
    await peer.hangUp()
    await closed(ringing)
    const replies = await repliesOf(ringing)
    expect(replies).toMatchObject([{ said: name, channel: 'voice' }])
    const alerts = await installation.sql('select 1 from alerts where kind = $1 and subject_id = $2', [
      'reply.received',
      replies[0]!.id,
    ])
    expect(alerts).toHaveLength(1)
    expect((await workflowOf(ringing)).status).toBe('paused')
    const [recovery] = await installation.sql<{ holds: string[]; due_at: Date | null }>(
      'select holds, due_at from recoveries where invoice_id = $1',
      [ringing.invoiceId],
    )
    expect(recovery).toEqual({ holds: ['reply'], due_at: null })
    days += 35
    await installation.setNow(mondayMorning + days * 86_400_000)
    expect(await wakeAgain(ringing)).not.toBe('send')
    const later = await installation.sql(
      `select 1 from communications where debtor_id = $1 and channel <> 'voice'`,
      [ringing.debtorId],
    )
    expect(later).toEqual([])
  },
)
