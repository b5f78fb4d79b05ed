import type { mails as english } from '../en/mails.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const mails: SameKeys<typeof english> = {
  greeting: 'Guten Tag,',
  closing: 'Diese Nachricht wurde von Holdfast unter {{address}} gesendet. Niemand wird Sie je nach Ihrem Kennwort oder einem Code fragen.',
  linkHint: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  confirm: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist. Der Link ist 24 Stunden gültig.',
    button: 'E-Mail-Adresse bestätigen',
    ignore: 'Falls Sie dies nicht angefordert haben, können Sie diese Nachricht ignorieren.',
  },
  changeEmail: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Bitte bestätigen Sie, dass dies die neue E-Mail-Adresse Ihres Kontos ist. Der Link ist 24 Stunden gültig.',
    button: 'Neue E-Mail-Adresse bestätigen',
    ignore: 'Falls Sie dies nicht angefordert haben, können Sie diese Nachricht ignorieren: Es ändert sich nichts.',
  },
  reset: {
    subject: 'Setzen Sie Ihr Kennwort zurück',
    text: 'Jemand möchte das Kennwort Ihres Kontos zurücksetzen. Der Link ist 30 Minuten gültig und funktioniert einmal.',
    button: 'Neues Kennwort festlegen',
    ignore: 'Falls Sie das nicht waren, können Sie diese Nachricht ignorieren: Ihr Kennwort bleibt, wie es ist.',
  },
  resetCode: {
    subject: 'Setzen Sie Ihr Kennwort zurück',
    text: 'Jemand möchte das Kennwort Ihres Kontos zurücksetzen. Geben Sie diesen Code ein; er ist 30 Minuten gültig und funktioniert einmal: {{code}}',
    ignore: 'Falls Sie das nicht waren, können Sie diese Nachricht ignorieren: Ihr Kennwort bleibt, wie es ist.',
  },
  signInCode: {
    subject: 'Ihr Bestätigungscode: {{code}}',
    text: 'Ihr Bestätigungscode lautet {{code}}. Er ist 10 Minuten gültig.',
    ignore: 'Falls Sie sich gerade nicht anmelden, kennt jemand Ihr Kennwort: Ändern Sie es.',
  },
  invitation: {
    subject: 'Sie wurden zu {{organisation}} eingeladen',
    text: '{{inviter}} lädt Sie als {{role}} zu {{organisation}} ein. Öffnen Sie die Einladung, melden Sie sich an oder erstellen Sie Ihr Konto, und nehmen Sie sie an. Der Link ist 7 Tage gültig.',
    button: 'Einladung öffnen',
    ignore: 'Falls Sie nicht wissen, worum es geht, können Sie diese Nachricht ignorieren.',
  },
  alreadyRegistered: {
    subject: 'Sie haben bereits ein Konto',
    text: 'Jemand hat versucht, sich mit Ihrer E-Mail-Adresse zu registrieren. Sie haben bereits ein Konto. Falls Sie das Kennwort vergessen haben, können Sie ein neues festlegen.',
    button: 'Neues Kennwort festlegen',
  },
  passwordChanged: {
    subject: 'Ihr Kennwort wurde geändert',
    text: 'Das Kennwort Ihres Kontos wurde geändert, und alle anderen Geräte wurden abgemeldet.',
    ignore: 'Falls Sie das nicht waren, setzen Sie Ihr Kennwort sofort zurück und informieren Sie Ihren Administrator.',
  },
  emailChanging: {
    subject: 'Ihre E-Mail-Adresse wird geändert',
    text: 'Jemand, der bei Ihrem Konto angemeldet ist, möchte dessen E-Mail-Adresse ändern. Die Änderung wird wirksam, sobald die neue Adresse bestätigt ist.',
    ignore: 'Falls Sie das nicht waren, ändern Sie Ihr Kennwort sofort und informieren Sie Ihren Administrator.',
  },
  runFailed: {
    subject: 'Fehlgeschlagen: {{job}} ({{tenant}})',
    text: 'Ein Lauf von {{job}} für {{tenant}} ist fehlgeschlagen. In der Überwachung steht, warum und was Sie tun können.',
    button: 'Lauf ansehen',
  },
  runDefective: {
    subject: 'Teilweise erfolgreich: {{job}} ({{tenant}})',
    text: 'Ein Lauf von {{job}} für {{tenant}} war nur teilweise erfolgreich. Fehler: {{errors}}, Elemente: {{processed}}. Der Bericht nennt jeden Fehler.',
    button: 'Fehler ansehen',
  },
  runOver: {
    subject: 'Läuft wieder: {{job}} ({{tenant}})',
    text: 'Ein Lauf von {{job}} für {{tenant}} war erfolgreich. Der Alarm über den letzten Lauf ist beendet.',
    button: 'Lauf ansehen',
  },
  verifyDeviation: {
    subject: 'Der Tresor ist nicht, wie er sein soll: {{location}} ({{tenant}})',
    text: 'Eine Prüfung von {{location}} für {{tenant}} hat {{errors}} Abweichungen von dem gefunden, was da sein muss. Verlassen Sie sich bis zur Klärung nicht auf jeden Wiederherstellungspunkt:',
    button: 'Abweichungen ansehen',
    ignore:
      'Lassen Sie den Tresor, wie er ist, löschen Sie nichts, und klären Sie, wer Zugriff darauf hatte. Eine zweite Kopie kann ihn reparieren.',
  },
  daySummary: {
    subject: 'Zusammenfassung vom {{date}}: {{failed}} fehlgeschlagen, {{defective}} teilweise erfolgreich',
    text: 'Läufe der letzten 24 Stunden: {{successful}} erfolgreich, {{defective}} teilweise erfolgreich, {{failed}} fehlgeschlagen, {{cancelled}} abgebrochen, {{skipped}} übersprungen.',
    button: 'Überwachung öffnen',
  },
  monthlyReport: {
    subject: 'Monatsbericht {{month}}: {{tenant}}',
    text: 'Der Bericht über {{month}} für {{tenant}} liegt vor. Er ist als PDF-Datei angehängt und bleibt im Portal abrufbar. {{verdict}} Das Wichtigste:',
    button: 'Bericht öffnen',
    ignore:
      'Wenn Sie diese E-Mails nicht mehr erhalten möchten, schalten Sie in den Einstellungen Ihrer Organisation die Monatsberichte per E-Mail aus.',
  },
  procedureDue: {
    subject: 'Die Verfahrensdokumentation von {{tenant}} ist ein Jahr alt',
    text: 'Die Verfahrensdokumentation von {{tenant}} wurde zuletzt vor einem Jahr erstellt. Prüfen Sie Ihre eigenen Abschnitte und erstellen Sie eine neue Version.',
    button: 'Verfahrensdokumentation öffnen',
  },
  requestDue: {
    subject: 'Ein Betroffenenantrag ist bis {{date}} zu beantworten',
    text: 'Eine Person hat in {{tenant}} Auskunft über ihre Daten oder deren Löschung verlangt. Ihre Organisation muss bis {{date}} antworten.',
    button: 'Betroffenenanträge öffnen',
  },
  reviewWaiting: {
    subject: 'Über Nachrichten unter {{policy}} entscheiden',
    text: '{{messages}} Nachrichten haben die Höchstfrist der Aufbewahrungsrichtlinie {{policy}} überschritten und warten auf Ihre Entscheidung. Nichts wird gelöscht, bevor die letzte Stufe es sagt.',
    button: 'Prüfungen öffnen',
  },
  searchFound: {
    subject: 'Neue Treffer: {{name}}',
    text: 'Ihre gespeicherte Suche „{{name}}“ hat neue Elemente gefunden. Anzahl neuer Elemente: {{hits}}.',
    button: 'Suche öffnen',
    ignore: 'Wenn Sie diese Mails nicht mehr erhalten möchten, deaktivieren Sie die Benachrichtigung dieser Suche.',
  },
  contentOpened: {
    subject: 'Gesicherte Inhalte von {{name}} wurden geöffnet',
    text: '{{reader}} hat Inhalte von {{name}} geöffnet, die in der Sicherung Ihrer Organisation aufbewahrt werden. Der angegebene Grund: {{reason}}',
    ignore: 'Wenn Sie dazu Fragen haben, wenden Sie sich an Ihre Organisation. Das Überwachungsprotokoll enthält die Einzelheiten.',
  },
  auditDeviation: {
    subject: 'Das Überwachungsprotokoll ist nicht, wie es sein soll ({{date}})',
    text: 'Die nächtliche Prüfung hat Stellen gefunden, an denen das Überwachungsprotokoll nicht zu seinen signierten Prüfpunkten passt. Möglicherweise hat es jemand am Programm vorbei verändert.',
    button: 'Überwachungsprotokoll öffnen',
    ignore: 'Lassen Sie Datenbank und Datenordner unverändert und klären Sie, wer darauf Zugriff hatte.',
  },
  timestampsStalled: {
    subject: 'Das Überwachungsprotokoll erhält keine Zeitstempel',
    text: 'Seit dem {{day}} hat das Überwachungsprotokoll keinen Zeitstempel erhalten. Warum, steht auf der Seite des Protokolls. Das Protokoll selbst ist vollständig; für alles seither fehlt nur die Zeit, die eine Stelle bezeugt.',
    button: 'Überwachungsprotokoll öffnen',
    ignore:
      'Der Versuch wird stündlich wiederholt. Prüfen Sie HOLDFAST_TIMESTAMP_URL und HOLDFAST_TIMESTAMP_ROOTS in den Einstellungen des Servers.',
  },
  forwardingStalled: {
    subject: 'Ereignisse kommen nicht an: {{name}}',
    text: 'Der Empfänger „{{name}}“ nimmt seit {{since}} keine Ereignisse des Überwachungsprotokolls an. Es geht keines verloren: Alle warten, bis der Empfänger wieder erreichbar ist.',
    button: 'Protokollweiterleitung öffnen',
  },
  journalSilent: {
    subject: 'Es treffen keine Journalnachrichten ein: {{name}}',
    text: 'Der Empfänger „{{name}}“ hat seit {{since}} keine Journalnachricht erhalten. Nachrichten, die jetzt nicht journalisiert werden, fehlen möglicherweise im Archiv: Exchange gibt nach etwa zwei Tagen auf. Prüfen Sie die Journalregel und den Connector im Exchange Admin Center.',
    button: 'Empfänger öffnen',
  },
  archiveIncomplete: {
    subject: 'Nachrichten des Archivs fehlen an einer Stelle',
    text: 'Der tägliche Vergleich von Archiven, Sicherungen, Journal und Suche hat Nachrichten gefunden, die nicht überall vorhanden sind, wo sie sein sollten. In Sicherungen, aber nicht im Archiv: {{missing}}; der nächste Lauf des Archivauftrags nimmt sie auf. Nicht journalisiert: {{notJournaled}}; prüfen Sie die Journalregel. Nur journalisiert, in keiner Sicherung: {{notCaptured}}; sie wurden möglicherweise vor der Sicherung gelöscht. Nicht im Suchindex: {{notSearchable}}; sie werden erneut gelesen. Postfächer ({{mailboxes}}): {{names}}.',
    button: 'Postfächer öffnen',
  },
  approvalAsked: {
    subject: 'Ihre Genehmigung wird gebraucht: {{name}}',
    text: '{{requester}} beantragt: {{what}} Dies gilt erst, wenn eine zweite Person es genehmigt.',
    button: 'Genehmigen oder ablehnen',
    ignore: 'Wenn Sie nicht wissen, warum dies beantragt wird, lehnen Sie es ab.',
  },
  approvalExpired: {
    subject: 'Niemand hat in 7 Tagen entschieden: {{name}}',
    text: 'Sie haben dies beantragt: {{what}} Niemand hat es genehmigt oder abgelehnt, daher ist der Antrag verfallen und es ändert sich nichts. Sie können ihn erneut stellen.',
    button: 'Genehmigungen ansehen',
    ignore: 'Falls Sie dies nicht beantragt haben, melden Sie sich an und ändern Sie Ihr Kennwort.',
  },
  approvalDelayed: {
    subject: 'In 24 Stunden ohne zweite Person: {{name}}',
    text: '{{requester}} hat beantragt: {{what}} Es gibt niemanden sonst, der es genehmigen könnte; deshalb gilt es von selbst ab {{at}}.',
    button: 'Ansehen oder aufhalten',
    ignore: 'Wenn Sie das nicht waren, melden Sie sich sofort an, ziehen Sie es zurück und ändern Sie Ihr Passwort.',
  },
  holdNotice: {
    subject: '{{subject}}',
    text: '{{sender}} ({{organisation}}) sendet Ihnen diese Benachrichtigung über Daten, die aufbewahrt werden müssen:',
    button: 'Lesen und bestätigen',
    ignore: 'Der Link ist nur für Sie bestimmt. Er öffnet diese Benachrichtigung und sonst nichts.',
  },
  holdReminder: {
    subject: 'Erinnerung: {{subject}}',
    text: 'Sie haben diese Benachrichtigung über Daten, die aufbewahrt werden müssen, noch nicht bestätigt. Gesendet wurde sie Ihnen von {{sender}} ({{organisation}}):',
    button: 'Lesen und bestätigen',
    ignore:
      'Der Link ist nur für Sie bestimmt. Er öffnet diese Benachrichtigung und sonst nichts. Sobald Sie bestätigt haben, werden Sie nicht mehr erinnert.',
  },
  runLine: '{{job}}, {{tenant}}: {{status}}',
  roles: { owner: 'Besitzer', administrator: 'Administrator', operator: 'Operator', auditor: 'Prüfer', reader: 'Leser' },
};
