import type { Channel } from '@relance/sdk'
import { defineWords } from '../../lib/language.tsx'

const plural = (n: number) => (n > 1 ? 's' : '')

export const words = defineWords(
  {
    stopTitle: { production: 'Arrêter tous les envois', sandbox: 'Arrêter tous les envois du mode test' },
    stopAbout: 'Plus aucun message ne part, à aucun client. Ce qui était prévu attend votre reprise.',
    goesOn:
      'Paiements, contestations et imports continuent. Un message déjà remis à un prestataire ne peut être rappelé.',
    reason: 'Pourquoi',
    reasonHint: 'Gardé avec l’arrêt, pour qui demandera pourquoi rien ne part.',
    cancel: 'Annuler',
    stopped: 'Les envois sont arrêtés. Aucun message n’était en route.',
    stoppedWith: (n: number, text: string) =>
      n > 1
        ? `Les envois sont arrêtés. ${text} messages étaient déjà chez un prestataire et peuvent encore arriver.`
        : 'Les envois sont arrêtés. Un message était déjà chez un prestataire et peut encore arriver.',
    inFlightTitle: 'Déjà envoyés, peuvent encore arriver',
    channels: { email: 'E-mail', sms: 'SMS', voice: 'Appel', lrar: 'Courrier' } satisfies Record<
      Channel,
      string
    >,
    openDebtor: 'Voir le client',
    others: (text: string) => `et ${text} autres`,
    close: 'Fermer',
    resumed: (n: number, text: string) =>
      `Les envois ont repris. ${text} client${plural(n)} arrivé${plural(n)} à échéance entre-temps ${n > 1 ? 'sont examinés' : 'est examiné'} maintenant.`,
    resumedNothing: 'Les envois ont repris.',
    stillStopped: 'Votre arrêt est levé, mais l’exploitant ou la société retient encore les envois.',
    signInTitle: 'Connectez-vous de nouveau',
    signInAbout:
      'Reprendre les envois demande une connexion de moins de dix minutes. Vous reviendrez ici, puis vous pourrez reprendre.',
    signIn: 'Se connecter de nouveau',
    failedStop: 'Les envois ne sont pas arrêtés, ils continuent.',
    failedResume: 'Les envois n’ont pas repris.',
    resumeTitle: 'Reprendre les envois',
    resumeAbout:
      'Ce qui attendait est examiné de nouveau, client par client, et part au prochain moment permis.',
  },
  {
    stopTitle: { production: 'Stop everything that is sent', sandbox: 'Stop everything the sandbox sends' },
    stopAbout: 'No more messages are sent, to any debtor. What was planned waits until you resume.',
    goesOn:
      'Payments, disputes and imports go on. A message that a provider already has cannot be called back.',
    reason: 'Why',
    reasonHint: 'Kept with the stop, for whoever asks why nothing is sent.',
    cancel: 'Change nothing',
    stopped: 'Sending is stopped. No message was on its way.',
    stoppedWith: (n, text) =>
      n > 1
        ? `Sending is stopped. ${text} messages were already with a provider and may still arrive.`
        : 'Sending is stopped. One message was already with a provider and may still arrive.',
    inFlightTitle: 'Already gone, may still arrive',
    channels: { email: 'Email', sms: 'SMS', voice: 'Call', lrar: 'Letter' },
    openDebtor: 'Show the debtor',
    others: text => `and ${text} more`,
    close: 'Close',
    resumed: (n, text) =>
      `Sending goes on. ${text} ${n === 1 ? 'debtor' : 'debtors'} that came due meanwhile ${n === 1 ? 'is' : 'are'} looked at now.`,
    resumedNothing: 'Sending goes on.',
    stillStopped: 'Your stop has ended, but the operator or the company still holds the sending.',
    signInTitle: 'Sign in again',
    signInAbout:
      'To resume sending you need to have signed in within the last ten minutes. You come back here and can resume then.',
    signIn: 'Sign in again',
    failedStop: 'Sending is not stopped, it goes on.',
    failedResume: 'Sending was not resumed.',
    resumeTitle: 'Resume sending',
    resumeAbout:
      'What waited is looked at again, debtor by debtor, and is sent at the next moment our rules allow.',
  },
)
