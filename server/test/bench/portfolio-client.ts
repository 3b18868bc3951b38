import { Agent, get } from 'node:http'

/** The requests of a question, one for each side. */
export interface Asked {
  requests: readonly { url: string; key: string }[]
  /** Asked first and not counted. */
  warmUp: number
  repeats: number
}

const agent = new Agent({ keepAlive: true })

const ask = ({ url, key }: Asked['requests'][number]) =>
  new Promise<number>((resolve, reject) => {
    const startedAt = performance.now()
    get(url, { agent, headers: { 'x-api-key': key } }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.once('error', reject).once('end', () => {
        const time = performance.now() - startedAt
        if (response.statusCode === 200) resolve(time)
        else reject(new Error(`${url}: ${Buffer.concat(chunks)}`))
      })
    }).once('error', reject)
  })

// A process of its own, so that the work of asking is not in the server's time. It answers the times of each side.
process.on('message', async ({ requests, warmUp, repeats }: Asked) => {
  const times: number[][] = requests.map(() => [])
  for (let i = -warmUp; i < repeats; i++)
    for (const [side, request] of requests.entries()) {
      const time = await ask(request)
      if (i >= 0) times[side]!.push(time)
    }
  process.send!(times)
})
process.once('disconnect', () => process.exit())
