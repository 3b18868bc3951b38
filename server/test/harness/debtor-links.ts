import { eventually, type TestInstallation } from './use-installation.ts'

/** The link of a message as its reader finds it. */
export async function codeInMail(installation: TestInstallation, to: string, index = 0): Promise<string> {
  const mails = () => installation.server.mailbox.messages().filter(mail => mail.to === to)
  const mail = (await eventually(mails, found => found.length > index))[index]!
  const [, code] = /\/d\/([a-z0-9]{2}[\w-]{18})/.exec(mail.text) ?? []
  if (!code) throw new Error(`no link in ${mail.text}`)
  return code
}
