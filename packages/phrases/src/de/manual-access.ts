import type { Article } from '../catalogue/manual.ts';

/** Wie ein Administrator eingrenzt, welche Postfächer die App erreicht, und was Microsoft 2026 ändert. */
export const mailboxAccess: Article = {
  group: 'safety',
  title: 'Zugriff auf Postfächer eingrenzen',
  question: 'Welche Postfächer erreicht Holdfast?',
  blocks: [
    {
      kind: 'text',
      text: 'In Entra erteilte Berechtigungen gelten für alle Postfächer. Um Holdfast auf einzelne Postfächer zu beschränken, verwenden Sie RBAC für Anwendungen in Exchange Online. Es ersetzt die Anwendungszugriffsrichtlinien, die weiterhin wirken.',
    },
    {
      kind: 'steps',
      items: [
        'Entfernen Sie in Entra die Exchange-Rollen für E-Mail, Postfacheinstellungen, Kalender und Kontakte von der App. Exchange schränkt eine in Entra erteilte Rolle nicht ein.',
        'Behalten Sie Tasks.Read.All und Tasks.ReadWrite.All in Entra: Exchange hat keine Rolle für To Do.',
        'Führen Sie in Exchange Online PowerShell New-ServicePrincipal mit den IDs der Unternehmensanwendung aus, danach New-ManagementScope für die Postfächer.',
        'Führen Sie für jede Rolle New-ManagementRoleAssignment mit -App und -CustomResourceScope aus, zum Beispiel „Application Mail.Read“ und „Application Calendars.Read“.',
        'Warten Sie bis zu zwei Stunden, und testen Sie die Verbindung erneut.',
      ],
    },
    {
      kind: 'text',
      text: 'Rollen von Exchange stehen nicht in der Anmeldung der App. Der Verbindungstest liest deshalb ein Postfach und zeigt diese Berechtigungen als „Für ausgewählte Postfächer“ an. Er schreibt nichts; Schreibrechte erscheinen deshalb als „Zeigt sich beim Wiederherstellen“. Der Test probiert bis zu 20 lizenzierte Postfächer; gehört keines zum Bereich, erscheinen die Berechtigungen als fehlend.',
    },
    {
      kind: 'text',
      text: 'Ein Postfach außerhalb des Bereichs, oder eines, das eine Anwendungszugriffsrichtlinie sperrt, wird nicht gesichert und steht unter Nicht geschützt. Die übrigen Postfächer sind nicht betroffen.',
    },
    {
      kind: 'note',
      text: 'Ab dem 31. Dezember 2026 schützt Microsoft Nachrichten, die keine Entwürfe mehr sind, vor Änderungen. Lehnt Microsoft dann Anlagen über 3 MB an einer wiederhergestellten Nachricht ab, nennt die Wiederherstellung die Berechtigung Mail-Advanced.ReadWrite.All. Fügen Sie sie der App hinzu, und stellen Sie die Nachricht erneut wieder her.',
    },
    {
      kind: 'note',
      text: 'Microsoft blockiert Exchange-Webdienste (EWS) seit Oktober 2026. Holdfast verwendet EWS nicht: Es liest und schreibt ausschließlich über Microsoft Graph, und Sie brauchen keine Ausnahme.',
    },
  ],
};
