import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'

export interface SmtpOptions {
  host: string
  port: number
  /** TLS from the first byte. */
  secure?: boolean
  /** Refuse to continue without STARTTLS; the default when there are credentials to protect. */
  requireTls?: boolean
  auth?: { user: string; pass: string }
  connectTimeoutMs?: number
  socketTimeoutMs?: number
  maxConnections?: number
  heloName?: string
  /** The domain whose mail we receive: bounces and copies of replies are sent there. */
  inboundDomain?: string | undefined
}

export interface SmtpError {
  code?: string | undefined
  originalCode?: string | undefined
  responseCode?: number | undefined
  response?: string | undefined
  command?: string | undefined
}

const idleMs = 3_000
const quitTimeoutMs = 1_000

function openConnection(
  options: SmtpOptions,
): Promise<{ connection: SMTPConnection } | { error: SmtpError }> {
  const { auth, connectTimeoutMs = 10_000 } = options
  const secure = options.secure ?? false
  const connection = new SMTPConnection({
    host: options.host,
    port: options.port,
    secure,
    requireTLS: options.requireTls ?? (auth !== undefined && !secure),
    name: options.heloName,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    // Shorter than the lease of a claim, so that the worker that called a silent server settles the message itself.
    socketTimeout: options.socketTimeoutMs ?? 25_000,
  })
  return new Promise(resolve => {
    const failed = (error: SmtpError) => resolve({ error })
    const ready = () => {
      connection.off('end', lost)
      resolve({ connection })
    }
    // The callback of `login` is lost when the connection dies; the event `end` never is.
    const lost = () => setImmediate(() => failed({ code: 'ECONNECTION' }))
    // Never removed: an error on an idle connection must not end the process.
    connection.on('error', failed)
    connection.once('end', lost)
    connection.connect(error => {
      if (error) failed(error)
      else if (!auth) ready()
      else {
        connection.login({ credentials: auth }, refusal => {
          if (!refusal) return ready()
          failed(refusal)
          connection.close()
        })
      }
    })
  })
}

function quitConnection(connection: SMTPConnection): Promise<void> {
  if (connection.destroyed) return Promise.resolve()
  const gone = new Promise<void>(resolve => connection.once('end', resolve))
  connection.quit()
  setTimeout(() => connection.close(), quitTimeoutMs).unref()
  return gone
}

/**
 * A few connections that are reused and closed when idle.
 * A sender first acquires a slot. A connection is opened only when none is idle, so there are never more connections than slots.
 */
export function smtpPool(options: SmtpOptions) {
  const size = options.maxConnections ?? 8
  const idle = new Map<SMTPConnection, NodeJS.Timeout>()
  const waiting: (() => void)[] = []
  let free = size
  let isClosed = false
  let closing: Promise<void> | undefined

  const forget = (connection: SMTPConnection) => {
    clearTimeout(idle.get(connection))
    idle.delete(connection)
  }

  const waitForSlot = async () => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
  }

  const releaseSlot = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  const returnConnection = (connection: SMTPConnection) => {
    if (connection.destroyed) return
    const timer = setTimeout(() => {
      forget(connection)
      void quitConnection(connection)
    }, idleMs)
    idle.set(connection, timer.unref())
  }

  /** Waits for running sends, then closes the idle connections. */
  const drain = async () => {
    isClosed = true
    for (let i = 0; i < size; i++) await waitForSlot()
    const remaining = [...idle.keys()]
    for (const connection of remaining) forget(connection)
    await Promise.all(remaining.map(quitConnection))
  }

  return {
    releaseSlot,
    returnConnection,

    /** False once the pool is closing: nothing more may start. */
    async acquireSlot(): Promise<boolean> {
      if (isClosed) return false
      await waitForSlot()
      if (isClosed) releaseSlot()
      return !isClosed
    },

    async takeConnection(
      isFresh: boolean,
    ): Promise<{ connection: SMTPConnection; isReused: boolean } | { error: SmtpError }> {
      // One broken connection usually means that the server restarted and the others are broken too.
      if (isFresh) for (const connection of [...idle.keys()]) connection.close()
      const newest = [...idle.keys()].at(-1)
      if (newest) {
        forget(newest)
        return { connection: newest, isReused: true }
      }
      const opened = await openConnection(options)
      if ('error' in opened) return opened
      opened.connection.on('end', () => forget(opened.connection))
      return { connection: opened.connection, isReused: false }
    },

    /** After a refused envelope the server may still hold half a transaction. */
    reset(connection: SMTPConnection): Promise<void> {
      return new Promise(resolve => {
        if (connection.destroyed) return resolve()
        connection.once('end', resolve)
        connection.reset(error => {
          connection.off('end', resolve)
          if (error) connection.close()
          else returnConnection(connection)
          resolve()
        })
      })
    },

    close(): Promise<void> {
      closing ??= drain()
      return closing
    },
  }
}
