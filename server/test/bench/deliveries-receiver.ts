import { createServer } from 'node:http'

/** Somebody's endpoint that takes everything and thinks about nothing; asked with GET, it tells how many it was sent. */
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
