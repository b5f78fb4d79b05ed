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
        'Choose Restore in the reading pane. To restore several hits, select them with X or take all of them. Put hits on hold keeps everything that the search finds, now and later.',
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
        ['path:"Inbox/Offers" isread:false', 'unread mail in this folder and in those below it'],
        ['sent:2024-05 importance:high', 'important mail and posts that were sent in May 2024'],
        ['messageid:7c3e@fabrikam.com', 'the message with this ID; inreplyto finds the replies to it, conversation all of its thread'],
        ['attachmenthash:9f86d081…0a08', 'everything that carries this very file, under any name (SHA-256)'],
        ['signed:true encrypted:false', 'mail that is signed with S/MIME or PGP and not encrypted'],
        ['archived:2024 journaled:true', 'messages that the archive took in from a journal in 2024'],
        ['private:true', 'messages of your own mailbox that you have marked as private'],
        ['id:… or folderid:…', 'what has this ID in Microsoft 365, or is in the folder with this ID'],
        ['link:offer.docx', 'items whose text links to this file'],
        ['header.list-id:news', 'mail by this line of its header'],
        ['label:"Highly confidential"', 'mail and files with this sensitivity label, by its name or its GUID'],
        ['language:de received:2024', 'texts of 2024 that are in German, as far as their words tell'],
        ['matchedin:attachmenttext invoice', 'the word in what is attached, and nowhere else'],
        ['hold:true policy:letters', 'what is on legal hold, and what this retention policy is on, as far as you may see it'],
        ['case:falcon tag:urgent note:call', 'what belongs to a case that you work on, by the tags and notes of its reviewers'],
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
