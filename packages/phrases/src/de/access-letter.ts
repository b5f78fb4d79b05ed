import type { accessLetter as english } from '../en/access-letter.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const accessLetter: SameKeys<typeof english> = {
  title: 'Ihr Antrag auf Auskunft',
  whole: 'Vollständig',
  wholeText:
    'Das beiliegende Paket enthält alle {{items}} Nachrichten, Dateien und sonstigen Elemente, die unsere Sicherungen und Archive über Sie enthalten.',
  partly: 'Mit Auslassungen',
  partlyText:
    'Das beiliegende Paket enthält {{items}} Nachrichten, Dateien und sonstige Elemente über Sie. {{missing}} Elemente sind ausgelassen.',
  unreadText:
    'Das beiliegende Paket enthält {{items}} Nachrichten, Dateien und sonstige Elemente über Sie. Es kann mehr geben: Noch nicht alles konnte durchsucht werden.',
  from: 'Von',
  to: 'An',
  reference: 'Aktenzeichen',
  receivedOn: 'Eingang des Antrags',
  dueOn: 'Zu beantworten bis',
  extension: 'Grund der Fristverlängerung',
  collectedAt: 'Stand der Daten',
  request: 'Zu Ihrem Antrag',
  greeting:
    'Guten Tag {{name}},\n\nSie haben von {{organisation}} Auskunft über Ihre personenbezogenen Daten verlangt (Artikel 15 der Datenschutz-Grundverordnung). Mit diesem Schreiben erhalten Sie eine Kopie dessen, was unsere Sicherungen und Archive über Sie enthalten.',
  enclosed: 'Inhalt des Pakets',
  what: 'Inhalt',
  items: 'Elemente',
  ownPlace: '{{kind}}: {{name}}',
  kinds: { mailbox: 'Postfach', archive: 'Mailarchiv', drive: 'OneDrive' },
  mentions: 'Nachrichten und Dateien anderer, bei denen Sie Absender oder Empfänger sind oder die Ihren Namen nennen',
  leftOut: 'Was das Paket nicht enthält',
  leftOutText: 'Das Recht auf eine Kopie darf die Rechte und Freiheiten anderer Personen nicht beeinträchtigen (Artikel 15 Absatz 4).',
  why: 'Grund',
  notReached: '{{items}} Elemente, die andere als privat gekennzeichnet haben oder zu denen die bearbeitende Person keinen Zugang hat.',
  notSearched:
    '{{items}} Elemente konnten noch nicht durchsucht werden. Sie könnten Sie erwähnen; wir prüfen sie, sobald sie gelesen sind.',
  package: 'So lesen und prüfen Sie das Paket',
  readable:
    'E-Mails sind EML-Dateien, die jedes E-Mail-Programm öffnet. Dateien liegen so vor, wie sie gespeichert waren. Die Datei index.csv führt alle auf.',
  checkable:
    'Die Datei manifest.json führt jede Datei mit ihrem Hash auf und ist signiert. Die Seite CHECK.html erklärt, wie Sie das prüfen.',
  hash: 'SHA-256 des Manifests: {{hash}}',
  processing: 'Zur Verarbeitung',
  purpose: 'Zweck: Sicherung gegen Verlust und Aufbewahrung, zu der uns Gesetze verpflichten.',
  categories:
    'Kategorien: E-Mails, Kalender, Kontakte, Aufgaben, Chats und Dateien in Microsoft 365, soweit sie gesichert oder archiviert werden.',
  source:
    'Herkunft: Ihre eigenen Konten sowie Nachrichten und Dateien von Personen, die mit Ihnen kommuniziert oder über Sie geschrieben haben.',
  period:
    'Dauer: Elemente werden so lange aufbewahrt, wie es die Aufbewahrungsrichtlinien unserer Organisation vorsehen. Die Fristen nennen wir Ihnen auf Nachfrage.',
  automated: 'Eine automatisierte Entscheidungsfindung einschließlich Profiling findet mit diesen Daten nicht statt.',
  rights: 'Ihre Rechte',
  rightsText:
    'Sie können Berichtigung, Löschung oder Einschränkung der Verarbeitung verlangen oder der Verarbeitung widersprechen (Artikel 16, 17, 18 und 21). Außerdem können Sie sich bei einer Datenschutz-Aufsichtsbehörde beschweren (Artikel 77).',
};
