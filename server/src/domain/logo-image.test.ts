import { expect, test } from 'vitest'
import { judgeLogo } from './logo-image.ts'

// One black pixel each, as an image program writes them.
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffdb004300' +
    '08'.repeat(64) +
    'ffc0000b080003000501011100ffc4001401' +
    '00'.repeat(15) +
    '03ffda0008010100003f0037ffd9',
  'hex',
)

test('a PNG and a JPEG are known by their bytes, with their size', () => {
  expect(judgeLogo(png)).toEqual({ allowed: true, type: 'image/png', width: 1, height: 1 })
  expect(judgeLogo(jpeg)).toEqual({ allowed: true, type: 'image/jpeg', width: 5, height: 3 })
})

const wide = Buffer.from(png)
wide.writeUInt32BE(2_001, 16)

test.each([
  ['nothing', Buffer.alloc(0), /neither PNG nor JPEG/],
  ['a script', Buffer.from('<svg onload=alert(1)>'), /neither PNG nor JPEG/],
  ['a GIF', Buffer.from('GIF89a'), /neither PNG nor JPEG/],
  ['half a PNG', png.subarray(0, 30), /not a whole picture/],
  ['a page behind a PNG', Buffer.concat([png, Buffer.from('<script>')]), /not a whole picture/],
  ['half a JPEG', jpeg.subarray(0, 40), /not a whole picture/],
  ['a JPEG without a frame', Buffer.from('ffd8ffe00002ffd9', 'hex'), /not a whole picture/],
  ['a picture of 2,001 pixels', wide, /2001 × 1 pixels/],
  ['201 KB', Buffer.concat([png, Buffer.alloc(201 * 1024)]), /larger than 200 KB/],
])('%s is refused with its reason', (_, bytes, because) => {
  expect(judgeLogo(bytes)).toEqual({ allowed: false, because: expect.stringMatching(because) })
})
