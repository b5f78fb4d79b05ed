import type { Article } from '../catalogue/manual.ts';

/** How the mail that Exchange journals comes into the archive. */
export const journalMail: Article = {
  group: 'daily',
  title: 'Nachrichten beim Versand archivieren',
  question: 'Wie archiviere ich Nachrichten, bevor sie jemand löschen kann?',
  blocks: [
    {
      kind: 'text',
      text: 'Exchange Online kann jede Nachricht in dem Moment an Holdfast melden, in dem sie gesendet oder empfangen wird. Das heißt Journalisierung. Dafür ist ein Worker nötig, den Exchange erreicht.',
    },
    {
      kind: 'steps',
      items: [
        'Bitten Sie die Betreiber von Holdfast, einem Worker einen Port für Journalnachrichten zu geben (HOLDFAST_RECEIVER_PORT) und Port 25 dorthin weiterzuleiten.',
        'Öffnen Sie „Archiv“, „Aufträge“, und wählen Sie „Journalempfänger“. Wählen Sie den Speicherort, und richten Sie den Empfänger ein.',
        'Kopieren Sie die Journaladresse, und folgen Sie den Schritten für das Exchange Admin Center, die darunter stehen.',
        'Wählen Sie „Testnachricht senden“. Ist sie gespeichert, funktioniert der Weg vom Empfänger ins Archiv.',
        'Senden Sie eine Nachricht innerhalb Ihrer Organisation. Nach wenigen Minuten muss die Zahl der empfangenen Nachrichten steigen.',
      ],
    },
    {
      kind: 'note',
      text: 'Wer die Journaladresse kennt, kann an sie senden. Ist sie bekannt geworden, wählen Sie „Neue Adresse“, und tragen Sie diese in die Journalregel ein.',
    },
    {
      kind: 'table',
      head: ['Zahl', 'Bedeutung', 'Was zu tun ist'],
      rows: [
        ['Ohne Besitzer', 'Keine Adresse der Nachricht gehört oder gehörte jemandem im Verzeichnis.', 'Ordnen Sie sie einem Postfach zu.'],
        [
          'Fehlerhafte Berichte',
          'Der Bericht ist nicht lesbar. Er bleibt, wie er kam.',
          'Ordnen Sie ihn einem Postfach zu, oder lassen Sie ihn.',
        ],
        ['Ausgenommen', 'Alle Beteiligten sind von Archiven ausgenommen.', 'Nichts. Die Nachricht liegt in keinem Archiv.'],
        [
          'Keine Nachricht seit …',
          'In einer Stunde Geschäftszeit kam keine Nachricht.',
          'Prüfen Sie Journalregel und Connector in Exchange.',
        ],
      ],
    },
  ],
};
