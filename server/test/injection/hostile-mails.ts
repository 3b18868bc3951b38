import { families } from './corpus.ts'

export interface HostileMail {
  name: string
  mail: Buffer
  /** It has nothing but a page: of it no tag is left. */
  isPage?: true
}

const lines = (...parts: readonly string[]) => parts.join('\r\n')
const html = 'Content-Type: text/html; charset=utf-8'
const plain = 'Content-Type: text/plain; charset=utf-8'

/** An attachment, as the sender describes it. */
const attached = (type: string, disposition: string, content: string) =>
  lines(
    '--b',
    `Content-Type: ${type}`,
    `Content-Disposition: ${disposition}`,
    'Content-Transfer-Encoding: base64',
    '',
    content,
  )

const nested = (depth: number) =>
  Array.from({ length: depth }, (_, i) =>
    lines(`--b${i}`, `Content-Type: multipart/mixed; boundary=b${i + 1}`, '', ''),
  ).join('')

const withinItself = (depth: number): string =>
  depth === 0
    ? lines(plain, '', 'the innermost')
    : lines('Content-Type: message/rfc822', 'Subject: again', '', withinItself(depth - 1))

/** Mails that answer a message, written by somebody who means harm. `home` is a server that counts who asks it for anything. */
export function hostileMails(to: string, home: string): HostileMail[] {
  let n = 0
  const mail = (name: string, more: readonly string[] | Buffer, isPage?: true): HostileMail => {
    const head = lines(`To: ${to}`, `Message-ID: <hostile-${++n}@cliente.example>`, '')
    const rest = Buffer.isBuffer(more) ? more : Buffer.from(lines(...more))
    return { name, mail: Buffer.concat([Buffer.from(head), rest]), ...(isPage && { isPage }) }
  }
  const from = 'From: Zoe <zoe@cliente.example>'
  const bytes = (head: string, ...body: number[]) =>
    Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)])
  const some = (family: string, most: number) => {
    // A stop word closes the channel instead.
    const all = families[family]!.filter(text => !/QUIT|STOP/.test(text))
    return all.filter((_, i) => i % Math.ceil(all.length / most) === 0)
  }
  const away = (text: string) => text.replaceAll(/https:\/\/elsewhere\.example/g, home)
  const encodings = [
    'utf-7',
    'utf-16le',
    'utf-32',
    'iso-2022-jp',
    'gb18030',
    'x-unknown',
    'windows-1252',
    '',
    '"',
    'constructor',
  ]
  const files = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      attached(`application/zip; name="${i}.zip"`, 'attachment', 'UEsDBA=='),
    )
  const names = [
    '../../../../etc/passwd',
    'C:\\con',
    '42.zip',
    'a.pdf\u202efdp.exe',
    'x'.repeat(100_000),
    '<img src=x onerror=alert(1)>',
    'nul\u0000.txt',
    '=?utf-8?B?PHNjcmlwdD4=?=',
    `=?utf-8?Q?${'=F0=9F=92=A3'.repeat(5_000)}?=`,
  ]
  return [
    ...some('markup', 60).map((text, i) => mail(`page ${i}`, [from, html, '', away(text)], true)),
    ...[
      `<img src="${home}/pixel.gif"><link rel=stylesheet href="${home}/x.css"><script src="${home}/x.js"></script>`,
      `<style>@import "${home}/x.css"; p { background: url(${home}/x.png) }</style><p>x</p>`,
      `<iframe src="${home}"></iframe><object data="${home}"></object><video src="${home}"></video>`,
      `<base href="${home}"><meta http-equiv=refresh content="0;url=${home}">`,
      '<script>'.repeat(20_000),
      '<a href="'.repeat(20_000),
      '<!--'.repeat(20_000),
      '<'.repeat(100_000),
      '<div>'.repeat(40_000),
      `<p>${'<b>x'.repeat(20_000)}`,
      '<scr<script>ipt>alert(1)</scr</script>ipt>',
      '<<script>script>alert(1)<</script>/script>',
      '<img src="x>" onerror="alert(1)">',
      '<!-- --!> <script>alert(1)</script> -->',
      '<style></style\n><script>alert(1)</script>',
    ].map((text, i) => mail(`longer page ${i}`, [from, html, '', text], true)),
    ...some('entities', 13).map(text =>
      mail(`entities ${text}`, [from, html, '', `${text} &#xD800; &#0; &#x202e;`]),
    ),
    ...['markup', 'schemes', 'bidi', 'unseen', 'letters', 'queries', 'boundaries'].flatMap(family =>
      some(family, 8).map((text, i) => mail(`plain ${family} ${i}`, [from, plain, '', away(text)])),
    ),
    ...['headers', 'smtp', 'encodedWords', 'addresses'].flatMap(family =>
      some(family, 8).map((text, i) =>
        mail(`subject and sender ${family} ${i}`, [`From: ${text}`, `Subject: ${text}`, plain, '', 'x']),
      ),
    ),
    ...encodings.map(charset =>
      mail(
        `charset ${charset}`,
        bytes(
          lines(from, `Content-Type: text/plain; charset=${charset}`),
          0xff,
          0xfe,
          0x2b,
          0x41,
          0x00,
          0x1b,
          0x24,
          0xed,
          0xa0,
          0x80,
          0x80,
          0xc0,
          0xaf,
        ),
      ),
    ),
    ...['base64', 'quoted-printable', 'x-uuencode', 'constructor', 'base64 '.repeat(50)].map(encoding =>
      mail(`encoding ${encoding.slice(0, 20)}`, [
        from,
        plain,
        `Content-Transfer-Encoding: ${encoding}`,
        '',
        '=ZZ%%%===\u0000=',
        '====',
        '!!!!',
      ]),
    ),
    ...names.map((name, i) =>
      mail(`file name ${i}`, [
        from,
        'Content-Type: multipart/mixed; boundary=b',
        '',
        attached(`application/zip; name="${name}"`, `attachment; filename="${name}"`, 'UEsDBA=='),
        '--b--',
        '',
      ]),
    ),
    mail('twenty attachments', [
      from,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...files(20),
      '--b--',
      '',
    ]),
    mail('a thousand attachments', [
      from,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...files(1_000),
      '--b--',
      '',
    ]),
    mail('attachment that is no base64', [
      from,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      attached('application/pdf', 'attachment', '\u0000%%%%'.repeat(10_000)),
      '--b--',
      '',
    ]),
    mail('a file elsewhere', [
      from,
      `Content-Type: message/external-body; access-type=URL; URL="${home}/file"`,
      '',
      'Content-Type: text/plain',
      '',
      '',
    ]),
    mail('parameters', [
      from,
      `Content-Type: text/plain; ${'name*0*="a";'.repeat(5_000)} charset=utf-8`,
      '',
      'x',
    ]),
    ...[5, 49, 60, 256, 2_000].map(depth =>
      mail(`nested ${depth}`, [from, 'Content-Type: multipart/mixed; boundary=b0', '', nested(depth)]),
    ),
    ...[1, 5, 12, 200].map(depth => mail(`within itself ${depth}`, [from, withinItself(depth)])),
    mail('a boundary of its parent', [
      from,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      plain,
      '',
      'x',
      '--b--',
    ]),
    mail('no end', [from, 'Content-Type: multipart/mixed; boundary=b', '', '--b', plain, '', 'x']),
    mail('no boundary', [from, 'Content-Type: multipart/mixed', '', 'x']),
    mail('nothing', ['', '']),
    mail('NUL', [from, plain, '', '\u0000'.repeat(1_000)]),
    mail('many senders', [
      ...Array.from({ length: 2_000 }, (_, i) => `From: a${i}@cliente.example`),
      plain,
      '',
      'x',
    ]),
    mail('a long header', [from, `Subject: ${'x '.repeat(100_000)}`, plain, '', 'x']),
    mail('a long line', [from, plain, '', 'x'.repeat(1_900_000)]),
    mail('parts', [from, 'Content-Type: multipart/mixed; boundary=b', '', '--b\r\n\r\n'.repeat(20_000)]),
    mail('a million lines', [from, plain, '', '\n'.repeat(1_000_000)]),
  ]
}
