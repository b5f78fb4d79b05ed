import type { holdNotices as english } from '../en/hold-notices.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const holdNotices: SameKeys<typeof english> = {
  title: 'Benachrichtigungen',
  lead: 'Teilen Sie den Verwahrern mit, was sie aufbewahren müssen. Alle erhalten eine E-Mail mit einem Link zum Bestätigen.',
  none: 'Über diesen Legal Hold wurde noch niemand benachrichtigt.',
  noneEnded: 'Über diesen Legal Hold wurde niemand benachrichtigt.',
  send: 'Benachrichtigung senden',
  sendTitle: 'Benachrichtigung senden',
  untold_one: '{{count}} Verwahrer wurde noch nicht benachrichtigt.',
  untold_other: '{{count}} Verwahrer wurden noch nicht benachrichtigt.',
  acknowledgedOf: '{{acknowledged}} von {{count}} bestätigt',
  sentBy: 'Von {{sender}}, {{at}}',
  never: 'keine Erinnerungen',
  every_one: 'Erinnerung jeden Tag',
  every_other: 'Erinnerung alle {{count}} Tage',
  noMailServer:
    'Es ist kein Mailserver eingerichtet (HOLDFAST_SMTP_URL). Bis dahin werden Benachrichtigungen im Ordner „outbox“ des Servers abgelegt und erreichen niemanden.',
  recipients: 'Empfänger',
  recipientsHint:
    'Adressen; die Eingabetaste bestätigt, Kommas trennen. Verwahrer, die noch nicht benachrichtigt wurden, sind bereits eingetragen.',
  subject: 'Betreff',
  subjectOpen: 'Bitte bewahren Sie alle Unterlagen und Nachrichten auf',
  message: 'Nachricht',
  messageHint: 'Die Empfänger lesen genau diesen Text. Name und Grund des Legal Hold stehen nicht in der E-Mail.',
  messageOpen:
    'Unterlagen und Nachrichten zu folgender Angelegenheit müssen aufbewahrt werden:\n\n[Angelegenheit beschreiben]\n\nBitte löschen und ändern Sie bis auf Weiteres keine E-Mails, Dateien, Chats und Papierunterlagen dazu, gleich auf welchem Gerät.\n\nBitte bestätigen Sie, dass Sie dies gelesen haben.',
  messagePlace: '[Angelegenheit beschreiben]',
  language: 'Sprache der E-Mail',
  languageHint: 'In dieser Sprache stehen die Sätze vor und nach Ihrer Nachricht.',
  remindDays: 'Erinnern nach Tagen',
  remindHint: 'Wer nicht bestätigt hat, wird in diesem Abstand erinnert, höchstens fünfmal. Leer lassen, um nicht zu erinnern.',
  person: 'Empfänger',
  mail: 'E-Mail',
  mails: {
    waiting: 'Wartet auf den Versand',
    sent: 'Gesendet {{at}}',
    filed: 'Nicht gesendet: kein Mailserver',
    failed: 'Fehlgeschlagen: vom Mailserver nicht angenommen',
  },
  acknowledged: 'Bestätigt',
  notYet: 'Noch nicht',
  reminders: 'Erinnerungen',
  nextReminder: 'Nächste Erinnerung',
};
