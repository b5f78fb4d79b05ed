import type { Article } from '../catalogue/manual.ts';

export const retentionPolicies: Article = {
  group: 'safety',
  title: 'Archivierte Nachrichten und Dateien für eine Mindestzeit aufbewahren',
  question: 'Wie stelle ich sicher, dass archivierte Nachrichten und Dateien so lange bleiben, wie das Gesetz es verlangt?',
  blocks: [
    {
      kind: 'text',
      text: 'Eine Aufbewahrungsrichtlinie schützt Nachrichten des Archivs für eine Zahl von Tagen, Monaten oder Jahren. In dieser Zeit nimmt keine Löschung ihre Wiederherstellungspunkte, und weder ihr Speicherort noch ihr Mandant lässt sich entfernen. Am Ende der Frist löscht sie nichts: Archive behalten jede Nachricht.',
    },
    {
      kind: 'steps',
      items: [
        'Öffnen Sie Konfiguration, Aufbewahrungsrichtlinien, und wählen Sie Neue Richtlinie. Beginnen Sie mit einer Vorlage, oder geben Sie die Frist selbst ein.',
        'Wählen Sie, ab wann die Frist rechnet: Eingang, Archivierung oder Ereignis, am selben Tag oder mit Ende des Jahres.',
        'Speichern Sie den Entwurf, und wählen Sie Vorschau. Sie zählt nach Jahr und Postfach, was die Richtlinie schützt, und bis wann.',
        'Wählen Sie innerhalb eines Tages Aktivierung beantragen. Ein anderer Besitzer oder Administrator genehmigt sie am selben Tag unter Genehmigungen.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Von mehreren Richtlinien gilt die längste, und ein Legal Hold geht allen vor.',
        'Eine Richtlinie in Kraft wird nie geändert. Mit Ersetzen entwerfen Sie eine andere; deren Vorschau zählt die Nachrichten, die kürzer aufbewahrt würden. Das Ende einer Richtlinie braucht einen Grund und eine zweite Person.',
        'Websites, Ordner und Dateien wählen Sie unter „Compliance“, „Dateien“ aus, dann „Aufbewahrung“: Fügen Sie sie einer Richtlinie hinzu, oder erstellen Sie eine. Jede Version rechnet ab ihrer letzten Änderung. Eine in Microsoft 365 gelöschte Datei bleibt in der Sicherung, bis ihre Frist endet.',
        'Eine Richtlinie mit Höchstfrist kann vor dem Löschen fragen, in bis zu drei Stufen. Was auf Sie wartet, steht unter Löschaufträge, Prüfungen: löschen, länger aufbewahren oder einer anderen Richtlinie unterstellen, mit einem Grund. Nichts wird gelöscht, bevor die letzte Stufe es sagt, und niemand entscheidet zweimal über dieselbe Nachricht.',
        'Fristen enden in der Zeitzone Ihrer Organisation. Das Datum, das ein Absender angibt, zählt nicht.',
        'Eine Richtlinie, die auf ein Ereignis wartet, schützt ohne Ende. Erfassen Sie das Ereignis (jemand ist ausgeschieden, ein Vertrag ist beendet, ein Vorgang abgeschlossen) für das Postfach, oder unter „Compliance“, „Dateien“ für die Website, den Ordner oder die Datei, und die Frist beginnt.',
        'Eine Richtlinie kann dem Verzeichnis folgen: Wählen Sie „Personen nach Attributen im Verzeichnis“ und geben Sie Abteilungen, Büros, Länder, Firmen oder Erweiterungsattribute an. Wen sie einmal erfasst hat, der bleibt geschützt, auch nach einem Wechsel oder Austritt; gelöscht wird nur bei Personen, die das Verzeichnis noch mit diesen Werten führt.',
        'Eine Richtlinie kann einer gespeicherten Suche folgen: Wählen Sie „Treffer einer gespeicherten Suche“, dann die Suche und ob es um Nachrichten oder Dateien geht. Was einmal gefunden wurde, bleibt geschützt, ebenso alles noch nicht Indizierte oder Unlesbare. Nach einer Änderung der Suchanfrage löscht die Richtlinie nichts, bis Sie sie ersetzen.',
        'Eine Richtlinie kann Vertraulichkeitsbezeichnungen folgen: Wählen Sie „Elemente mit bestimmten Vertraulichkeitsbezeichnungen“, dann Bezeichnungen, die Nachrichten und Dateien tragen. Ihre Frist kann ab dem Tag der Kennzeichnung zählen. Was einmal so gekennzeichnet war, bleibt geschützt; was noch nicht gelesen oder nicht lesbar ist, wird ebenfalls aufbewahrt und nie gelöscht.',
        '„Vermutlich ausgeschiedene Personen“ zeigt Konten, die das Verzeichnis gelöscht oder deaktiviert hat. Ein gelöschtes Konto startet seine Frist nach 30 Tagen automatisch, ab dem Tag, den das Verzeichnis nennt. Für ein deaktiviertes nennt es keinen: Öffnen Sie den Eintrag, und erfassen Sie den Tag, den Sie kennen.',
      ],
    },
    { kind: 'note', text: 'Die Vorlagen folgen in Deutschland üblichen Fristen. Sie sind keine Rechtsberatung.' },
  ],
};
