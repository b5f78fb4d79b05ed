import { graphRoles as roles, type Article } from '../catalogue/manual.ts';

/** Wie die App von Hand registriert wird. */
export const registerApp: Article = {
  group: 'start',
  title: 'Die App in Microsoft Entra registrieren',
  question: 'Wie gebe ich Holdfast Zugriff auf Microsoft 365?',
  blocks: [
    {
      kind: 'text',
      text: 'Holdfast meldet sich als Anwendung Ihres eigenen Mandanten an. Sie brauchen für etwa zehn Minuten einen globalen Administrator oder einen Anwendungsadministrator zusammen mit einem Administrator für privilegierte Rollen.',
    },
    {
      kind: 'note',
      text: 'Der Assistent unter Mandanten verbinden erledigt das alles mit einem Skript. Diese Schritte brauchen Sie nur, wenn Sie die App von Hand registrieren.',
    },
    {
      kind: 'steps',
      items: [
        'Öffnen Sie entra.microsoft.com, dann Anwendungen, App-Registrierungen, und wählen Sie Neue Registrierung. Name Holdfast, nur Konten in diesem Verzeichnis, kein Umleitungs-URI.',
        'Notieren Sie aus der Übersicht die Anwendungs-ID (Client) und die Verzeichnis-ID (Mandant).',
        'Wählen Sie unter API-Berechtigungen Berechtigung hinzufügen, Microsoft Graph, Anwendungsberechtigungen, und fügen Sie die Rollen der Tabelle für alles hinzu, was Sie schützen möchten.',
        'Wählen Sie Administratorzustimmung erteilen. Jede Zeile muss danach ein grünes Häkchen zeigen.',
        'Laden Sie unter Zertifikate & Geheimnisse ein Zertifikat hoch (empfohlen), oder erstellen Sie einen geheimen Clientschlüssel und kopieren Sie seinen Wert sofort: Er wird nur jetzt angezeigt.',
      ],
    },
    {
      kind: 'diagram',
      name: 'entraIds',
      text: 'Hier zeigt Entra die beiden IDs an: in der Übersicht der App. Die Objekt-ID benötigt Holdfast nicht.',
      words: [
        'Microsoft Entra: App-Registrierungen, Holdfast',
        'Übersicht',
        'Zertifikate & Geheimnisse',
        'API-Berechtigungen',
        'Anzeigename',
        'Anwendungs-ID (Client)',
        'Objekt-ID',
        'Verzeichnis-ID (Mandant)',
        'in Holdfast eintragen',
      ],
    },
    {
      kind: 'diagram',
      name: 'entraConsent',
      text: 'Hier stimmen Sie zu: unter API-Berechtigungen. Danach steht in jeder Zeile, dass sie erteilt ist.',
      words: [
        'Microsoft Entra: App-Registrierungen, Holdfast',
        'Übersicht',
        'Zertifikate & Geheimnisse',
        'API-Berechtigungen',
        'Berechtigung hinzufügen',
        'Administratorzustimmung erteilen',
        'Anwendung',
        'Erteilt',
      ],
    },
    {
      kind: 'table',
      head: ['Für', 'Sichern braucht', 'Wiederherstellen zusätzlich'],
      rows: [
        ['Benutzer und Gruppen', roles.directory.backup, roles.directory.restore],
        ['Exchange', roles.exchange.backup, roles.exchange.restore],
        ['OneDrive und SharePoint', roles.files.backup, roles.files.restore],
        ['Teams und Chats', roles.teams.backup, roles.teams.restore],
        ['Teams, die ihre Apps zurückbekommen (freiwillig)', roles.teamApps.backup, roles.teamApps.restore],
        ['Tests, die ihre Kanäle wieder entfernen (freiwillig)', roles.drill.backup, roles.drill.restore],
      ],
    },
    {
      kind: 'note',
      text: 'Für einen Mandanten, der nur gesichert wird, genügt die mittlere Spalte. Eine Wiederherstellung hält dann vor dem ersten Schreiben an und nennt die fehlende Rolle. Sie können die Rollen für eine Wiederherstellung hinzufügen und danach wieder entfernen. Für einzelne Websites kann Sites.Selected die Rolle Sites.Read.All ersetzen. Microsoft listet dann keine Websites auf: Geben Sie die Adresse jeder Website im Auftrag ein. Ein Auftrag für alle Websites benötigt Sites.Read.All.',
    },
  ],
};

