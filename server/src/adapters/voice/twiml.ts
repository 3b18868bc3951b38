const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // An attribute's line breaks and tabs would be read as spaces.
  '\n': '&#10;',
  '\t': '&#9;',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write these, escaped or not
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g

const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(unwritable, '')
    .replaceAll(/[&<>"'\n\t]/g, found => entities[found]!)

/** Markup that this file has built. */
class Xml {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An XML element: its children are trusted, its attributes are always escaped. */
function element(name: string, attributes: Record<string, string>, ...children: Xml[]): Xml {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return new Xml(`<${name}${written.join('')}>${children.map(child => child.text).join('')}</${name}>`)
}

/** The setup parameter of a conversation which means that Twilio speaks the opening. */
export const openingParameter = { name: 'opening', value: 'greeting' } as const

const responseOf = (...children: Xml[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>${element('Response', {}, ...children).text}`

export const hangUpTwiml = responseOf(element('Hangup', {}))

/**
 * The instructions for Twilio after a human answered: speak the first sentence to its end without interruption, then connect the
 * conversation to us. There is no `action`: nothing follows the conversation, so Twilio hangs up.
 */
export function relayTwiml({
  url,
  opening,
  language,
}: {
  url: string
  opening: string
  language: 'fr' | 'en'
}) {
  const spoken = language === 'fr' ? 'fr-FR' : 'en-GB'
  const relay = element(
    'ConversationRelay',
    {
      url,
      welcomeGreeting: opening,
      welcomeGreetingInterruptible: 'none',
      language: spoken,
      ttsLanguage: spoken,
      transcriptionLanguage: spoken,
      interruptible: 'speech',
      dtmfDetection: 'false',
    },
    element('Parameter', openingParameter),
  )
  return responseOf(element('Connect', {}, relay))
}
