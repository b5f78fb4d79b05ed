/** The letter to somebody whose data was erased. */
export const erasureLetter = {
  title: 'Your request for erasure',
  whole: 'Erased',
  wholeText: 'We erased all {{erased}} messages, files and other items that our backups and archives had of you.',
  partly: 'Partly erased',
  partlyText: 'We erased {{erased}} messages, files and other items. We have to keep {{kept}} for the time being.',
  from: 'From',
  to: 'To',
  reference: 'Reference',
  erasedOn: 'Erased on',
  request: 'About your request',
  greeting:
    'Dear {{name}},\n\nyou asked {{organisation}} to erase your personal data (Article 17 of the General Data Protection Regulation). This letter tells you what we erased from our backups and archives, what we have to keep, why and until when.',
  erased: 'What we erased',
  kept: 'What we have to keep',
  keptText: 'Article 17(3) of the General Data Protection Regulation allows us to keep data that the law or legal claims require.',
  why: 'Reason',
  byHold: 'Needed for the establishment, exercise or defence of legal claims (Article 17(3)(e))',
  byMinimum: 'Required by a retention obligation (Article 17(3)(b)): {{name}}',
  untilReleased: 'Until the legal matter is closed',
  untilEvent: 'Until a period that has not started yet is over',
  items: 'Items',
  limits: 'What else you should know',
  othersErased: 'We also erased {{erased}} messages and files of others that mention you. Others that mention you are still there.',
  others:
    'Messages that you exchanged with others are also in their mailboxes, and their files may mention you. This erasure does not change the mailboxes and files of others.',
  source: 'This letter is about backups and archives. It does not cover data that is in use in Microsoft 365.',
  journals: 'Messages that were journaled remain in the journal as they came.',
  swept: 'Encrypted remains that can no longer be opened are removed when the storage is tidied the next time.',
  names:
    'The encrypted, unchangeable journal of the storage still contains the names of messages, files and folders. It is not searched and is deleted together with the backup.',
  staysErased:
    'What we erased stays erased: backups, archives and imports leave it out if they find it again. We keep a record without names or contents to make sure of that.',
  rights: 'Your rights',
  rightsText:
    'If you think that we should have erased more, write to us. You may also lodge a complaint with a data protection supervisory authority (Article 77) and seek a judicial remedy (Article 79).',
} as const;
