import type { ConformanceReason, ConformanceStatus } from './conformance-tests.ts';

/** What the console says of the tests of the standard. */
interface ConformanceWords {
  readonly status: Readonly<Record<ConformanceStatus, string>>;
  readonly reasons: Readonly<Record<ConformanceReason, string>>;
  readonly head: string;
  readonly headOfCase: string;
  readonly noLevel: string;
}

export const conformanceWords: Readonly<Record<'en' | 'de', ConformanceWords>> = {
  en: {
    status: { passed: 'passed', failed: 'FAILED', notApplicable: 'not applicable', notChecked: 'not checked' },
    head: 'Minimum conformance tests of the Reconstruction-Grade eDiscovery Standard {{version}}, as far as this export shows them:',
    headOfCase:
      'Minimum conformance tests of the Reconstruction-Grade eDiscovery Standard {{version}} over the exports of the case {{caseId}} ({{exports}}):',
    noLevel: 'No conformance level is declared: that takes every test of the level, and requirements that no export shows.',
    reasons: {
      'as-sent-exported': '{{count}} links lead to the version that was there when they were sent, and its bytes are in the export.',
      'as-sent-later':
        '{{file}}: a link is said to lead to the version before it was sent, but that version was changed later ({{changed}}).',
      'as-sent-bytes': '{{file}}: the version that a link led to is not in the export with its own bytes ({{name}}, version {{version}}).',
      'as-sent-rule': '{{file}}: a link leads to a version, but nothing says by which rule it was chosen.',
      'as-sent-fallback': 'Every link that leads to a kept file was resolved by a fallback: none shows the version as sent.',
      'no-links': 'No item of this export links to a file that is kept.',
      'no-list': 'The form of this export has no list of links.',
      'ids-missing': '{{file}}: a link was resolved, but the ids of the file, its drive or site or its version are missing.',
      'ids-contradict': '{{file}}: one version of one file has two contents.',
      'ids-several': '{{count}} files are named by their ids alone where several addresses lead to them.',
      'ids-only':
        'All {{count}} links have ids that stay, but no file is linked to by two addresses: this export does not show that links survive renaming and moving.',
      'relations-kept': '{{count}} items link to several files; each link to a file stands by itself with its item and that file.',
      'relation-parent': '{{file}}: a link belongs to an item that is not in the export.',
      'relation-child': '{{file}}: a link names a file that is not in the export ({{exported}}).',
      'relation-count': 'The manifest counts {{wanted}} links, the list has {{count}}.',
      'relations-single': 'No item of this export links to several files.',
      'relations-mbox': 'In mailbox files the list of links does not say which mail a link is of. Export as EML files for this test.',
      'no-identity': 'This export does not say which department and groups people belonged to at which time.',
      'no-access': 'This export has no records of who opened or changed a file in Microsoft 365.',
      'exceptions-whole': '{{count}} exceptions name the item, the code, the reason and each attempt.',
      'exception-item': 'Line {{line}} of errors.csv does not say which item it is about.',
      'exception-code': '{{name}}: nothing says why it could not be exported.',
      'exception-history': '{{name}}: nothing says when it was tried.',
      'exception-count': 'The manifest counts {{wanted}} items that could not be exported, errors.csv names {{count}}.',
      'no-exceptions': 'Everything could be exported. The test asks for an item that cannot be.',
      'same-files': 'Both exports have the same {{count}} files with the same hashes, and the same exceptions.',
      'other-files': '{{count}} files differ between the exports; the first is {{file}}.',
      'other-exceptions': 'The exceptions of the two exports differ.',
      'other-head': 'The two manifests differ in "{{field}}".',
      'no-second': 'Name a second export of the same list with --again FOLDER.',
      'other-scope': 'The second export is of something else: its query or its form is another one.',
      'same-export': 'The second folder holds the very same export. Run the export again.',
    },
  },
  de: {
    status: { passed: 'bestanden', failed: 'NICHT BESTANDEN', notApplicable: 'nicht anwendbar', notChecked: 'nicht geprüft' },
    head: 'Mindesttests des Reconstruction-Grade eDiscovery Standard {{version}}, soweit dieser Export sie zeigt:',
    headOfCase:
      'Mindesttests des Reconstruction-Grade eDiscovery Standard {{version}} über die Exporte des Falls {{caseId}} ({{exports}}):',
    noLevel: 'Es wird keine Konformitätsstufe erklärt: Dazu gehören alle Tests der Stufe und Anforderungen, die kein Export zeigt.',
    reasons: {
      'as-sent-exported': '{{count}} Links führen zu der Version, die beim Senden da war, und deren Bytes sind im Export.',
      'as-sent-later': '{{file}}: Ein Link soll zur Version vor dem Senden führen, diese wurde aber später geändert ({{changed}}).',
      'as-sent-bytes':
        '{{file}}: Die Version, zu der ein Link führte, ist nicht mit ihren eigenen Bytes im Export ({{name}}, Version {{version}}).',
      'as-sent-rule': '{{file}}: Ein Link führt zu einer Version, aber nichts sagt, nach welcher Regel sie gewählt wurde.',
      'as-sent-fallback':
        'Jeder Link zu einer aufbewahrten Datei wurde durch eine Ersatzregel aufgelöst: Keiner zeigt die Version beim Senden.',
      'no-links': 'Kein Element dieses Exports verweist auf eine aufbewahrte Datei.',
      'no-list': 'Die Form dieses Exports hat keine Liste der Links.',
      'ids-missing':
        '{{file}}: Ein Link wurde aufgelöst, aber die IDs der Datei, ihres Laufwerks oder ihrer Website oder ihrer Version fehlen.',
      'ids-contradict': '{{file}}: Eine Version einer Datei hat zwei Inhalte.',
      'ids-several': '{{count}} Dateien sind allein durch ihre IDs benannt, obwohl mehrere Adressen zu ihnen führen.',
      'ids-only':
        'Alle {{count}} Links haben bleibende IDs, aber auf keine Datei verweisen zwei Adressen: Dieser Export zeigt nicht, dass Links Umbenennen und Verschieben überstehen.',
      'relations-kept':
        '{{count}} Elemente verweisen auf mehrere Dateien; jeder Link auf eine Datei steht für sich mit seinem Element und dieser Datei.',
      'relation-parent': '{{file}}: Ein Link gehört zu einem Element, das nicht im Export ist.',
      'relation-child': '{{file}}: Ein Link nennt eine Datei, die nicht im Export ist ({{exported}}).',
      'relation-count': 'Das Manifest zählt {{wanted}} Links, die Liste hat {{count}}.',
      'relations-single': 'Kein Element dieses Exports verweist auf mehrere Dateien.',
      'relations-mbox':
        'Bei Postfachdateien sagt die Liste der Links nicht, zu welcher Mail ein Link gehört. Exportieren Sie für diesen Test als EML-Dateien.',
      'no-identity': 'Dieser Export sagt nicht, zu welcher Abteilung und zu welchen Gruppen Personen wann gehörten.',
      'no-access': 'Dieser Export enthält keine Aufzeichnungen, wer in Microsoft 365 eine Datei geöffnet oder geändert hat.',
      'exceptions-whole': '{{count}} Ausnahmen nennen das Element, den Code, den Grund und jeden Versuch.',
      'exception-item': 'Zeile {{line}} von errors.csv sagt nicht, um welches Element es geht.',
      'exception-code': '{{name}}: Nichts sagt, warum es nicht exportiert werden konnte.',
      'exception-history': '{{name}}: Nichts sagt, wann es versucht wurde.',
      'exception-count': 'Das Manifest zählt {{wanted}} Elemente, die nicht exportiert werden konnten, errors.csv nennt {{count}}.',
      'no-exceptions': 'Alles konnte exportiert werden. Der Test verlangt ein Element, bei dem das nicht geht.',
      'same-files': 'Beide Exporte haben dieselben {{count}} Dateien mit denselben Hashwerten und dieselben Ausnahmen.',
      'other-files': '{{count}} Dateien unterscheiden sich zwischen den Exporten; die erste ist {{file}}.',
      'other-exceptions': 'Die Ausnahmen der beiden Exporte unterscheiden sich.',
      'other-head': 'Die beiden Manifeste unterscheiden sich in „{{field}}“.',
      'no-second': 'Nennen Sie mit --again ORDNER einen zweiten Export derselben Liste.',
      'other-scope': 'Der zweite Export ist von etwas anderem: Seine Abfrage oder seine Form ist eine andere.',
      'same-export': 'Der zweite Ordner enthält denselben Export. Führen Sie den Export noch einmal aus.',
    },
  },
};
