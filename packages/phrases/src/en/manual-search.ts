import type { Article } from '../catalogue/manual.ts';

/** How something is found by its words. */
export const search: Article = {
  group: 'restore',
  title: 'Find something by its words',
  question: 'How do I find a message or a file when I do not know where it was?',
  blocks: [
    {
      kind: 'steps',
      items: [
        'Press Ctrl+K anywhere, type the words you remember and choose Search all content. You can also open Search in the menu.',
        'Enter the reason for the search. It is written to the audit log together with the search, and you are asked again after an hour.',
        'Read the hits: the line below each title shows the words you searched for and where they are, such as page 3 of an attachment. Press J for the next hit and K for the previous one.',
        'Narrow the result with the values next to it, or drag over the months.',
        'Choose Restore in the reading pane. To restore several hits, select them with X or take all of them.',
      ],
    },
    {
      kind: 'table',
      head: ['Type', 'To find'],
      rows: [
        ['"change of control"', 'this phrase, in a message or in one of its attachments'],
        ['from:anna received:2024', 'mail from Anna in 2024'],
        ['attachmenttext:boiler', 'mail with this word in an attachment'],
        ['deleted:true mailbox:anna', 'what Microsoft 365 no longer has of a mailbox'],
        ['sensitive:iban', 'items with bank account numbers whose check digits are right'],
        ['*vertrag', 'words that end like this'],
      ],
    },
    {
      kind: 'note',
      text: 'Each result says how many items were searched. Documents that are encrypted, damaged or in an unknown format are found by name, and counted. Messages that only the archive still has are found as well. Pictures and scanned documents are counted too: their words are found once text recognition has read them, if your organisation uses it.',
    },
  ],
};
