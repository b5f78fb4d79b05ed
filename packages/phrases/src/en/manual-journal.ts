import type { Article } from '../catalogue/manual.ts';

/** How the mail that Exchange journals comes into the archive. */
export const journalMail: Article = {
  group: 'daily',
  title: 'Archive mail as it is sent',
  question: 'How do I archive messages before anybody can delete them?',
  blocks: [
    {
      kind: 'text',
      text: 'Exchange Online can report every message to Holdfast at the moment it is sent or received. This is called journaling. It needs a worker that Exchange can reach.',
    },
    {
      kind: 'steps',
      items: [
        'Ask whoever runs Holdfast to give a worker a port for journal mail (HOLDFAST_RECEIVER_PORT) and to forward port 25 to it.',
        'Open Archive, Jobs and choose Journal receiver. Choose the location and create the receiver.',
        'Copy the journal address, then follow the steps for the Exchange admin center that are shown below it.',
        'Choose Send a test message. When it is stored, the way from the receiver to the archive works.',
        'Send a message within your organisation. Within a few minutes, Received must rise.',
      ],
    },
    {
      kind: 'note',
      text: 'Whoever knows the journal address can send to it. If it became known, choose New address and enter it in the journal rule.',
    },
    {
      kind: 'table',
      head: ['Figure', 'What it means', 'What to do'],
      rows: [
        ['Without an owner', 'No address of the message belongs to anybody in the directory, now or earlier.', 'Assign it to a mailbox.'],
        ['Broken reports', 'The report could not be read. It is kept as it came.', 'Assign it to a mailbox, or leave it.'],
        ['Exempt', 'Everybody in the message is exempt from archives.', 'Nothing. It is in no archive.'],
        ['No mail since …', 'No message came for an hour of business.', 'Check the journal rule and the connector in Exchange.'],
      ],
    },
  ],
};
