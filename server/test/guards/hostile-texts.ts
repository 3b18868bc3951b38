/** Texts that are cheap to send and on which a careless pattern takes quadratic time or worse. */
export const hostileTexts = (length: number): Record<string, string> => {
  const repeated = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  return {
    'spaces between letters': `a${repeated(' ')}`.slice(0, length - 1).concat('b'),
    'braces and spaces': `{{${repeated(' ')}`.slice(0, length),
    braces: repeated('{{'),
    letters: repeated('a'),
    'letters apart': repeated('a '),
    dots: repeated('a.'),
    signs: repeated('@'),
    digits: repeated('1'),
    'digits apart': repeated('1 '),
    'letters and digits': repeated('ab12'),
    slashes: repeated('/'),
    dashes: repeated('-'),
    'letters and dashes': repeated('a-'),
    colons: repeated('a : '),
    brackets: repeated(' [ '),
    'brackets alone': repeated('['),
    'angle brackets': repeated('<'),
    'exclamation marks': repeated('!'),
    quotes: repeated('"a'),
    'plus signs': repeated('+'),
    'a scheme that does not end': `x:${repeated('a')}`.slice(0, length),
    'an address of dots': `a@${repeated('.')}`.slice(0, length - 1).concat('@'),
    'slashes before a letter': repeated('/')
      .slice(0, length - 2)
      .concat('x/'),
    'words that threaten': repeated('record '),
    'marks in the wrong order': `a${repeated('\u0315').slice(0, length / 2)}${repeated('\u0316')}`.slice(
      0,
      length,
    ),
    'letters of another alphabet': repeated('\u4e00\u4e8c'),
    addresses: `${repeated('a.')}@${repeated('a.')}`.slice(-length),
  }
}

/** The best of three: a collection of garbage may fall into one. */
export async function cpuMsOf(work: () => unknown, enoughMs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && best > enoughMs; i++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}
