import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type MailSink = Awaited<ReturnType<typeof startMailSink>>

/** A mail server that counts what it accepts and forgets it: a mail costs as little as it can. */
export async function startMailSink() {
  let received = 0
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 200,
    onData(stream, _session, answer) {
      stream.resume()
      stream.once('end', () => {
        received++
        answer(null, 'counted')
      })
    },
  })
  smtp.on('error', () => {})
  smtp.server.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  return {
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    received: (): number => received,
    stop: () => new Promise<void>(resolve => smtp.close(() => resolve())),
  }
}
