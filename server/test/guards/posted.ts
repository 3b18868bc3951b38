import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Operation } from '../../src/kit/operation.ts'
import type { Answer, House } from '../harness/house.ts'

export type Json = Record<string, unknown>

export async function posted<Data>(house: House, key: string, path: string, body: unknown): Promise<Data> {
  for (let attempt = 1; ; attempt++) {
    const answer = (await house.call('POST', path, { key, body })) as Answer<Data>
    // Where everything is made at once somebody is told to repeat in a second, and does.
    if (answer.status === 423 && attempt < 5) {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      continue
    }
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data
  }
}

/** `ids` are those of the path that were made before: a delivery is one of its webhook. */
export type Maker = (
  house: House,
  key: string,
  operation: Operation,
  ids: Readonly<Record<string, string>>,
) => Promise<string>

export const word = () => randomBytes(6).toString('hex')

export function exampleOf(operation: Operation): Json {
  if (!operation.example?.body) throw new Error(`${operation.id} takes a body and shows no example of one`)
  return operation.example.body as Json
}
