import type { Article } from '../catalogue/manual.ts';

/** How messages of the archive and files are kept for the time that a law asks for. */
export const retentionPolicies: Article = {
  group: 'safety',
  title: 'Keep archived messages and files for a minimum time',
  question: 'How do I make sure that archived messages and files are kept as long as the law requires?',
  blocks: [
    {
      kind: 'text',
      text: 'A retention policy keeps the messages of the archive for a number of days, months or years. While it does, no deletion takes their restore points, and neither their location nor their tenant can be removed. A policy deletes nothing when its period ends: archives keep every message.',
    },
    {
      kind: 'steps',
      items: [
        'Open Configuration, Retention policies and choose New policy. Start from a template or enter the period yourself.',
        'Choose what the period counts from: receipt, archiving, an event or labelling, on that day or from the end of the year.',
        'Save the draft and choose Preview. It counts what the policy keeps, by year and mailbox, and until when.',
        'Choose Ask for activation within a day. Another owner or administrator approves it under Approvals, on the same day.',
      ],
    },
    {
      kind: 'list',
      items: [
        'Of several policies the longest wins, and a legal hold wins over all of them.',
        'A policy in force is never changed. Choose Replace to draft another one; its preview counts the messages that would be kept for a shorter time. Ending a policy takes a reason and a second person.',
        'For sites, folders and files choose them under Compliance, Files, then Retention: add them to a policy or create one. Each version counts from its last change. A file that was deleted in Microsoft 365 stays in the backup until its period ends.',
        'A policy with a maximum can ask reviewers before it deletes, in up to three stages. What waits for you is under Deletion jobs, Reviews: delete, keep longer or bring under another policy, with a reason. Nothing goes before the last stage has said so, and nobody decides about a message twice.',
        'Periods end in the time zone of your organisation. The date that a sender claims does not count.',
        'A policy that waits for an event keeps without end. Record the event (somebody left the company, a contract ended, a matter was closed) for the mailbox, or under Compliance, Files for the site, folder or file, and its period begins.',
        'A policy can follow the directory: choose People by directory attributes, and enter departments, offices, countries, companies or extension attributes. Whoever it has covered once stays kept when they change or leave; it deletes only from people whom the directory still lists with these values.',
        'A policy can follow a saved search: choose Hits of a saved search, then the search and whether it is about messages or files. What was found once stays kept, and so does what is not indexed yet or cannot be read. After somebody changes the query, the policy deletes nothing until you replace it.',
        'A policy can follow sensitivity labels: choose Items with certain sensitivity labels, then labels that mail and files carry. Its period can count from the day of labelling. What carried the label once stays kept; what is not read yet, needs a password or cannot be read is kept too, and never deleted.',
        'People who seem to have left shows accounts that the directory has deleted or disabled. A deleted account starts its period automatically after 30 days, from the day that the directory names. For a disabled account it names none: open the entry and record the day that you know.',
      ],
    },
    { kind: 'note', text: 'The templates follow common German periods. They are no legal advice.' },
  ],
};