/** Wie der Assistent einen Mandanten verbindet, mit Bildern zu jedem Schritt. */
export const connectTenant: Article = {
  group: 'start',
  title: 'Einen Mandanten verbinden',
  question: 'Wie verbinde ich meinen Mandanten?',
  blocks: [
    {
      kind: 'text',
      text: 'Ein Assistent bereitet alles vor: Sie führen in Ihrem Mandanten ein Skript aus und tragen zwei IDs ein. Das dauert etwa zehn Minuten und erfordert einen globalen Administrator oder einen Administrator für privilegierte Rollen.',
    },
    {
      kind: 'diagram',
      name: 'appRegistration',
      text: 'So erhält Holdfast Zugriff auf Ihren Mandanten. Der private Schlüssel verlässt den Server nie.',
      words: [
        'Holdfast',
        'Erstellt das Skript',
        'Behält den Schlüssel',
        'Sie',
        'Starten das Skript',
        'Als Administrator',
        'Microsoft Entra',
        'App mit Zertifikat',
        'Ihre Berechtigungen',
        '1. Skript',
        '2. Registriert die App',
        '3. Verzeichnis-ID und Anwendungs-ID',
      ],
    },
    {
      kind: 'text',
      text: 'Schritt 1: Öffnen Sie Konfiguration, Mandanten und Speicherorte, und wählen Sie Mandanten verbinden. Wählen Sie, was geschützt werden soll und ob Holdfast auch wiederherstellen darf. Anfangs ist alles ausgewählt: Meist genügt es, auf Weiter zu klicken.',
    },
    { kind: 'screenshot', name: 'connect-choose', text: 'Schritt 1: wählen, was die App darf.' },
    {
      kind: 'text',
      text: 'Schritt 2: Kopieren Sie das Skript, und fügen Sie es in die Cloud Shell des Azure-Portals ein, oder führen Sie das Skript für PowerShell 7 aus. Es registriert die App, erteilt genau die gewählten Berechtigungen und gibt zwei IDs aus.',
    },
    { kind: 'screenshot', name: 'connect-register', text: 'Schritt 2: das Skript im Mandanten ausführen.' },
    {
      kind: 'text',
      text: 'Schritt 3: Geben Sie einen Namen und die beiden IDs ein. Eine Berechtigung erhält ein grünes Häkchen, sobald Microsoft sie erteilt hat; das kann einige Minuten dauern. Wählen Sie dann Mandanten verbinden.',
    },
    {
      kind: 'screenshot',
      name: 'connect-permissions',
      text: 'Schritt 3: die beiden IDs eingeben und auf die grünen Häkchen warten.',
    },
    {
      kind: 'text',
      text: 'Wählen Sie auf der Seite des Mandanten Bereitstellen. Holdfast prüft jede Berechtigung und liest Benutzer, Gruppen, Websites und Teams ein. Danach können Sie den ersten Sicherungsauftrag anlegen.',
    },
    {
      kind: 'note',
      text: 'Gibt es die App schon, wählen Sie stattdessen Vorhandene App eintragen. Geben Sie ihre IDs und den geheimen Clientschlüssel ein, oder fügen Sie das Zertifikat mit dem privaten Schlüssel ein. Holdfast meldet sich bei Microsoft an, bevor es etwas speichert; lehnt Microsoft ab, nennt die Meldung das Feld, das zu korrigieren ist.',
    },
    {
      kind: 'text',
      text: 'Geheimnisse und private Schlüssel werden verschlüsselt gespeichert. Niemand kann sie wieder lesen, sie lassen sich nur ersetzen. Unter Konfiguration, Teams und OneDrive sehen Sie den Stand jeder Berechtigung und wofür sie gebraucht wird.',
    },
  ],
};
