import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port nobody listens on; somebody else may still take it before you do. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no TCP port was given')
  return address.port
}
