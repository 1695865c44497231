import { defineMessages } from '../../messages/language.js';

export const MESSAGES = defineMessages({
  en: {
    title: 'Members',
    description: 'Who has a role in this project.',
    whoCan:
      'Members are seen and invited by whoever administers your accounts: a user with the role admin on the account domain.',
    you: 'you',
    name: 'User',
    roles: 'Roles',
    remove: (role: string, name: string) => `Take ${role} from ${name}`,
    removeTitle: (role: string, name: string) => `Take the role ${role} from ${name}?`,
    removeText:
      'It counts no more at once, in sessions that are open as well. The user stays, and other roles with it.',
    removed: (role: string, name: string) => `${name} has the role ${role} no more`,
    removeRole: 'Take role',
    invite: 'Invite',
    inviteTitle: 'Invite somebody',
    userName: 'User name',
    email: 'E-mail',
    role: 'May do',
    roleTexts: {
      'dns-admin': 'Change the domains of this project',
      member: 'Belong to the project, without its domains',
    },
    create: 'Create user',
    made: 'The user is created',
    once: 'Hand these over by a safe way. The password is shown this once; it can be changed under Account.',
    password: 'First password',
  },
  de: {
    title: 'Mitglieder',
    description: 'Wer in diesem Projekt eine Rolle hat.',
    whoCan:
      'Mitglieder sieht und lädt ein, wer Ihre Konten verwaltet: wer die Rolle admin in der Kontodomäne hat.',
    you: 'Sie',
    name: 'Benutzer',
    roles: 'Rollen',
    remove: (role: string, name: string) => `${name} die Rolle ${role} nehmen`,
    removeTitle: (role: string, name: string) => `${name} die Rolle ${role} nehmen?`,
    removeText:
      'Sie gilt sofort nicht mehr, auch in offenen Sitzungen. Der Benutzer bleibt, und andere Rollen mit ihm.',
    removed: (role: string, name: string) => `${name} hat die Rolle ${role} nicht mehr`,
    removeRole: 'Rolle nehmen',
    invite: 'Einladen',
    inviteTitle: 'Jemanden einladen',
    userName: 'Benutzername',
    email: 'E-Mail',
    role: 'Darf',
    roleTexts: {
      'dns-admin': 'Die Domains des Projekts ändern',
      member: 'Zum Projekt gehören, ohne dessen Domains',
    },
    create: 'Benutzer anlegen',
    made: 'Der Benutzer ist angelegt',
    once: 'Geben Sie dies auf sicherem Weg weiter. Das Passwort wird nur dieses eine Mal gezeigt; ändern lässt es sich unter Konto.',
    password: 'Erstes Passwort',
  },
});
