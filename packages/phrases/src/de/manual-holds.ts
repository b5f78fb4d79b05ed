import type { Article } from '../catalogue/manual.ts';

export const legalHolds: Article = {
  group: 'safety',
  title: 'Daten unter Legal Hold stellen und Verwahrer benachrichtigen',
  question: 'Wie bewahre ich Daten für einen Rechtsstreit auf, und wie weise ich nach, dass alle benachrichtigt wurden?',
  blocks: [
    {
      kind: 'text',
      text: 'Was unter Legal Hold steht, löscht kein Auftrag, keine Person und keine Regel. Eine Person legt einen Hold an; um ihn aufzuheben, sind ein Grund und eine zweite Person nötig. Die Verwahrer (die Personen, um deren Daten es geht) erhalten eine Benachrichtigung, und der Hold zeigt, wer sie wann bestätigt hat.',
    },
    {
      kind: 'steps',
      items: [
        'Öffnen Sie das Postfach, OneDrive, die Website oder das Team oder eine gespeicherte Suche, und stellen Sie es unter Legal Hold. Für mehrere Personen zugleich eröffnen Sie einen Fall, fügen die Verwahrer hinzu und legen dort die Holds an.',
        'Öffnen Sie den Hold unter Konfiguration, Legal Holds, oder im Fall, und wählen Sie Benachrichtigung senden. Verwahrer, die noch nicht benachrichtigt wurden, sind eingetragen; weitere Adressen können Sie ergänzen.',
        'Schreiben Sie, was die Empfänger aufbewahren müssen. Sie lesen genau diesen Text; Name und Grund des Legal Hold stehen nicht in der E-Mail.',
        'Wählen Sie, nach wie vielen Tagen erinnert wird, wer nicht bestätigt hat. Es gibt höchstens fünf Erinnerungen.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Eine E-Mail gilt als gesendet, sobald Ihr Mailserver sie angenommen hat, und nicht früher.',
        'Die Empfänger bestätigen über den Link in ihrer E-Mail, ohne Konto. Der Link öffnet diese Benachrichtigung und sonst nichts. Er läuft nach 90 Tagen oder mit der Aufhebung des Holds ab; jede Erinnerung bringt einen neuen.',
        'Die Holds eines Falls sind eine Angelegenheit: Ihre Benachrichtigungen werden bei jedem von ihnen angezeigt, und jede Antwort steht im Protokoll des Falls und im Überwachungsprotokoll.',
        'Wer die E-Mail hat, hat den Link: Eine Bestätigung zeigt, dass der Link benutzt wurde, nicht, wer am Bildschirm saß.',
      ],
    },
  ],
};
