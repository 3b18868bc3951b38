import { eventually, type House } from './house.ts'

/** The link of a message as its reader finds it. */
export async function codeInMail(house: House, to: string, which = 0): Promise<string> {
  const mails = () => house.installation.mailbox.messages().filter(mail => mail.to === to)
  const mail = (await eventually(mails, found => found.length > which))[which]!
  const [, code] = /\/d\/([a-z0-9]{2}[\w-]{18})/.exec(mail.text) ?? []
  if (!code) throw new Error(`no link in ${mail.text}`)
  return code
}
