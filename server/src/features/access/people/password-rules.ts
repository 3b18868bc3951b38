export const passwordLengthMin = 12
export const passwordLengthMax = 200

/** Common passwords that are long enough otherwise. Compared without case and without digits and signs at the end. */
const commonPasswords = new Set(
  `motdepassemotdepasse motdepassesecurise azertyuiopqs azertyuiopqsdfghjklm qwertyuiopas qwertyuiopasdfghjkl passwordpassword
   mypasswordis iloveyouiloveyou letmeinletmein welcomewelcome administrateur administrator changemechangeme correcthorsebatterystaple
   abcdefghijkl abcdefghijklm abcdefghijklmnopqrstuvwxyz footballfootball jetaimejetaime bonjourbonjour soleilsoleil
   relancerelance superpassword supermotdepasse thisismypassword trustno1trustno1 qazwsxedcrfv azerty azertyuiop qwerty qwertyuiop
   password motdepasse iloveyou letmein welcome admin bonjour soleil relance football jetaime doudou loulou marseille
   1q2w3e4r5t6y 1qaz2wsx3edc zaq12wsxcde3 p@ssw0rdp@ssw0rd`.split(/\s+/),
)

const isRun = (text: string) => {
  const codes = [...text].map(letter => letter.codePointAt(0)!)
  const steps = new Set(codes.slice(1).map((code, i) => code - codes[i]!))
  return steps.size <= 1
}

/** `121212121212`, `abcabcabcabc`: a short piece, over and over. */
const isRepeated = (text: string) => /^(.{1,4})\1+$/u.test(text)

export type PasswordFault = 'password_short' | 'password_long' | 'password_email' | 'password_common'

/** Length gives the protection; apart from that only common guesses are refused (NIST SP 800-63B, 5.1.1.2). */
export function judgePassword(password: string, email: string): PasswordFault | null {
  const length = [...password].length
  if (length < passwordLengthMin) return 'password_short'
  if (length > passwordLengthMax) return 'password_long'
  const plain = password.toLowerCase()
  const address = email.toLowerCase()
  if (plain === address || plain === address.split('@')[0]) return 'password_email'
  const bare = plain.replace(/(?<![\d\W_])[\d\W_]+$/u, '')
  const digits = /^(?:1234567890|0123456789|123456789)\d*$/
  if (
    commonPasswords.has(plain) ||
    commonPasswords.has(bare) ||
    isRun(plain) ||
    isRepeated(plain) ||
    digits.test(plain)
  )
    return 'password_common'
  return null
}
