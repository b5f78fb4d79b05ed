import type { SameKeys } from '../catalogue/shape.ts';
import type { receivers as english } from '../en/receivers.ts';

export const receivers: SameKeys<typeof english> = {
  open: 'Journalempfänger',
  title: 'Empfänger für Journalnachrichten',
  lead: 'Exchange Online meldet diesem Empfänger jede Nachricht in dem Moment, in dem sie gesendet oder empfangen wird. So wird sie auch dann archiviert, wenn sie jemand sofort löscht.',
  notListening:
    'Kein Worker nimmt Journalnachrichten an. Legen Sie für einen Worker HOLDFAST_RECEIVER_PORT fest, und starten Sie ihn neu. Das Betriebshandbuch beschreibt, wie.',
  create: 'Empfänger einrichten',
  paused: 'Angehalten',
  silent: 'Keine Nachricht seit {{since}}',
  waitingForFirst: 'Wartet auf die erste Nachricht',
  receiving: 'Empfängt',
  silentHelp:
    'Prüfen Sie, ob Journalregel und Connector im Exchange Admin Center eingeschaltet sind. Der Alarm endet mit der nächsten Nachricht von selbst.',
  state: 'Status',
  received: 'Empfangen',
  size: 'Größe',
  lastReceived: 'Zuletzt empfangen',
  placed: 'In Archiven',
  waiting: 'Unterwegs',
  unassigned: 'Ohne Besitzer',
  broken: 'Fehlerhafte Berichte',
  exempt: 'Ausgenommen',
  erasedBefore: 'Früher endgültig gelöscht',
  lastFailure: 'Letzter Fehler',
  lastFailureAt: '{{at}}, der Absender versucht es erneut',
  certificate: 'Zertifikat endet am',
  fingerprint: 'SHA-256 des Zertifikats',
  setUp: 'Einzutragen im Exchange Admin Center',
  address: 'Journaladresse',
  copy: 'Adresse kopieren',
  steps: {
    reach:
      'Exchange Online muss {{host}} erreichen und verbindet sich mit Port 25. Leiten Sie Port 25 an Port {{port}} des Workers weiter.',
    connector:
      'Nachrichtenfluss > Connectors: Fügen Sie einen Connector von Office 365 zu einer Partnerorganisation hinzu. Er gilt für {{host}}, verwendet den Smarthost {{host}} und immer TLS. Bei einem eigenen Zertifikat wählen Sie ein beliebiges digitales Zertifikat.',
    remote:
      'Nachrichtenfluss > Remotedomänen: Fügen Sie {{host}} hinzu, und schalten Sie das Rich-Text-Format aus, damit Nachrichten unverändert ankommen.',
    alternate:
      'Microsoft Purview > Einstellungen > Datenlebenszyklusverwaltung > Exchange (Legacy): Geben Sie ein Postfach für unzustellbare Journalberichte an, das niemand liest und das nicht journalisiert wird.',
    rule: 'Datenlebenszyklusverwaltung > Exchange (Legacy) > Journalregeln: Fügen Sie eine Regel für alle Personen und alle Nachrichten hinzu. Die Journalberichte gehen an die oben genannte Adresse.',
  },
  test: 'Testnachricht senden',
  testing: 'Die Testnachricht ist unterwegs …',
  results: {
    stored:
      'Der Empfänger funktioniert: Er hat die Testnachricht gespeichert. Gehört Ihre Adresse niemandem im Verzeichnis, erscheint sie bei den Nachrichten ohne Besitzer.',
    refused: 'Der Empfänger hat die Testnachricht abgelehnt: {{detail}}',
    unreachable: 'Der Empfänger ist nicht erreichbar ({{detail}}). Prüfen Sie Name und Port des Workers.',
    notListening: 'Kein Worker nimmt Nachrichten für diesen Empfänger an.',
  },
  edit: 'Ändern',
  renew: 'Neue Adresse',
  renewConfirm: 'Neue Adresse vergeben?',
  renewText: 'Nachrichten an die bisherige Adresse werden sofort abgelehnt. Tragen Sie die neue Adresse in die Journalregel ein.',
  remove: 'Entfernen',
  removeConfirm: 'Empfänger entfernen?',
  removeText: 'Empfangene Nachrichten bleiben in den Archiven. Entfernen Sie zuerst die Journalregel in Exchange.',
  networks: 'Zugelassene Netzwerke',
  networksHint:
    'Adressen oder Netzwerke von Exchange Online, zum Beispiel 40.92.0.0/15, durch Kommas getrennt. Ohne Angabe ist jede Adresse zugelassen.',
  maxMegabytes: 'Größte Nachricht in MB',
  silence: 'Alarm nach Minuten ohne Nachricht',
  silenceHint: 'Gezählt wird in der Geschäftszeit. 0 schaltet den Alarm aus.',
  from: 'Geschäftsbeginn',
  to: 'Geschäftsschluss',
  everyDay: 'Auch am Wochenende ist Geschäftszeit',
  enabled: 'Nachrichten annehmen',
  nobody: 'Nachrichten ohne Besitzer',
  nobodyLead:
    'Keine dieser Adressen gehört oder gehörte jemandem im Verzeichnis. Ordnen Sie die Nachrichten einem Postfach zu. Spätere Nachrichten der Adresse kommen ebenfalls dorthin.',
  brokenReports: 'Fehlerhafte Berichte',
  mail: 'Nachrichten: {{count}}, die neueste vom {{date}}',
  assign: 'Zuordnen',
  assignTo: 'Postfach',
  assignTitle: 'Nachrichten von {{address}} zuordnen',
};
