import type { Article } from '../catalogue/manual.ts';

/** How something is found by its words. */
export const search: Article = {
  group: 'restore',
  title: 'Etwas über seine Wörter finden',
  question: 'Wie finde ich eine Nachricht oder Datei, deren Ort ich nicht kenne?',
  blocks: [
    {
      kind: 'steps',
      items: [
        'Drücken Sie an beliebiger Stelle Strg+K, geben Sie die Wörter ein, an die Sie sich erinnern, und wählen Sie die Suche in allen Inhalten. Sie können auch im Menü die Suche öffnen.',
        'Geben Sie den Grund der Suche an. Er wird mit der Suche im Überwachungsprotokoll gespeichert; nach einer Stunde werden Sie erneut gefragt.',
        'Lesen Sie die Treffer: Unter jedem Titel stehen die gesuchten Wörter und ihre Stelle, etwa Seite 3 eines Anhangs. J führt zum nächsten Treffer, K zum vorherigen.',
        'Grenzen Sie das Ergebnis mit den Werten daneben ein, oder ziehen Sie über die Monate.',
        'Wählen Sie im Lesebereich „Wiederherstellen“. Mehrere Treffer wählen Sie mit X aus, oder Sie nehmen alle. „Treffer unter Legal Hold stellen“ bewahrt alles auf, was die Suche jetzt und künftig findet.',
      ],
    },
    {
      kind: 'table',
      head: ['Eingabe', 'Findet'],
      rows: [
        ['"change of control"', 'diese Wortfolge in einer Nachricht oder einem ihrer Anhänge'],
        ['from:anna received:2024', 'E-Mails von Anna aus dem Jahr 2024'],
        ['attachmenttext:kessel', 'E-Mails mit diesem Wort in einem Anhang'],
        ['deleted:true mailbox:anna', 'was Microsoft 365 von einem Postfach nicht mehr hat'],
        ['path:"Posteingang/Angebote" isread:false', 'ungelesene E-Mails in diesem Ordner und seinen Unterordnern'],
        ['sent:2024-05 importance:high', 'wichtige E-Mails und Beiträge, die im Mai 2024 gesendet wurden'],
        [
          'messageid:7c3e@fabrikam.com',
          'die Nachricht mit dieser ID; inreplyto findet die Antworten darauf, conversation die ganze Unterhaltung',
        ],
        ['attachmenthash:9f86d081…0a08', 'alles, was genau diese Datei enthält, unter beliebigem Namen (SHA-256)'],
        ['signed:true encrypted:false', 'E-Mails, die mit S/MIME oder PGP signiert und nicht verschlüsselt sind'],
        ['archived:2024 journaled:true', 'Nachrichten, die das Archiv 2024 aus einem Journal übernommen hat'],
        ['private:true', 'Nachrichten Ihres eigenen Postfachs, die Sie als privat markiert haben'],
        ['id:… oder folderid:…', 'Elemente mit dieser ID in Microsoft 365 oder in dem Ordner mit dieser ID'],
        ['link:angebot.docx', 'Elemente, deren Text auf diese Datei verweist'],
        ['header.list-id:news', 'E-Mails mit dieser Kopfzeile'],
        ['label:"Streng vertraulich"', 'Nachrichten und Dateien mit dieser Vertraulichkeitsbezeichnung, nach Name oder GUID'],
        ['language:de received:2024', 'Texte aus dem Jahr 2024, die nach ihren Wörtern deutsch sind'],
        ['matchedin:attachmenttext rechnung', 'das Wort in einem Anhang und nirgends sonst'],
        ['hold:true policy:briefe', 'was unter Legal Hold steht und was diese Aufbewahrungsrichtlinie schützt, soweit Sie es sehen dürfen'],
        ['case:falcon tag:dringend note:anruf', 'was zu einem Fall gehört, an dem Sie arbeiten, nach Tags und Notizen der Prüfer'],
        ['sensitive:iban', 'Elemente mit Bankverbindungen, deren Prüfziffern stimmen'],
        ['*vertrag', 'Wörter, die so enden'],
      ],
    },
    {
      kind: 'note',
      text: 'Jedes Ergebnis nennt, wie viele Elemente durchsucht wurden. Verschlüsselte, beschädigte oder unbekannte Dokumente werden über ihren Namen gefunden und gezählt. Auch Nachrichten, die nur noch das Archiv hat, werden gefunden. Bilder und gescannte Dokumente werden ebenfalls gezählt: Ihre Wörter werden gefunden, sobald die Texterkennung sie gelesen hat, sofern Ihre Organisation sie nutzt.',
    },
  ],
};
