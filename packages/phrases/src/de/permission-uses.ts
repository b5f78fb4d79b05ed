/** Wofür jede Berechtigung da ist und was ohne sie fehlt. */
export const permissionUses = {
  'User.Read.All': 'Findet Personen mit Postfach und OneDrive. Ohne sie lässt sich nichts sichern.',
  'GroupMember.Read.All':
    'Findet Gruppen und ihre Mitglieder. Ohne sie können Aufträge keine Gruppen abdecken, und Teams werden nicht gefunden.',
  'Organization.Read.All': 'Liest Namen und Domänen der Organisation. Ohne sie zeigt die Verbindung nur IDs.',
  'Mail.Read': 'Liest E-Mails. Ohne sie werden Postfächer nicht gesichert.',
  'Mail.ReadWrite': 'Liest E-Mails und schreibt sie zurück. Ohne sie lässt sich keine E-Mail wiederherstellen.',
  'MailboxSettings.Read': 'Liest Regeln, Kategorien und Einstellungen der Postfächer. Ohne sie fehlen diese in der Sicherung.',
  'MailboxSettings.ReadWrite':
    'Liest Regeln, Kategorien und Einstellungen der Postfächer und schreibt sie zurück. Ohne sie bleiben diese, wie sie sind.',
  'Calendars.Read': 'Liest Kalender. Ohne sie werden sie nicht gesichert.',
  'Calendars.ReadWrite': 'Liest Kalender und schreibt Termine zurück. Ohne sie lässt sich kein Termin wiederherstellen.',
  'Contacts.Read': 'Liest Kontakte. Ohne sie werden sie nicht gesichert.',
  'Contacts.ReadWrite': 'Liest Kontakte und schreibt sie zurück. Ohne sie lässt sich kein Kontakt wiederherstellen.',
  'Tasks.Read.All': 'Liest Aufgaben. Ohne sie werden sie nicht gesichert.',
  'Tasks.ReadWrite.All': 'Liest Aufgaben und schreibt sie zurück. Ohne sie lässt sich keine Aufgabe wiederherstellen.',
  'Files.Read.All': 'Liest Dateien in OneDrive, Websites und Teams. Ohne sie wird keine Datei gesichert.',
  'Files.ReadWrite.All': 'Liest Dateien und schreibt sie zurück. Ohne sie lässt sich keine Datei wiederherstellen.',
  'Sites.Read.All': 'Liest Websites, Listen und Seiten. Ohne sie wird SharePoint nicht gesichert.',
  'Sites.Manage.All':
    'Liest Websites und schreibt Listen und Seiten zurück. Ohne sie lassen sich weder Listen noch Seiten wiederherstellen.',
  'Team.Create': 'Legt ein gelöschtes Team neu an. Ohne sie lässt sich nur in vorhandene Teams wiederherstellen.',
  'TeamSettings.Read.All': 'Liest die Einstellungen der Teams. Ohne sie werden Teams nicht gesichert.',
  'TeamSettings.ReadWrite.All':
    'Liest die Einstellungen der Teams und schreibt sie zurück. Ohne sie behält ein wiederhergestelltes Team die Vorgaben von Microsoft.',
  'Channel.Create': 'Legt Kanäle an. Ohne sie lässt sich kein Kanal wiederherstellen.',
  'ChannelSettings.Read.All': 'Liest Kanäle und ihre Einstellungen. Ohne sie werden Kanäle nicht gesichert.',
  'ChannelMember.Read.All': 'Liest, wer zu privaten Kanälen gehört. Ohne sie fehlen deren Mitglieder in der Sicherung.',
  'ChannelMember.ReadWrite.All':
    'Liest die Mitglieder privater Kanäle und nimmt sie wieder auf. Ohne sie hat ein wiederhergestellter Kanal nur seinen Besitzer.',
  'ChannelMessage.Read.All': 'Liest die Beiträge der Kanäle. Ohne sie wird keine Unterhaltung gesichert.',
  'TeamMember.Read.All': 'Liest die Mitglieder der Teams. Ohne sie fehlen diese in der Sicherung.',
  'TeamMember.ReadWrite.All':
    'Liest die Mitglieder der Teams und nimmt sie wieder auf. Ohne sie hat ein wiederhergestelltes Team nur seinen Besitzer.',
  'TeamsTab.Read.All': 'Liest die Registerkarten der Kanäle. Ohne sie fehlen diese in der Sicherung.',
  'TeamsTab.ReadWrite.All': 'Liest die Registerkarten der Kanäle und legt sie wieder an. Ohne sie müssen sie von Hand angelegt werden.',
  'TeamsAppInstallation.ReadForTeam.All': 'Liest, welche Apps ein Team verwendet. Ohne sie fehlen diese in der Sicherung.',
  'Teamwork.Migrate.All':
    'Schreibt Beiträge mit Verfasser und Zeit zurück. Ohne sie lässt sich keine Unterhaltung eines Kanals wiederherstellen.',
  'Chat.Read.All': 'Liest Chats. Ohne sie werden sie nicht gesichert.',
  'Chat.Create': 'Legt einen Chat an, in den wiederhergestellt wird. Ohne sie lässt sich kein Chat wiederherstellen.',
} as const;
