// Companies of persons (SNC, SCS) have no share capital that the law wants named.
const formsWithCapital =
  /\b(sarl|eurl|sas|sasu|sa|sca|selarl|selas|selafa|societe anonyme|societe a responsabilite limitee|societe par actions simplifiee|societe en commandite par actions)\b/

/** Whether the form is that of a company that names its capital beside it, and no capital is: art. R123-238 C. com. */
export function lacksCapital(legalForm: string): boolean {
  const plain = legalForm.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('.', '').toLowerCase()
  const [, ...named] = plain.split('capital')
  return formsWithCapital.test(plain) && !/\d/.test(named.join(''))
}
