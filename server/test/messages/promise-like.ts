/** What a sentence about the future, or about what is no longer so, has in it. */
const english =
  /\b(?:will|won’t|no longer|no more|any more|until|as soon as|at once|never|within|kept|erases?|nothing (?:more )?(?:is sent|leaves|happens)|(?:reminders|messages|change) waits?)\b/i
const french =
  /(?<!\p{L})(?:\p{L}+(?:[aeiou]|[dvtur])r(?:a|as|ons|ont)|\p{L}+erai|vous (?:ne |y |en )?\p{L}+rez|(?:ne |n’).*(?:plus|jamais)|plus rien|rien (?:ne part|n’est envoyé)|jusqu’\p{L}+|(?:tant|dès) (?:que|qu’\p{L}+)|dans les (?:\d|…)|aussitôt|(?:rappels|relances|messages|modification) attend(?:ent)?|conservée?s?|gardée?s?|efface)(?!\p{L})/iu

export const soundsLikePromise = (sentence: string): boolean =>
  english.test(sentence) || french.test(sentence)

interface NoPromise {
  /** What the sentence does instead of promising. */
  readonly does: string
  readonly words: readonly RegExp[]
}

/** Sentences that sound like a promise and are none, by what they do. */
export const noPromises: readonly NoPromise[] = [
  {
    does: 'speaks for the reader: a button, or a field that the reader fills in',
    words: [
      /^(?:Say when (?:I|you) will pay|I will pay on|Dire quand je paierai|Dites quand vous paierez|Je paierai le)$/,
      /^(?:I|You) never received the invoice/,
      /^Ne plus (?:recevoir de messages|contacter par un canal)$/,
      /at once$|, aussitôt$/,
      /^Can’t pay it all at once\?/,
      /^What will change$/,
    ],
  },
  {
    does: 'asks the reader to do something',
    words: [
      /^If you do not, (?:look|delete it) at once|^If it is not, tell the operator at once/,
      /please pay as soon as you can|payer dès que possible/,
      /^If that day no longer suits you|^Si cette date ne convient plus/,
      /^What to do: check that the address answers/,
      /^If something is holding it up/,
    ],
  },
  {
    does: 'tells what somebody else said or wants',
    words: [
      /^(?:The person|La personne|The debtor|Le client) (?:says|dit|does not want|ne veut plus)/,
      /the invoice never arrived|la facture n’est jamais arrivée|^says that it never arrived|^Says the invoice never came/,
    ],
  },
  {
    does: 'says what is so now, or was done: it binds nobody to anything later',
    words: [
      /^une adresse qui n’est plus au dossier$|^an address that is no longer on record$/,
      /n’existe(?:nt)? (?:pas ou )?plus|^This does not exist, or not any more/,
      /^Il n’y a plus rien à faire ici\.$|^Plus rien à faire pour ce client\.$|^Plus rien n’est (?:à payer|promis|à envoyer)|^Nothing is promised any more/,
      /(?:is|are) no longer owed|n(?:’est|e sont) plus dues?/,
      /no longer followed up here|n’est plus suivi à l’amiable|We no longer follow up|Nous ne suivons plus/,
      /can no longer be (?:announced|moved) here|Il n’est plus possible d’annoncer|ne peut plus être déplacée ici/,
      /(?:works no more|does not work any more|ne fonctionne plus)$/,
      /is no longer an owner|or is no longer a member|n’est plus propriétaire|n’en est plus membre/,
      /acts for nobody here any more|n’agit plus pour personne ici/,
      /^Votre webhook ne répond plus|n’est sans doute pas arrivé jusqu’à votre programme|n’a pas reçu depuis ce moment/,
      /^Not sent: by its day|^Non envoyé : le jour venu|on ne peut plus le rappeler|^N’a pas pu être envoyé, sera peut-être réessayé/,
      /^(?:Nothing has been filed|Rien n’a été déposé)|rien n’est déposé/,
      /^Le recouvrement est allé jusqu’/,
      /^Il n’y a plus rien à annuler\.$|^Ce message n’attend plus|^This message does not wait to leave any more/,
      /^Cette valeur ne se modifie plus|^This value does not change any more|sa fiche ne change plus|the record does not change any more/,
      /n’est plus à jour|^La prochaine étape ne peut pas être remplacée|^These are too many invoices at once/,
      /^Too many requests at once|too many requests came at once|did not come within/,
      /no longer applies\.$/,
      /^(?:Not confirmed: the report|Pas confirmé : le signalement)/,
      /^never used$|^not kept$|^…% kept last month$|^… broken, … kept\.$/,
      /^(?:Le texte n’est pas conservé|The text is not kept)\.$/,
      /^Rien ne part (?:en ce moment|aujourd’hui)|^Nothing is sent at the moment/,
      /le logiciel Excel n’écrit jamais/,
    ],
  },
  {
    does: 'gives a day or a time that was computed or chosen',
    words: [
      /^(?:En pause depuis|Paused since|Paused until|Mis en pause|Client mis en pause|pause ?:|until …$|good until$|valable jusqu’au$)/,
      /time-barred (?:around|soon)|sera prescrite vers|seront bientôt prescrites/,
      /^(?:Fermé jusqu’à|Closed until) … \(…\)\.$/,
      /^(?:Jours fériés connus|Public holidays are known)|comptés jusqu’au …/,
    ],
  },
  {
    does: 'shows what an act would do; the dry runs of server/test/guards/dry-runs.test.ts prove it',
    words: [
      /^(?:Il restera dû|… ne seront pas recouvrés|… will still be owed|… will not be recovered)/,
      /^(?:Ne part plus|No longer leaves|Ensuite, plus rien n’est prévu)/,
    ],
  },
  {
    does: 'says what the law gives or asks',
    words: [
      /^Proof is as a rule of use until|^Une preuve sert en principe jusqu’à|^, within the time bar$/,
      /(?:mise en demeure\) to pay|vous mettons en demeure de payer)/,
      /if none comes within two months/,
      /pourr(?:ons|a) demander en justice/,
      /^You can ask to (?:see, correct or erase|correct your data)/,
      /the answer is due within a month/,
    ],
  },
  {
    does: 'says how a screen or a form behaves',
    words: [
      /n’agit jamais dans un champ|never acts inside a field/,
      /L’effet se dessine dès que|The effect is drawn as soon as/,
      /^(?:Dans les|Within) … (?:jours|days)\.$/,
      /^What was checked; kept in the history$/,
      /^Excel ou CSV.*jusqu’à 50 Mo\.$/,
    ],
  },
  {
    does: 'only looks like one: another word, a name, a list for the program',
    words: [
      /en tant que (?:…|propriétaire)|Extremadura|Jura Plebiscite|Madeira|phone’s camera/,
      /^communications, extra_messages|^the a an and is/,
      /within the contact rules/,
    ],
  },
]
