import type { Article } from '../catalogue/manual.ts';

/** How somebody's request for erasure is carried out and answered. */
export const erasure: Article = {
  group: 'safety',
  title: 'Erase everything of a person',
  question: 'Somebody asks us to erase their data. How do I do that, and what do I answer?',
  blocks: [
    {
      kind: 'text',
      text: 'An erasure takes the mailbox of a person, its archive and their OneDrive out of every restore point. It does not change Microsoft 365: delete the data there first, and take the person out of the jobs.',
    },
    {
      kind: 'steps',
      items: [
        'Open the person under People & sites and choose Erase everything. As the reason, enter your reference for the request.',
        'Read the preview: what goes, by place, and what a legal hold or a retention policy keeps, until when.',
        'At the end of the preview is where else the person is mentioned. Choose what has to go, then Erase too: holds and retention policies keep theirs here as well.',
        'Request approval. Another owner or administrator approves it; after 24 hours in which anybody entitled can stop it, it runs.',
        'When it has finished, choose Download letter and send the letter to the person. The certificate is for your own files.',
      ],
    },
    {
      kind: 'list',
      items: [
        'What was erased stays erased: backups, archive jobs, journaling and imports leave it out and count it.',
        'What is kept can be erased later: when the hold is released or the period is over, draft the erasure again.',
        'What the person receives or saves after the draft is new, and is backed up while a job covers them.',
        'Folders keep their names. The sealed journal of the vault keeps the names of messages and files until the backup is removed as a whole.',
      ],
    },
  ],
};
