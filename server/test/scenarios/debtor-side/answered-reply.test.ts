import { expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'

const { installation, contactedInvoice, visitor, mailsTo, advanceDays } = await useDebtors({
  own: 'moves the clock',
})

it('what a debtor said on a Sunday is answered by email on Monday', async () => {
  const { id, code, email } = await contactedInvoice()
  const [first] = mailsTo(email)
  // Sunday 22 November, 09:00.
  await advanceDays(6)
  const who = visitor()
  const page = `/d/${code}/already-paid`
  await who.submit(await who.get(page), page, {})
  const [heard] = await installation.sql<{ data: { replyId: string; debtorId: string } }>(
    `select data from events where subject_id = $1 and type = 'reply.received'`,
    [id],
  )
  const { debtorId, replyId } = heard!.data
  const closed = await installation.call<{ answerAt: string }>(
    'POST',
    `/api/v1/debtors/${debtorId}/replies/${replyId}/close`,
    {
      body: {
        outcome: 'says_paid',
        answer: { text: 'Votre virement n’est pas arrivé.\nQuelle est sa date ?' },
      },
    },
  )
  expect(closed.status, closed.text).toBe(200)
  const { answerAt } = closed.body.data
  expect(answerAt >= '2026-11-23T07:00' && answerAt < '2026-11-23T19:00', answerAt).toBe(true)
  expect(mailsTo(email)).toHaveLength(1)
  // Tuesday: the moment of Monday has passed.
  await advanceDays(2)
  const mails = await eventually(
    async () => mailsTo(email),
    all => all.length > 1,
  )
  expect(mails).toHaveLength(2)
  expect(mails[1]!.subject).toBe(`Re: ${first!.subject}`)
  const body = mails[1]!.text.replaceAll('\r\n', '\n')
  expect(body).toContain('Votre virement n’est pas arrivé.\n\nQuelle est sa date ?\n')
  expect(body).toContain('Atelier Martin')
  expect(body).toContain('Vos données')
  const [kept] = await eventually(
    () =>
      installation.sql<{ answer_sealed: string | null; text: string | null }>(
        `select y.answer_sealed, m.text from replies y
           left join sent_messages m on m.communication_id = y.answer_communication_id where y.id = $1`,
        [replyId],
      ),
    ([row]) => row!.answer_sealed === null,
  )
  expect(kept!.text).toContain('Quelle est sa date ?')
})
