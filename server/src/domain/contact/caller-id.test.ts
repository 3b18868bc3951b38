import { expect, it } from 'vitest'
import { judgeCallerId } from './caller-id.ts'

const outside = { allowed: false, because: 'outside_automated_ranges' }

it.each([
  '+33162000001',
  '+33163999999',
  '+33270123456',
  '+33271123456',
  '+33377123456',
  '+33378123456',
  '+33424123456',
  '+33425123456',
  '+33568123456',
  '+33569123456',
  '+33948123456',
  '+33949123456',
  '+33947512345',
  '+590947512345',
  '+262947912345',
])('%s is open to automated systems', callerId => {
  expect(judgeCallerId(callerId, '+33612345678')).toEqual({ allowed: true })
})

it.each(['+33612345678', '+33147123456', '+33164000000', '+33947412345', '+33947012345', '+33950000000'])(
  '%s is not, and a call to France from it is refused',
  callerId => {
    expect(judgeCallerId(callerId, '+33612345678')).toEqual(outside)
    expect(judgeCallerId(callerId, '+596696123456')).toEqual(outside)
    expect(judgeCallerId(callerId)).toEqual(outside)
  },
)

it.each(['0162000001', '+33 162 00 00 01', '+3316200000a', '33162000001', '', 'Relance'])(
  '%j is no number in E.164, wherever the call goes',
  callerId => {
    expect(judgeCallerId(callerId, '+4915112345678')).toEqual({ allowed: false, because: 'not_e164' })
    expect(judgeCallerId(callerId)).toEqual({ allowed: false, because: 'not_e164' })
  },
)

it('a number too long or too short for its range is not in it', () => {
  expect(judgeCallerId('+331620000012', '+33612345678')).toEqual(outside)
  expect(judgeCallerId('+3316200000', '+33612345678')).toEqual(outside)
})

it('outside France the French ranges bind nobody', () => {
  expect(judgeCallerId('+4930123456', '+4915112345678')).toEqual({ allowed: true })
})
