import type { Article } from '../catalogue/manual.ts';

/** How hits of a case are read, decided and handed over. */
export const reviewSets: Article = {
  group: 'safety',
  title: 'Review the hits of a case',
  question: 'How do several people read what a case finds, and how do I hand over what is relevant?',
  blocks: [
    {
      kind: 'text',
      text: 'A review set freezes hits of a case into a list. Reviewers read it item by item and decide: relevant, not relevant or privileged. Mail that arrives later does not change the list.',
    },
    {
      kind: 'steps',
      items: [
        'Open the case, choose Review, then Create review set. Take the hits of all queries or of one. To read only part of them, draw a sample.',
        'Open the set and press J. The next item opens beside the list, with the case as the reason in the access log.',
        'Press 1 for relevant, 2 for not relevant, 3 for privileged, or 0 to take a decision back. Each decision leads to the next item; K goes back.',
        'Choose an export above the list. Relevant items are exported without privileged ones. The index of the export has the decision, tags and notes of each item. An export of a query of the case has the tags and notes of all its sets.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Copies with the same content are read once. The decision applies to all of them.',
        'Tags say what an item is about; keys 4 to 9 set the first six. Of the tags of a group an item has one at most. Notes are for whoever works on the case; the audit log only says that there are some.',
        'A message of a chat is shown with the 12 hours before and after it, a message of a channel with its whole thread, as far as the case reaches. The hit is marked, and each end at which messages may be missing says so. An export of the case has the same transcript beside the message.',
        'With “Find threads”, Holdfast finds out which mails another one quotes in full, with every attachment. You can hide them; they stay in the list. What could not be compared is never hidden.',
        'If somebody else decided about an item in the meantime, your decision is refused and the list is read again.',
        'A sample with the same seed has the same items as long as the hits are the same. When all of it is decided, the set shows how much of the whole is relevant, with a 95 percent interval.',
        'To find out what a review missed, create a set from what is still unreviewed in another one, as a sample.',
        'If a custodian is removed or the period changes, items outside the case can no longer be read. Their decisions are kept.',
      ],
    },
  ],
};
