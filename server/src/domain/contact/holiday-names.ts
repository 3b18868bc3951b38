import type { Holiday } from './calendar.ts'

/** The names of the table of holidays in French. */
const frenchNames: Readonly<Record<string, string>> = {
  '75th anniversary of the GDR uprising': '75e anniversaire du soulèvement en RDA',
  'Abolition of Slavery': 'abolition de l’esclavage',
  'Abolition of Slavery (second date)': 'abolition de l’esclavage (seconde date)',
  "All Saints' Day": 'Toussaint',
  'Armistice Day': 'armistice de 1918',
  'Arrival of the Gospel': 'arrivée de l’Évangile',
  'Ascension Day': 'Ascension',
  Assumption: 'Assomption',
  'Augsburg Peace Festival': 'fête de la paix d’Augsbourg',
  'Autonomy Day': 'fête de l’autonomie',
  'Bastille Day': 'fête nationale',
  'Berchtold Day': 'Saint-Berthold',
  'Boxing Day': 'second jour de Noël',
  'Canary Islands Day': 'fête des Canaries',
  'Christmas Day': 'Noël',
  'Christmas Eve': 'veille de Noël',
  'Citizenship Day': 'fête de la citoyenneté',
  'Constitution Day': 'fête de la Constitution',
  'Corpus Christi': 'Fête-Dieu',
  'Day of Andalusia': 'fête de l’Andalousie',
  'Day of Aragon': 'fête de l’Aragon',
  'Day of Asturias': 'fête des Asturies',
  'Day of Castile and León': 'fête de Castille-et-León',
  'Day of Castile-La Mancha': 'fête de Castille-La Manche',
  'Day of Catalonia': 'fête de la Catalogne',
  'Day of Ceuta': 'fête de Ceuta',
  'Day of Extremadura': 'fête de l’Estrémadure',
  'Day of Galicia': 'fête de la Galice',
  'Day of La Rioja': 'fête de La Rioja',
  'Day of Prayer and Repentance': 'jour de pénitence et de prière',
  'Day of the Azores': 'fête des Açores',
  'Day of the Balearic Islands': 'fête des Baléares',
  'Day of the Community of Madrid': 'fête de la Communauté de Madrid',
  'Day of the Institutions of Cantabria': 'fête des institutions de Cantabrie',
  'Easter Monday': 'lundi de Pâques',
  'Easter Sunday': 'Pâques',
  'End of Ramadan (Eid al-Fitr)': 'fin du ramadan (Aïd el-Fitr)',
  Epiphany: 'Épiphanie',
  'Europe Day': 'journée de l’Europe',
  'Eve of the Feast of the Sacrifice': 'veille de la fête du Sacrifice',
  'Feast of the Sacrifice (Eid al-Adha)': 'fête du Sacrifice (Aïd el-Adha)',
  'Federal Day of Thanksgiving, Repentance and Prayer': 'Jeûne fédéral',
  'Foundation of the Republic': 'fondation de la République',
  'Galician Literature Day': 'jour des lettres galiciennes',
  'Geneva Fast': 'Jeûne genevois',
  'Good Friday': 'vendredi saint',
  'Immaculate Conception': 'Immaculée Conception',
  "International Children's Day": 'journée internationale de l’enfance',
  "International Women's Day": 'journée internationale des droits des femmes',
  'Jura Plebiscite': 'plébiscite jurassien',
  "King's Day": 'fête du Roi',
  'Labour Day': 'fête du Travail',
  'Liberation Day': 'fête de la Libération',
  'Liberation Day (80th Anniversary)': 'fête de la Libération (80e anniversaire)',
  'Liberty Day': 'fête de la Liberté',
  'Madeira Day': 'fête de Madère',
  "Matari'i": 'Matari’i (Pléiades)',
  'Maundy Thursday': 'jeudi saint',
  'Monday after Federal Day of Thanksgiving, Repentance and Prayer': 'lundi du Jeûne fédéral',
  'National Day of Saint Francis of Assisi': 'fête nationale de saint François d’Assise',
  'National Day of Spain': 'fête nationale de l’Espagne',
  'National Holiday': 'fête nationale',
  "New Year's Day": 'jour de l’An',
  "New Year's Eve": 'Saint-Sylvestre',
  'Näfels Pilgrimage': 'pèlerinage de Näfels',
  'Our Lady of Africa': 'Notre-Dame d’Afrique',
  'Our Lady of Guadalupe': 'Notre-Dame de Guadalupe',
  'Our Lady of Mercy': 'Notre-Dame de la Merci',
  'Our Lady of Sorrows': 'Notre-Dame des Douleurs',
  'Our Lady of Succour': 'Notre-Dame du Bon Secours',
  'Our Lady of the Apparition': 'Notre-Dame de l’Apparition',
  'Our Lady of the Kings': 'Notre-Dame des Rois',
  'Our Lady of the Pine': 'Notre-Dame du Pin',
  'Our Lady of the Rock': 'Notre-Dame du Rocher',
  'Our Lady of the Snows': 'Notre-Dame des Neiges',
  Pentecost: 'Pentecôte',
  'Portugal Day': 'fête du Portugal',
  'Reformation Day': 'fête de la Réformation',
  'Republic Day': 'fête de la République',
  'Restoration of Independence': 'restauration de l’indépendance',
  'Restoration of the Republic': 'instauration de la République',
  'Saint Ambrose': 'Saint-Ambroise',
  'Saint Francis Xavier': 'Saint-François-Xavier',
  'Saint James': 'Saint-Jacques',
  'Saint John': 'Saint-Jean',
  'Saint Joseph': 'Saint-Joseph',
  'Saint Maurice': 'Saint-Maurice',
  'Saint Nicholas of Flüe': 'Saint-Nicolas-de-Flüe',
  'Saint Peter Chanel': 'Saint-Pierre-Chanel',
  'Saint Rosalia': 'Sainte-Rosalie',
  "Saint Stephen's Day": 'Saint-Étienne',
  'Saints Peter and Paul': 'Saints-Pierre-et-Paul',
  'Swiss National Day': 'fête nationale suisse',
  'Territory Day': 'fête du Territoire',
  'Victory Day': 'victoire de 1945',
  'Whit Monday': 'lundi de Pentecôte',
}
const frenchCountries: Readonly<Record<string, string>> = {
  France: 'France',
  Belgium: 'Belgique',
  Luxembourg: 'Luxembourg',
  Germany: 'Allemagne',
  Spain: 'Espagne',
  Italy: 'Italie',
  Netherlands: 'Pays-Bas',
  Portugal: 'Portugal',
  Switzerland: 'Suisse',
}

const substitute = ' (substitute day)'
const joint = ' and '
const partsOf = 'parts of '

/** The names of two holidays on one day are joined by a word that a single name may also contain. */
function inFrench(name: string): string | null {
  if (Object.hasOwn(frenchNames, name)) return frenchNames[name]!
  if (name.endsWith(substitute)) {
    const moved = inFrench(name.slice(0, -substitute.length))
    if (moved !== null) return `${moved} (jour de remplacement)`
  }
  for (let at = name.indexOf(joint); at >= 0; at = name.indexOf(joint, at + 1)) {
    const first = inFrench(name.slice(0, at))
    const second = inFrench(name.slice(at + joint.length))
    if (first !== null && second !== null) return `${first} et ${second}`
  }
  return null
}

const placeInFrench = (place: string): string =>
  place.startsWith(partsOf)
    ? `une partie du pays : ${placeInFrench(place.slice(partsOf.length))}`
    : (frenchCountries[place] ?? place)

/** A holiday and its place in the language of the reader; regions have the name they give themselves. */
export const holidayIn = (language: 'fr' | 'en', { name, place }: Holiday): Holiday =>
  language === 'en' ? { name, place } : { name: inFrench(name) ?? name, place: placeInFrench(place) }
