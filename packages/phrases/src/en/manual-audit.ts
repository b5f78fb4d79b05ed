import type { Article } from '../catalogue/manual.ts';

/** How an auditor from outside reads what an audit is about, and nothing else. */
export const auditors: Article = {
  group: 'safety',
  title: 'Give an auditor access',
  question: 'How do I show a tax auditor exactly what the audit is about?',
  blocks: [
    {
      kind: 'text',
      text: 'An auditor access is a list that is frozen of a case or a saved search. One auditor searches, reads and prints what is on it, for a limited time. What arrives later is not on it.',
    },
    {
      kind: 'steps',
      items: [
        'Under Users, invite the auditor with the role Auditor.',
        'Save a search that finds what the audit is about, or open a case for it.',
        'Open Proxy rights and choose “Grant auditor access”. Choose the auditor, the saved search or the case, and the time.',
        'The auditor signs in, opens Audit, gives a reason and reads.',
      ],
    },
    {
      kind: 'list',
      items: [
        'The auditor can download the list as CSV and attachments of mails, each with an entry in the log, but no originals, files or exports. Hand those out as an export.',
        'Private messages and content of exempt people are never shown.',
        'You can end an access at any time; what is open then closes at once.',
        'Open an access to see its log: what the auditor searched for, opened and listed, and why.',
      ],
    },
  ],
};
