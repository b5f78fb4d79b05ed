import type { Article } from '../catalogue/manual.ts';

/** How to see that nothing is missing in the archive. */
export const completeArchive: Article = {
  group: 'daily',
  title: 'Check that the archive is complete',
  question: 'How do I know that the archive has every message?',
  blocks: [
    {
      kind: 'text',
      text: 'Once a day, Holdfast compares each archive with the backups of its mailbox, message by message. Open Archive, Mailboxes and choose a mailbox: under Completeness you see each day on which messages were received, how many the backups have and how many the archive has.',
    },
    {
      kind: 'table',
      head: ['Figure', 'What it means', 'What to do'],
      rows: [
        [
          'Missing',
          'The archive job has passed the message, and the archive does not have it.',
          'Run the archive job: it takes the message in.',
        ],
        ['For next run', 'The message came after the last run of the archive job.', 'Nothing. If the figure only grows, look at the job.'],
        [
          'Without original',
          'The backup has parts of the message alone, not its exact bytes.',
          'Look at the errors of the backup job. The message remains in the backup.',
        ],
        ['Erased', 'The message was in the archive and was erased by two people.', 'Nothing. It stays erased.'],
      ],
    },
    {
      kind: 'text',
      text: 'The archive can have more messages than the backups: an archive keeps what the retention of a backup has deleted, and what came by journaling or from imported files. Folders that the job leaves out, and exempt people, are not compared.',
    },
    {
      kind: 'note',
      text: 'If something is missing, owners and administrators get a mail, and the audit log records it. After a change, choose Compare now instead of waiting for the next day.',
    },
  ],
};
