import type { Article } from '../catalogue/manual.ts';

export const completeArchive: Article = {
  group: 'daily',
  title: 'Prüfen, ob das Archiv vollständig ist',
  question: 'Woran erkenne ich, dass das Archiv jede Nachricht enthält?',
  blocks: [
    {
      kind: 'text',
      text: 'Holdfast vergleicht einmal am Tag jedes Archiv mit den Sicherungen seines Postfachs, Nachricht für Nachricht. Öffnen Sie „Archiv“, „Postfächer“ und wählen Sie ein Postfach aus: Unter „Vollständigkeit“ sehen Sie für jeden Empfangstag, wie viele Nachrichten die Sicherungen enthalten und wie viele das Archiv.',
    },
    {
      kind: 'table',
      head: ['Zahl', 'Bedeutung', 'Was zu tun ist'],
      rows: [
        [
          'Fehlt',
          'Der Archivauftrag hat die Nachricht schon hinter sich, aber das Archiv enthält sie nicht.',
          'Starten Sie den Archivauftrag: Er nimmt die Nachricht auf.',
        ],
        [
          'Im nächsten Lauf',
          'Die Nachricht kam nach dem letzten Lauf des Archivauftrags.',
          'Nichts. Wenn die Zahl nur wächst, prüfen Sie den Auftrag.',
        ],
        [
          'Ohne Original',
          'Die Sicherung enthält nur Teile der Nachricht, nicht ihre genauen Bytes.',
          'Sehen Sie die Fehler des Sicherungsauftrags an. Die Nachricht bleibt in der Sicherung.',
        ],
        ['Gelöscht', 'Die Nachricht war im Archiv und wurde von zwei Personen gelöscht.', 'Nichts. Sie bleibt gelöscht.'],
      ],
    },
    {
      kind: 'text',
      text: 'Das Archiv kann mehr Nachrichten enthalten als die Sicherungen: Es behält auch, was aus den Sicherungen bereits gelöscht wurde, und enthält, was aus dem Journal oder aus importierten Dateien kam. Ordner, die der Auftrag auslässt, und ausgenommene Personen werden nicht verglichen.',
    },
    {
      kind: 'note',
      text: 'Wenn etwas fehlt, erhalten Besitzer und Administratoren eine E-Mail, und das Überwachungsprotokoll verzeichnet es. Wählen Sie nach einer Änderung „Jetzt vergleichen“, statt bis zum nächsten Tag zu warten.',
    },
  ],
};
