import type { erasureLetter as english } from '../en/erasure-letter.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const erasureLetter: SameKeys<typeof english> = {
  title: 'Ihr Antrag auf Löschung',
  whole: 'Gelöscht',
  wholeText:
    'Wir haben alle {{erased}} Nachrichten, Dateien und sonstigen Elemente gelöscht, die unsere Sicherungen und Archive von Ihnen enthielten.',
  partly: 'Teilweise gelöscht',
  partlyText: 'Wir haben {{erased}} Nachrichten, Dateien und sonstige Elemente gelöscht. {{kept}} müssen wir vorerst aufbewahren.',
  from: 'Von',
  to: 'An',
  reference: 'Aktenzeichen',
  erasedOn: 'Gelöscht am',
  request: 'Zu Ihrem Antrag',
  greeting:
    'Guten Tag {{name}},\n\nSie haben von {{organisation}} verlangt, Ihre personenbezogenen Daten zu löschen (Artikel 17 der Datenschutz-Grundverordnung). Dieser Brief sagt Ihnen, was wir aus unseren Sicherungen und Archiven gelöscht haben, was wir aufbewahren müssen, warum und bis wann.',
  erased: 'Was wir gelöscht haben',
  kept: 'Was wir aufbewahren müssen',
  keptText:
    'Artikel 17 Absatz 3 der Datenschutz-Grundverordnung erlaubt uns, Daten aufzubewahren, die wir wegen gesetzlicher Pflichten oder für Rechtsansprüche brauchen.',
  why: 'Grund',
  byHold: 'Zur Geltendmachung, Ausübung oder Verteidigung von Rechtsansprüchen erforderlich (Artikel 17 Absatz 3 Buchstabe e)',
  byMinimum: 'Aufbewahrungspflicht (Artikel 17 Absatz 3 Buchstabe b): {{name}}',
  untilReleased: 'Bis die Rechtssache abgeschlossen ist',
  untilEvent: 'Bis eine Frist abgelaufen ist, die noch nicht begonnen hat',
  items: 'Elemente',
  limits: 'Was Sie noch wissen sollten',
  othersErased:
    'Wir haben außerdem {{erased}} Nachrichten und Dateien anderer gelöscht, die Sie erwähnen. Andere, die Sie erwähnen, bestehen weiter.',
  others:
    'Nachrichten, die Sie mit anderen ausgetauscht haben, liegen auch in deren Postfächern, und deren Dateien können Sie erwähnen. Postfächer und Dateien anderer ändert diese Löschung nicht.',
  source: 'Dieser Brief betrifft Sicherungen und Archive, nicht die Daten, die in Microsoft 365 in Gebrauch sind.',
  journals: 'Nachrichten aus der Journalerfassung bleiben im Journal, so wie sie ankamen.',
  swept: 'Verschlüsselte Reste, die sich nicht mehr öffnen lassen, werden entfernt, wenn der Speicher das nächste Mal bereinigt wird.',
  names:
    'Das verschlüsselte, unveränderliche Journal des Speichers enthält weiterhin die Namen von Nachrichten, Dateien und Ordnern. Es wird nicht durchsucht und zusammen mit der Sicherung gelöscht.',
  staysErased:
    'Was wir gelöscht haben, bleibt gelöscht: Sicherungen, Archive und Importe lassen es aus, wenn sie es wiederfinden. Dafür bewahren wir einen Nachweis ohne Namen und Inhalte auf.',
  rights: 'Ihre Rechte',
  rightsText:
    'Wenn Sie meinen, dass wir mehr hätten löschen müssen, schreiben Sie uns. Sie können sich auch bei einer Datenschutz-Aufsichtsbehörde beschweren (Artikel 77) und gerichtlich gegen uns vorgehen (Artikel 79).',
};
