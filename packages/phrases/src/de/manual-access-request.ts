import type { Article } from '../catalogue/manual.ts';

export const accessRequest: Article = {
  group: 'safety',
  title: 'Einen Auskunftsantrag beantworten',
  question: 'Jemand verlangt eine Kopie seiner Daten. Was gebe ich heraus, und bis wann?',
  blocks: [
    {
      kind: 'text',
      text: 'Ab dem Tag des Eingangs haben Sie einen Monat Zeit. Das Paket enthält alles von der Person, was gesichert oder archiviert ist, sowie Elemente anderer, bei denen sie Absender oder Empfänger ist oder die ihren Namen nennen.',
    },
    {
      kind: 'steps',
      items: [
        'Öffnen Sie die Person unter „Personen & Websites“ und wählen Sie „Auskunftsantrag eintragen“. Geben Sie den Tag des Eingangs und den Inhalt des Antrags an.',
        'Sehen Sie die Erwähnungen durch. Wählen Sie aus, was die Rechte anderer beeinträchtigen würde, dann „Auslassen“, mit einem Grund.',
        'Wählen Sie „Paket erstellen“. Sobald der Export fertig ist, laden Sie ihn mit dem signierten Manifest herunter.',
        'Wählen Sie „Brief herunterladen“. Er nennt den Inhalt des Pakets, was warum ausgelassen ist und wie sich das Paket prüfen lässt.',
        'Übergeben Sie beides auf sicherem Weg, wählen Sie „Als beantwortet markieren“ und geben Sie an, wie Sie geantwortet haben.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Wenn Sie mehr Zeit brauchen, wählen Sie innerhalb des ersten Monats „Verlängern“ und nennen Sie der Person den Grund. Sie haben dann zwei Monate mehr.',
        'Besitzer und Administratoren werden eine Woche vor Fristende per E-Mail erinnert, und die Übersicht zeigt, was fällig ist.',
        'Elemente, die Sie nicht öffnen dürfen, werden gezählt und nicht aufgenommen. Der Brief nennt ihre Anzahl.',
        'Das Verzeichnis unter „Betroffenenanträge“ enthält auch Löschanträge und lässt sich als CSV-Datei herunterladen.',
      ],
    },
  ],
};
