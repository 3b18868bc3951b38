import { createServer } from 'node:http'

/** A webhook receiver that accepts every POST; GET returns how many it received. */
let received = 0
createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(received))
    return
  }
  request.resume().once('end', () => {
    received++
    response.writeHead(204).end()
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
