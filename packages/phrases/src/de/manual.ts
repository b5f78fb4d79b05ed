import type { Manual } from '../catalogue/manual.ts';
import { mailboxAccess } from './manual-access.ts';
import { completeArchive } from './manual-archive.ts';
import { connectTenant, registerApp } from './manual-connect.ts';
import { journalMail } from './manual-journal.ts';
import { accessRequest } from './manual-access-request.ts';
import { erasure } from './manual-erasure.ts';
import { legalHolds } from './manual-holds.ts';
import { retentionPolicies } from './manual-retention.ts';
import { auditors } from './manual-audit.ts';
import { reviewSets } from './manual-review.ts';
import { search } from './manual-search.ts';

export const manual: Manual = {
  groups: { start: 'Erste Schritte', daily: 'Jeden Tag', restore: 'Etwas zurückholen', safety: 'Sicher aufbewahren' },
  articles: {
    firstStart: {
      group: 'start',
      title: 'Erster Start und erster Besitzer',
      question: 'Wie melde ich mich zum ersten Mal an?',
      blocks: [
        {
          kind: 'text',
          text: 'Solange es kein Konto gibt, gibt der Server eine Adresse aus, die auf #setup= und einen langen Schlüssel endet. Sie gilt 24 Stunden und für eine Verwendung; jeder Neustart gibt eine neue aus.',
        },
        {
          kind: 'steps',
          items: [
            'Öffnen Sie die Adresse aus der Ausgabe des Servers.',
            'Geben Sie Ihre E-Mail-Adresse, ein Kennwort mit mindestens 12 Zeichen und einem Sonderzeichen sowie den Namen Ihrer Organisation ein.',
            'Sie sind als Besitzer angemeldet. Richten Sie als Nächstes in Ihrem Profil die Zwei-Faktor-Authentifizierung ein.',
          ],
        },
        {
          kind: 'note',
          text: 'Ohne Terminal lässt sich ein Besitzer mit dem Konsolenbefehl „admin create-owner“ oder mit den Einstellungen für den ersten Besitzer anlegen.',
        },
      ],
    },
    registerApp,
    connectTenant,
    addLocation: {
      group: 'start',
      title: 'Einen Speicherort anlegen',
      question: 'Wo liegen meine Daten?',
      blocks: [
        {
          kind: 'text',
          text: 'Ein Speicherort ist ein Tresor: ein Ordner auf einer Festplatte des Servers oder ein Bucket in einem S3-Speicher. Alles darin ist komprimiert, verschlüsselt und nach seinem Inhalt benannt, sodass derselbe Anhang nur einmal gespeichert wird.',
        },
        {
          kind: 'steps',
          items: [
            'Öffnen Sie Konfiguration, Mandanten und Speicherorte, Registerkarte Speicherorte, und wählen Sie Neu.',
            'Wählen Sie die Art und geben Sie Ordner oder Bucket und Schlüssel ein.',
            'Wählen Sie Testen. Holdfast schreibt, liest und löscht ein kleines Objekt und stellt fest, ob der Speicher bedingtes Schreiben und Objektsperren bietet.',
            'Wählen Sie bei Objektsperren, wie viele Tage lang niemand löschen kann, was geschrieben wurde.',
          ],
        },
        {
          kind: 'note',
          text: 'Legen Sie den Speicherort auf andere Hardware als den Server, oder kopieren Sie den Tresor mit dem Konsolenbefehl „admin vault copy“ an einen zweiten Ort. Eine Sicherung neben ihrer Quelle ist eine halbe Sicherung.',
        },
      ],
    },
    firstBackup: {
      group: 'start',
      title: 'Die erste Sicherung',
      question: 'Wie sichere ich alles?',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Öffnen Sie Sicherungsaufträge und wählen Sie Neuer Auftrag.',
            'Wählen Sie den Dienst und geben Sie dem Auftrag einen Namen mit mindestens vier Zeichen.',
            'Wählen Sie alle oder einzelne Benutzer, Gruppen, Websites oder Teams. Eine Gruppe folgt ihren Mitgliedern, auch denen der Gruppen in ihr: Neue sind ab dem nächsten Lauf dabei. Von Teams lassen sich auch einzelne Kanäle, die Teams von Mitgliedern und ein Ausdruck für die Namen von Teams wählen.',
            'Wählen Sie den Speicherort und wann der Auftrag läuft.',
            'Prüfen Sie die Zusammenfassung und erstellen Sie den Auftrag. „Nach dem Erstellen starten“ beginnt sofort; sonst wählen Sie Starten.',
          ],
        },
        {
          kind: 'text',
          text: 'Der erste Lauf liest alles und kann Stunden oder Tage dauern, weil Microsoft begrenzt, wie schnell gelesen werden darf. Er kann jederzeit unterbrochen werden und geht dort weiter, wo er war. Jeder spätere Lauf liest nur, was sich geändert hat.',
        },
        {
          kind: 'note',
          text: 'Mehrere Aufträge können dasselbe Postfach, OneDrive, dieselbe Website oder dasselbe Team umfassen. In einem Speicherort liest jeder ihrer Läufe, was irgendeiner von ihnen wählt: Ein Wiederherstellungspunkt ist vollständig, gleich welcher Auftrag ihn erstellt hat. Wird ein Auftrag entfernt, fehlt im nächsten Wiederherstellungspunkt, was nur er gewählt hat; frühere behalten es.',
        },
      ],
    },
    jobMonitor: {
      group: 'daily',
      title: 'Den Auftragsmonitor lesen',
      question: 'Wie sehe ich, ob alles gut ging?',
      blocks: [
        {
          kind: 'table',
          head: ['Status', 'Was er bedeutet', 'Was zu tun ist'],
          rows: [
            ['Erfolgreich', 'Alles, was ausgewählt war, ist im Wiederherstellungspunkt.', 'Nichts.'],
            [
              'Fehlerhaft',
              'Der Wiederherstellungspunkt ist da, aber einzelne Elemente konnten nicht gelesen werden. Jedes ist mit seinem Grund aufgeführt.',
              'Öffnen Sie den Lauf und lesen Sie die Liste. Das meiste heilt mit dem nächsten Lauf von selbst.',
            ],
            [
              'Fehlgeschlagen',
              'Kein neuer Wiederherstellungspunkt. Die früheren sind unberührt.',
              'Öffnen Sie den Lauf: Die Meldung sagt, was nicht stimmt, zum Beispiel ein abgelaufenes Geheimnis.',
            ],
            [
              'Übersprungen',
              'Der Auftrag war fällig, während sein voriger Lauf noch andauerte.',
              'Geschieht es oft, lassen Sie den Auftrag seltener laufen.',
            ],
            [
              'Abgebrochen',
              'Jemand hat den Lauf angehalten. Bereits Gesichertes bleibt erhalten.',
              'Starten Sie ihn erneut, wann Sie möchten.',
            ],
          ],
        },
        {
          kind: 'text',
          text: 'Berichte, Registerkarte Nicht geschützt, zeigt alles, was kein Auftrag schützt, und warum: Postfächer ohne Lizenz, In-Situ-Archive, Websites, die niemand ausgewählt hat.',
        },
      ],
    },
    journalMail,
    completeArchive,
    search,
    restore: {
      group: 'restore',
      title: 'Etwas zurückholen',
      question: 'Wie stelle ich eine gelöschte E-Mail oder Datei wieder her?',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Öffnen Sie Wiederherstellen und wählen Sie, wessen Postfach, OneDrive, Website oder Team es war. Auch wer ausgeschieden ist, steht in der Liste.',
            'Wählen Sie den Zeitpunkt: den neuesten Wiederherstellungspunkt, einen Tag im Kalender, oder suchen Sie nach dem Namen über alle Punkte, wenn Sie nicht wissen, wann es zuletzt da war.',
            'Öffnen Sie den Ordner und markieren Sie, was Sie möchten. Ein Ordner nimmt mit, was in ihm liegt.',
            'Wählen Sie das Ziel: der ursprüngliche Ort, ein neuer Ordner, jemand anderes oder ein Download. Vorhandene Elemente werden übersprungen, wenn Sie nichts anderes wählen.',
            'Die Zusammenfassung sagt, was geschehen wird und was nicht zurückkommen kann. Wählen Sie Wiederherstellen und sehen Sie zu; der Bericht nennt jedes Element.',
          ],
        },
        {
          kind: 'note',
          text: 'Eine Wiederherstellung versendet nie Einladungen oder Freigabe-E-Mails. Ersetzen löscht das alte Element erst, wenn das neue vollständig ist.',
        },
        {
          kind: 'text',
          text: 'Eine versehentliche Wiederherstellung können Sie 30 Tage lang zurücknehmen: Öffnen Sie ihren Lauf und wählen Sie Wiederherstellung zurücknehmen. Was sie erstellt hat, wird entfernt, was sie ersetzt hat, kommt aus der Sicherung davor zurück, und was jemand seitdem geändert hat, bleibt unverändert. Nachrichten in Teams kann keine Anwendung entfernen. Der Bericht nennt jedes Element.',
        },
      ],
    },
    whatComesBack: {
      group: 'restore',
      title: 'Was zurückkommt und was Microsoft nicht erlaubt',
      question: 'Warum ist nach einer Wiederherstellung etwas anders?',
      blocks: [
        {
          kind: 'list',
          items: [
            'E-Mails kommen mit Datum, Absender, Lesestatus, Kennzeichnung, Kategorien und Ordner zurück. Es ist eine Kopie, die über den Dienst entsteht: Ihre interne Kennung ist neu.',
            'Besprechungen kommen zurück, ohne den Teilnehmern etwas zu senden. Die Teilnehmerliste steht im Text, weil das Setzen der Teilnehmer Einladungen versenden würde.',
            'Dateien kommen mit ihren Zeiten und auf Wunsch mit früheren Versionen und Berechtigungen zurück. Wer eine Datei erstellt und zuletzt geändert hat, kann niemand setzen; der Bericht nennt den ursprünglichen Verfasser.',
            'Office-Dateien werden von SharePoint beim Hochladen umgeschrieben. Ihr Inhalt ist derselbe, ihre Prüfsumme nicht.',
            'Freigabelinks bekommen neue Adressen. Kennwörter von Links lassen sich nicht wiederherstellen.',
            'Kanalnachrichten kommen mit Verfasser und Zeit zurück. Reaktionen, Erwähnungen und Karten kommen als Text zurück.',
            'Dateien eines Kanals kommen in den Ordner des Kanals zurück, mit früheren Versionen wie andere Dateien. Der Ordner eines neu angelegten Kanals erscheint nach einigen Minuten; die Wiederherstellung wartet darauf. Was sonst auf der Website des Teams liegt, schützt ein SharePoint-Auftrag.',
          ],
        },
        { kind: 'text', text: 'Jede Wiederherstellung endet mit einem Bericht, der solche Unterschiede Element für Element nennt.' },
      ],
    },
    retention: {
      group: 'safety',
      title: 'Wie lange Wiederherstellungspunkte bleiben',
      question: 'Wie lösche ich alte Wiederherstellungspunkte?',
      blocks: [
        {
          kind: 'text',
          text: 'Ohne Regel bleibt alles erhalten. Ein Löschauftrag gibt Wiederherstellungspunkte nach Alter, nach Anzahl oder nach dem Schema Großvater, Vater, Sohn auf: jeweils der neueste eines Tages, einer Woche, eines Monats und eines Jahres bleibt.',
        },
        {
          kind: 'text',
          text: 'Die Vorschau zeigt, was gehen würde, bevor etwas geht. Was ein Legal Hold oder die Objektsperre des Speicherorts hält, bleibt, was auch immer die Regel sagt. Der Platz wird mit Verzögerung frei, damit nichts verschwindet, was gerade gelesen wird.',
        },
      ],
    },
    retentionPolicies,
    legalHolds,
    reviewSets,
    auditors,
    accessRequest,
    erasure,
    keys: {
      group: 'safety',
      title: 'Der Hauptschlüssel',
      question: 'Welchen Schlüssel darf ich nie verlieren?',
      blocks: [
        {
          kind: 'text',
          text: 'Alles Gespeicherte ist mit Schlüsseln verschlüsselt, die ihrerseits von einem Hauptschlüssel versiegelt sind. Er entsteht beim ersten Start und liegt als master.key im Datenverzeichnis, lesbar nur für den Server.',
        },
        {
          kind: 'steps',
          items: [
            'Kopieren Sie master.key an einen sicheren Ort, der nicht dieser Server ist: in einen Kennworttresor oder auf Papier in einen Safe.',
            'Kopieren Sie ihn nach jedem Schlüsselwechsel erneut (Konsolenbefehl „admin rotate-keys“).',
            'Prüfen Sie einmal im Jahr, ob Sie ihn finden.',
          ],
        },
        { kind: 'note', text: 'Ohne den Hauptschlüssel kann niemand den Tresor lesen, auch seine Hersteller nicht.' },
      ],
    },
    darkDay: {
      group: 'safety',
      title: 'Der dunkle Tag: Server und Datenbank sind weg',
      question: 'Wie komme ich ohne diesen Server an meine Daten?',
      blocks: [
        {
          kind: 'text',
          text: 'Der Tresor braucht keine Datenbank. Mit dem Bucket oder Ordner und dem Hauptschlüssel lässt sich alles auflisten, lesen und wiederherstellen.',
        },
        {
          kind: 'steps',
          items: [
            'Installieren Sie Holdfast auf einem beliebigen Rechner und legen Sie master.key in sein Datenverzeichnis.',
            'Sehen Sie nach, was da ist: „admin vault ls“ listet die Ressourcen auf, „admin vault verify“ beweist, dass nichts beschädigt ist.',
            'Wenn es eilt, schreibt „admin restore“ alles als Archive, die jedes Programm öffnet: Nachrichten als EML, Kalender als ICS, Kontakte als VCF, Dateien wie sie waren. Ein einzelnes Postfach oder Laufwerk lässt sich angeben.',
            '„admin vault cat“ schreibt ein Element, und „admin vault export“ legt einen Beweis dazu: Prüfsummen, die der Tresor unterschrieben hat.',
            'Für das ganze Produkt starten Sie es, verbinden Mandant und Speicherort neu und führen „admin rebuild-catalog“ aus. Danach funktionieren Durchsuchen und Wiederherstellen wie zuvor.',
          ],
        },
        {
          kind: 'note',
          text: 'Das Format des Tresors ist öffentlich und kurz. Ein Leseprogramm lässt sich allein nach seiner Beschreibung schreiben; ein zweites liegt den Quellen bei.',
        },
      ],
    },
    roles: {
      group: 'safety',
      title: 'Benutzer und Rollen',
      question: 'Wer darf was?',
      blocks: [
        {
          kind: 'table',
          head: ['Rolle', 'Darf'],
          rows: [
            ['Besitzer', 'Alles, auch Schlüssel und andere Besitzer. Eine Organisation behält mindestens einen.'],
            ['Administrator', 'Mandanten, Speicherorte, Konfiguration, Benutzer bis zur eigenen Rolle, Aufträge und Wiederherstellungen.'],
            ['Operator', 'Aufträge erstellen, starten und anhalten, wiederherstellen.'],
            ['Prüfer', 'Berichte und Überwachungsprotokoll lesen, bis der Zugang mit einem Datum endet.'],
            ['Leser', 'Dashboards, Aufträge, Läufe und Berichte sehen.'],
          ],
        },
        {
          kind: 'text',
          text: 'Neue Personen laden Sie unter Konfiguration, Benutzer ein. Wer Inhalte anderer öffnet, gibt einen Grund an; beides steht im Überwachungsprotokoll.',
        },
      ],
    },
    mailboxAccess,
    twoFactor: {
      group: 'safety',
      title: 'Zwei-Faktor-Authentifizierung',
      question: 'Wie schütze ich mein Konto?',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Öffnen Sie Mein Profil, Zwei-Faktor-Authentifizierung, und wählen Sie Einrichten.',
            'Scannen Sie den Code mit einer Authenticator-App und geben Sie die sechs Ziffern ein, die sie zeigt.',
            'Drucken oder kopieren Sie die zehn Wiederherstellungscodes. Jeder öffnet das Konto einmal, wenn das Telefon verloren ist.',
          ],
        },
        {
          kind: 'text',
          text: 'Konten ohne Authenticator bekommen einen Code mit sechs Ziffern per E-Mail, wenn auf dem Server E-Mail eingerichtet ist. Fünf falsche Codes beenden den Versuch.',
        },
      ],
    },
    staging: {
      group: 'daily',
      title: 'Staging',
      question: 'Wie übe ich, ohne die Produktion zu berühren?',
      blocks: [
        {
          kind: 'text',
          text: 'Jede Installation hat einen zweiten Bereich mit denselben Seiten über getrennten Daten. Wechseln Sie in der oberen Leiste dorthin; ein Streifen darunter sagt, dass die Produktion unberührt bleibt. Verbinden Sie dort einen Testmandanten, um Wiederherstellungen zu üben.',
        },
      ],
    },
    auditLog: {
      group: 'safety',
      title: 'Das Überwachungsprotokoll',
      question: 'Wie finde ich heraus, wer was getan hat?',
      blocks: [
        {
          kind: 'text',
          text: 'Jede Anmeldung, Änderung, Ablehnung und jeder Blick in Inhalte wird mit Person, Zeit, Adresse und Grund festgehalten. Besitzer und Prüfer können das Protokoll filtern und exportieren.',
        },
        {
          kind: 'text',
          text: 'Die Einträge bilden einen Hashbaum mit signierten Prüfpunkten. Ein geänderter, entfernter oder verschobener Eintrag wird mit dem Konsolenbefehl „admin verify-audit“ gefunden, der auch jede Nacht läuft.',
        },
      ],
    },
    limits: {
      group: 'daily',
      title: 'Wie schnell Microsoft uns lässt',
      question: 'Warum dauert die erste Sicherung so lange?',
      blocks: [
        {
          kind: 'table',
          head: ['Was', 'Grenze des Dienstes', 'Was daraus folgt'],
          rows: [
            [
              'Ein Postfach',
              '10.000 Anfragen in 10 Minuten, 4 gleichzeitig',
              'Höchstens etwa 57.000 Nachrichten je Stunde und Postfach; Postfächer werden nebeneinander gelesen.',
            ],
            [
              'OneDrive und SharePoint',
              'Ein Budget je Minute und je Tag, nach Zahl der Lizenzen',
              'Kleine Mandanten lesen etwa eine Million Dateien am Tag. Ein Teil bleibt für Wiederherstellungen frei.',
            ],
            ['Ein Kanal', 'Eine Anfrage je Sekunde', 'Etwa 50 Nachrichten je Sekunde; ein Kanal mit Antworten ist langsamer.'],
          ],
        },
        {
          kind: 'text',
          text: 'Holdfast hält jede Pause ein, um die Microsoft bittet, und wird langsamer, bevor es gebeten wird. Weitere App-Registrierungen, um schneller zu lesen, verbietet Microsoft.',
        },
      ],
    },
  },
};
