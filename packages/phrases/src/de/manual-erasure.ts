import type { Article } from '../catalogue/manual.ts';

/** How somebody's request for erasure is carried out and answered. */
export const erasure: Article = {
  group: 'safety',
  title: 'Alles von einer Person löschen',
  question: 'Jemand verlangt, dass wir seine Daten löschen. Wie gehe ich vor, und was antworte ich?',
  blocks: [
    {
      kind: 'text',
      text: 'Eine Löschung entfernt das Postfach einer Person, dessen Archiv und ihr OneDrive aus allen Wiederherstellungspunkten. In Microsoft 365 ändert sich nichts: Löschen Sie die Daten zuerst dort, und nehmen Sie die Person aus den Aufträgen.',
    },
    {
      kind: 'steps',
      items: [
        'Öffnen Sie die Person unter „Personen & Websites“ und wählen Sie „Alles löschen“. Geben Sie als Grund Ihr Aktenzeichen an.',
        'Lesen Sie die Vorschau: was an welchem Ort gelöscht würde und was ein Legal Hold oder eine Richtlinie bis wann aufbewahrt.',
        'Am Ende der Vorschau steht, wo die Person sonst erwähnt wird. Wählen Sie aus, was gelöscht werden muss, dann „Ebenfalls löschen“: Legal Holds und Aufbewahrungsrichtlinien gelten auch hier.',
        'Beantragen Sie die Genehmigung. Ein anderer Besitzer oder Administrator genehmigt sie; nach 24 Stunden, in denen jeder Berechtigte sie anhalten kann, wird sie ausgeführt.',
        'Wählen Sie danach „Brief herunterladen“ und senden Sie den Brief an die Person. Das Löschprotokoll ist für Ihre Akten.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Was gelöscht ist, bleibt gelöscht: Sicherungen, Archivaufträge, Journalerfassung und Importe lassen es aus und zählen es.',
        'Was aufbewahrt wird, lässt sich später löschen: Legen Sie den Entwurf erneut an, wenn der Legal Hold aufgehoben oder die Frist abgelaufen ist.',
        'Was die Person nach dem Entwurf erhält oder speichert, ist neu und wird gesichert, solange ein Auftrag sie abdeckt.',
        'Ordner behalten ihre Namen. Das verschlüsselte Journal des Tresors enthält die Namen von Nachrichten und Dateien, bis die Sicherung als Ganzes entfernt wird.',
      ],
    },
  ],
};
