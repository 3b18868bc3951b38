import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { hostileMails } from '../../injection/hostile-mails.ts'

const token = 'a-long-secret-of-our-mail-server'
const { installation, contactedInvoice } = await useDebtors({
  env: { MAIL_INBOUND_TOKEN: token, MAIL_INBOUND_DOMAIN: 'mail.relance.example' },
})

let home: Server
let asked = 0
beforeAll(async () => {
  home = createServer((_request, answer) => answer.end()).on('connection', () => asked++)
  await new Promise<void>(resolve => home.listen(0, '127.0.0.1', resolve))
})
afterAll(() => home.close())

interface Reply {
  id: string
  from: string | null
  subject: string | null
  text: string | null
  textState: string
  attachments: { name: string; type: string; bytes: number }[]
}

const misleading =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u200b\ufeff]/

it('two hundred hostile mails are replies that can be read; nothing of them runs or is fetched, and others are answered', async () => {
  const { id, code } = await contactedInvoice()
  const [row] = await installation.sql<{ debtor_id: string }>(
    'select debtor_id from invoices where id = $1',
    [id],
  )
  const mails = hostileMails(
    `reply+${code}@mail.relance.example`,
    `http://127.0.0.1:${(home.address() as AddressInfo).port}`,
  )
  expect(mails.length).toBeGreaterThanOrEqual(200)
  const path = `/api/v1/debtors/${row!.debtor_id}/replies?limit=1`
  let isOver = false
  let slowest = 0
  const others = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      expect((await installation.call('GET', `/api/v1/invoices/${id}`)).status).toBe(200)
      slowest = Math.max(slowest, performance.now() - startedAt)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })()
  const seen = new Set<string>()
  for (const { name, mail, isPage } of mails) {
    const posted = await fetch(`${installation.server.baseUrl}/callbacks/mail`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` },
      body: new Uint8Array(mail),
    })
    expect([name, posted.status]).toEqual([name, 204])
    const { status, body } = await installation.call<Reply[]>('GET', path)
    const [reply] = body.data
    expect([name, status, reply?.textState]).toEqual([name, 200, 'kept'])
    expect(seen.has(reply!.id), name).toBe(false)
    seen.add(reply!.id)
    const { text, subject, from, attachments } = reply!
    expect((text ?? '').length, name).toBeLessThanOrEqual(20_000)
    expect((subject ?? '').length, name).toBeLessThanOrEqual(200)
    expect((from ?? '').length, name).toBeLessThanOrEqual(320)
    expect(attachments.length, name).toBeLessThanOrEqual(20)
    const names = attachments.flatMap(file => [file.name, file.type])
    for (const shown of names) expect(shown.length, name).toBeLessThanOrEqual(200)
    for (const shown of [text, subject, from, ...names].filter(value => value !== null)) {
      expect(shown, name).not.toMatch(misleading)
      expect(shown.isWellFormed(), name).toBe(true)
    }
    for (const line of [subject, from, ...names]) expect(line ?? '', name).not.toMatch(/[\r\n]/)
    if (isPage) expect(text ?? '', name).not.toMatch(/<[a-z!/?]/i)
  }
  isOver = true
  await others
  expect(slowest).toBeLessThan(2_000)
  expect(asked).toBe(0)
  // A quiet mail afterwards is read as ever.
  await fetch(`${installation.server.baseUrl}/callbacks/mail`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` },
    body: `From: zoe@cliente.example\r\nTo: reply+${code}@mail.relance.example\r\nMessage-ID: <quiet@cliente.example>\r\n\r\nJe paie vendredi.\r\n`,
  })
  expect((await installation.call<Reply[]>('GET', path)).body.data).toMatchObject([
    { from: 'zoe@cliente.example', text: 'Je paie vendredi.' },
  ])
}, 120_000)
