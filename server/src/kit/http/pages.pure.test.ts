import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { readCookie } from './pages.ts'

const read = (cookie: string) => readCookie({ headers: { cookie } } as FastifyRequest, '__Host-a')

it('reads a cookie by its name, with the spaces that browsers put between them', () => {
  expect(read('b=1; __Host-a=mine;\tc=2')).toBe('mine')
  expect(read('b=1')).toBeNull()
})

// A host beside ours may set a cookie of almost that name, and no browser takes it for one with the prefix.
it.each(['\u00a0', '\ufeff', '\u2000', '\u000b', '\u000c'])(
  'a name with %j before or after it is another name',
  space => {
    expect(read(`${space}__Host-a=foreign; __Host-a=mine`)).toBe('mine')
    expect(read(`__Host-a${space}=foreign; __Host-a=mine`)).toBe('mine')
  },
)
