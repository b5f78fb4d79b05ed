import type { Article } from '../catalogue/manual.ts';

/** How data is kept for a dispute, and how the people concerned are told. */
export const legalHolds: Article = {
  group: 'safety',
  title: 'Put data on legal hold and notify custodians',
  question: 'How do I keep data for a dispute, and how do I show that everybody was told?',
  blocks: [
    {
      kind: 'text',
      text: 'Data on hold cannot be deleted by any job, user or rule. One person places a hold; releasing it takes a reason and a second person. A notice tells custodians (the people whose data it is), and the hold shows who has acknowledged it and when.',
    },
    {
      kind: 'steps',
      items: [
        'Open the mailbox, OneDrive, site or team, or a saved search, and put it on hold. For several people at once open a case, add its custodians and place its holds.',
        'Open the hold under Configuration, Legal holds, or in the case, and choose Send a notice. Custodians who have not been notified yet are filled in; you can add other addresses.',
        'Write what the recipients must keep. They read exactly this text; the name and the reason of the hold are not part of the mail.',
        'Choose after how many days whoever has not acknowledged is reminded. There are at most five reminders.',
      ],
    },
    {
      kind: 'list',
      items: [
        'A mail is shown as sent when your mail server has accepted it, and not before.',
        'Recipients acknowledge by the link in their mail, without an account. The link opens that notice and nothing else. It expires after 90 days or when the hold is released; each reminder brings a new one.',
        'The holds of a case are one matter: their notices are shown on each of them, and each answer is in the log of the case and in the audit log.',
        'Whoever has the mail has the link: an acknowledgement shows that the link was used, not who was at the screen.',
      ],
    },
  ],
};
