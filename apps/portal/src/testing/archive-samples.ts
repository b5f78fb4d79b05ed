import type { ArchivedMailbox, ArchivedMailboxDetails, ArchiveFigures } from '@holdfast/contract/archive';
import type { ArchivedDay } from '@holdfast/contract/archive-completeness';
import type { ArchivedMessage, OpenedMessage } from '@holdfast/contract/archived-messages';
import { aRun, sampleIds } from './samples.ts';

/** A mailbox with two years of mail in the archive. */
export function anArchivedMailbox(given: Partial<ArchivedMailbox> = {}): ArchivedMailbox {
  return {
    mailboxId: '01900000-0000-7000-8000-0000000000b1',
    sourceId: sampleIds.source,
    locationId: sampleIds.location,
    name: 'Adele Vance',
    email: 'adele@contoso.example',
    size: 52_428_800,
    storedBytes: 1_048_576,
    messages: 1_204,
    attachments: 96,
    oldestAt: '2024-02-01T08:00:00.000Z',
    newestAt: '2026-11-20T08:00:00.000Z',
    lastUsedAt: '2026-11-20T08:00:00.000Z',
    lastCapturedAt: '2026-11-21T02:00:00.000Z',
    isHeld: false,
    coverage: 'complete',
    coverageCode: null,
    missing: 0,
    unmatched: 0,
    comparedAt: '2026-11-21T03:00:00.000Z',
    ...given,
  };
}

export function anArchivedMailboxInDetail(given: Partial<ArchivedMailboxDetails> = {}): ArchivedMailboxDetails {
  return {
    ...anArchivedMailbox(),
    folders: [
      { path: 'Inbox', bytes: 41_943_040, messages: 1_000, attachments: 90 },
      { path: 'Sent Items', bytes: 10_485_760, messages: 204, attachments: 6 },
    ],
    months: [
      { month: '2026-10', bytes: 20_971_520, messages: 600, attachments: 50 },
      { month: '2026-11', bytes: 31_457_280, messages: 604, attachments: 46 },
    ],
    ...given,
  };
}

/** A day of which the archive has everything. */
export function anArchivedDay(given: Partial<ArchivedDay> = {}): ArchivedDay {
  const counts = { inBackups: 41, archived: 41, journaled: 0, notSearchable: 0, missing: 0, waiting: 0, withoutOriginal: 0, erased: 0 };
  const seams = { notJournaled: 0, notCaptured: 0 };
  return { date: '2026-11-20', ...counts, ...seams, ...given };
}

/** Thirty days of an archive that grows a little every day. */
export function anArchive(given: Partial<ArchiveFigures> = {}): ArchiveFigures {
  return {
    mailboxes: 25,
    messages: 380_000,
    attachments: 41_000,
    bytes: 42_949_672_960,
    storedBytes: 1_073_741_824,
    growth: Array.from({ length: 30 }, (_day, at) => ({
      date: new Date(Date.UTC(2026, 9, 23 + at)).toISOString().slice(0, 10),
      messages: 100 + at,
      bytes: 1_048_576 * (at + 1),
    })),
    archived: 3_435,
    failed: 2,
    coverage: { complete: 22, partly: 2, none: 1 },
    held: 3,
    lastRun: aRun({ type: 'archive', jobName: 'Archive every night' }),
    lastSuccessAt: '2026-11-21T02:00:00.000Z',
    lastSweepAt: '2026-11-20T03:00:00.000Z',
    receiverSilentSince: null,
    due: 0,
    top: [
      anArchivedMailbox(),
      anArchivedMailbox({ mailboxId: '01900000-0000-7000-8000-0000000000b2', name: 'Ben Walters', size: 4_194_304 }),
    ],
    ...given,
  };
}

/** A message of Adele's archive as its list shows it. */
export function anArchivedMessage(given: Partial<ArchivedMessage> = {}): ArchivedMessage {
  return {
    messageId: 'a'.repeat(64),
    locationId: sampleIds.location,
    sourceId: sampleIds.source,
    sequence: 4,
    subject: 'The contract',
    from: 'Ben Walters <ben@contoso.example>',
    receivedAt: '2026-11-20T08:00:00.000Z',
    sentAt: '2026-11-20T07:59:00.000Z',
    sizeBytes: 4_096,
    hasAttachments: true,
    folders: ['Inbox', 'Sent Items'],
    ...given,
  };
}

/** The same, opened. */
export function anOpenedMessage(given: Partial<OpenedMessage> = {}): OpenedMessage {
  const { messageId, sizeBytes } = anArchivedMessage();
  return {
    messageId,
    mailbox: { mailboxId: anArchivedMailbox().mailboxId, name: 'Adele Vance', email: 'adele@contoso.example' },
    sizeBytes,
    isVerified: true,
    isReconstructed: false,
    archivedAt: '2026-11-21T02:00:00.000Z',
    headers: [
      { name: 'Received', value: 'from mx.example by mail.example' },
      { name: 'Subject', value: 'The contract' },
    ],
    content: {
      kind: 'message',
      title: 'The contract',
      from: 'Ben Walters <ben@contoso.example>',
      to: ['adele@contoso.example'],
      cc: [],
      at: '2026-11-20T07:59:00.000Z',
      text: 'Please sign.',
      frame: null,
      attachments: [{ index: 0, name: 'prices.csv', mediaType: 'text/csv', sizeBytes: 3 }],
      properties: [],
      versions: [],
      gone: [],
    },
    placements: [{ folder: 'Inbox', providerId: 'AAMk1', capturedAt: '2026-11-21T02:00:00.000Z', isRead: true, isDraft: false }],
    keptUntil: null,
    policies: [],
    deletedBy: [],
    isPrivate: false,
    isOwn: false,
    holds: [{ name: 'Lawsuit', reason: 'Court order', from: null, to: null }],
    ...given,
  };
}
