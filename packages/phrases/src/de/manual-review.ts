import type { Article } from '../catalogue/manual.ts';

export const reviewSets: Article = {
  group: 'safety',
  title: 'Treffer eines Falls prüfen',
  question: 'Wie lesen mehrere Personen die Treffer eines Falls, und wie gebe ich Relevantes heraus?',
  blocks: [
    {
      kind: 'text',
      text: 'Eine Prüfliste hält Treffer eines Falls fest. Prüfer lesen sie Element für Element und entscheiden: relevant, nicht relevant oder privilegiert. Später eingehende E-Mails ändern die Liste nicht.',
    },
    {
      kind: 'steps',
      items: [
        'Öffnen Sie den Fall, wählen Sie Prüfung und dann Prüfliste erstellen. Verwenden Sie die Treffer aller Suchanfragen oder einer einzelnen. Soll nur ein Teil gelesen werden, ziehen Sie eine Stichprobe.',
        'Öffnen Sie die Prüfliste, und drücken Sie J. Das nächste Element wird neben der Liste geöffnet; als Grund steht der Fall im Zugriffsprotokoll.',
        'Drücken Sie 1 für relevant, 2 für nicht relevant, 3 für privilegiert oder 0, um eine Entscheidung zurückzunehmen. Jede Entscheidung führt zum nächsten Element; K führt zurück.',
        'Wählen Sie über der Liste einen Export. Relevante Elemente werden ohne privilegierte exportiert. Der Index des Exports enthält Entscheidung, Tags und Notizen jedes Elements. Ein Export einer Suchanfrage des Falls enthält die Tags und Notizen aller seiner Prüflisten.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Kopien mit demselben Inhalt werden einmal gelesen. Die Entscheidung gilt für alle.',
        'Tags kennzeichnen, worum es geht; die Tasten 4 bis 9 setzen die ersten sechs. Von den Tags einer Gruppe hat ein Element höchstens eines. Notizen sieht, wer an dem Fall arbeitet; im Überwachungsprotokoll steht nur, dass es sie gibt.',
        'Zu einer Chatnachricht werden die 12 Stunden davor und danach angezeigt, zu einer Kanalnachricht der ganze Thread, soweit der Fall reicht. Der Treffer ist gekennzeichnet, und jedes Ende, an dem Nachrichten fehlen können, weist darauf hin. Ein Export des Falls enthält dieselbe Niederschrift neben der Nachricht.',
        'Mit „Unterhaltungen suchen“ stellt Holdfast fest, welche E-Mails eine andere vollständig und mit allen Anlagen zitiert. Sie lassen sich ausblenden, bleiben aber in der Liste. Was sich nicht vergleichen ließ, wird nie ausgeblendet.',
        'Hat inzwischen jemand anderes über ein Element entschieden, wird Ihre Entscheidung abgelehnt und die Liste neu gelesen.',
        'Eine Stichprobe mit demselben Startwert enthält dieselben Elemente, solange die Treffer dieselben sind. Ist sie vollständig geprüft, zeigt die Prüfliste mit einem 95-Prozent-Intervall, wie viel insgesamt relevant ist.',
        'Um zu erfahren, was eine Prüfung übersehen hat, erstellen Sie aus dem noch Ungeprüften einer anderen Prüfliste eine Stichprobe.',
        'Wird ein Verwahrer entfernt oder der Zeitraum geändert, können Elemente außerhalb des Falls nicht mehr gelesen werden. Ihre Entscheidungen bleiben erhalten.',
      ],
    },
  ],
};
