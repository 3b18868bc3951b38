import { expect, it } from 'vitest'
import { hashPassword, isPassword, passwordCost } from './password-hash.ts'

it('a password is known again by its hash, and no other one is', async () => {
  const hash = await hashPassword('a rather long password', passwordCost)
  expect(await isPassword('a rather long password', hash, passwordCost)).toBe(true)
  expect(await isPassword('a rather long Password', hash, passwordCost)).toBe(false)
  expect(await isPassword('', hash, passwordCost)).toBe(false)
  expect(hash).not.toBe(await hashPassword('a rather long password', passwordCost))
})

it('argon2id with 19 MiB and two passes is what it costs to try a password', async () => {
  expect(await hashPassword('a rather long password', passwordCost)).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  )
})

it('a hash made with other costs is still understood', async () => {
  // argon2id of "a rather long password" with 8 MiB and three passes.
  const hash =
    '$argon2id$v=19$m=8192,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$z6n6o89HFkyUxWaFP06/RV4V5My9E/MWPLpWFN9kWU4'
  expect(await isPassword('a rather long password', hash, passwordCost)).toBe(true)
})

it('nobody’s password is never right', async () => {
  expect(await isPassword('a rather long password', null, passwordCost)).toBe(false)
})

it('what cannot be read is a defect, not a wrong password', async () => {
  await expect(isPassword('x', '$2b$10$abc', passwordCost)).rejects.toThrow('cannot be read')
})

it('two are hashed at once and thirty wait; the next is asked to come again, and afterwards all is open', async () => {
  const many = await Promise.allSettled(Array.from({ length: 40 }, () => isPassword('x', null, passwordCost)))
  const refused = many.filter(one => one.status === 'rejected')
  expect(refused).toHaveLength(8)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SVC_001', status: 503 })
  expect(await isPassword('x', null, passwordCost)).toBe(false)
})
