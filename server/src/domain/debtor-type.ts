export const debtorTypes = ['business', 'consumer', 'public_body'] as const
export type DebtorType = (typeof debtorTypes)[number]

// Abbreviations of two letters are left out: they are also surnames. So is "Sas", unless it is written in capitals.
const legalForms =
  /\b(sarl|sasu|eurl|selarl|selas|sci|snc|scop|scic|scp|scm|scea|gie|gaec|earl|srl|sprl|bvba|gmbh|ltd|limited|plc|llc|societe|association|fondation|mutuelle|cooperative)\b/i
const soleTraders = /\b(ei|eirl|entrepreneur individuel|entreprise individuelle)\b/i

/**
 * Whether a debtor is treated as a natural person. A sole trader has a SIRET as well, so a business is a legal person only if its
 * name contains a legal form.
 */
export function isNaturalPerson(type: DebtorType, name: string): boolean {
  if (type !== 'business') return type === 'consumer'
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('.', '')
  return soleTraders.test(plain) || !(legalForms.test(plain) || /\bSAS\b/.test(plain))
}
