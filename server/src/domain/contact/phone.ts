/**
 * Prefixes of mobile numbers in E.164, from the numbering plans of the countries that have a calendar, checked on 2026-11-15. A
 * number of another country is not treated as a mobile: a text message to a landline would count as a contact but never arrive.
 */
const mobile =
  /^\+(33[67]|590690|590691|594694|596696|596697|26269[23]|262639|508[4]|687[7-9]|68987|68988|68989|3246|3247|3248|3249|352621|352628|352661|352671|352691|4915|4916|4917|346|347|393|316|3519|417[5-9])\d{4,}$/

export const isMobile = (e164: string): boolean => mobile.test(e164)
