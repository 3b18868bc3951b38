const list = (words: string) => words.split(' ')

/** From Monday. */
export const daysOfWeek = {
  fr: {
    long: list('lundi mardi mercredi jeudi vendredi samedi dimanche'),
    short: list('lun. mar. mer. jeu. ven. sam. dim.'),
    narrow: list('L M M J V S D'),
  },
  en: {
    long: list('Monday Tuesday Wednesday Thursday Friday Saturday Sunday'),
    short: list('Mon Tue Wed Thu Fri Sat Sun'),
    narrow: list('M T W T F S S'),
  },
}

export const monthsOfYear = {
  fr: {
    long: list('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
    short: list('janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'),
  },
  en: {
    long: list('January February March April May June July August September October November December'),
    short: list('Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'),
  },
}
