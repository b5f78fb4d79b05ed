import type { Article } from '../catalogue/manual.ts';

export const auditors: Article = {
  group: 'safety',
  title: 'Einem Prüfer Zugriff erteilen',
  question: 'Wie zeige ich einem Betriebsprüfer genau das, worum es in der Prüfung geht?',
  blocks: [
    {
      kind: 'text',
      text: 'Ein Prüferzugriff ist eine Liste, die aus einem Fall oder einer gespeicherten Suche eingefroren wird. Ein Prüfer durchsucht, liest und druckt für begrenzte Zeit, was darauf steht. Was später eingeht, kommt nicht hinzu.',
    },
    {
      kind: 'steps',
      items: [
        'Laden Sie den Prüfer unter Benutzer mit der Rolle Prüfer ein.',
        'Speichern Sie eine Suche, die findet, worum es in der Prüfung geht, oder öffnen Sie dafür einen Fall.',
        'Öffnen Sie die Stellvertreterrechte, und wählen Sie „Prüferzugriff erteilen“. Wählen Sie den Prüfer, die gespeicherte Suche oder den Fall und die Zeit.',
        'Der Prüfer meldet sich an, öffnet Prüfung, nennt einen Grund und liest.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Der Prüfer kann die Liste als CSV und Anlagen von E-Mails herunterladen, jeweils mit einem Eintrag im Protokoll, aber keine Originale, Dateien oder Exporte. Geben Sie diese als Export heraus.',
        'Private Nachrichten und Inhalte ausgenommener Personen werden nie gezeigt.',
        'Sie können einen Zugriff jederzeit beenden; was dann offen ist, schließt sich sofort.',
        'Öffnen Sie einen Zugriff, um sein Protokoll zu sehen: wonach der Prüfer gesucht, was er geöffnet und aufgelistet hat und warum.',
      ],
    },
  ],
};
