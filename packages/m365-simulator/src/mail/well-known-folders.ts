import type { Language } from '../state/directory.ts';

/** A folder that every mailbox has. Its number never changes; ids of folders are made from it. */
export interface WellKnownFolder {
  readonly number: number;
  readonly name: string;
  readonly parent: number;
  readonly isHidden: boolean;
  readonly displayNames: Readonly<Record<Language, string>>;
  /** Share of the messages of the mailbox. */
  readonly share: number;
}

export const ROOT = 0;
export const INBOX = 1;
export const DRAFTS = 2;
export const SENT = 3;
export const DELETED = 4;
export const RECOVERABLE_ROOT = 20;
export const DELETIONS = 21;
export const PURGES = 22;

function folder(
  number: number,
  name: string,
  en: string,
  rest: { readonly de: string; readonly share?: number; readonly parent?: number; readonly isHidden?: boolean },
): WellKnownFolder {
  return {
    number,
    name,
    parent: rest.parent ?? ROOT,
    isHidden: rest.isHidden ?? false,
    displayNames: { en, de: rest.de },
    share: rest.share ?? 0,
  };
}

/** In the order in which lists show them. */
export const wellKnownFolders: readonly WellKnownFolder[] = [
  folder(ROOT, 'msgfolderroot', 'Top of Information Store', { de: 'Oberste Ebene des Informationsspeichers', parent: -1 }),
  folder(INBOX, 'inbox', 'Inbox', { de: 'Posteingang', share: 0.44 }),
  folder(DRAFTS, 'drafts', 'Drafts', { de: 'Entwürfe', share: 0.01 }),
  folder(SENT, 'sentitems', 'Sent Items', { de: 'Gesendete Elemente', share: 0.24 }),
  folder(DELETED, 'deleteditems', 'Deleted Items', { de: 'Gelöschte Elemente', share: 0.05 }),
  folder(5, 'archive', 'Archive', { de: 'Archiv', share: 0.1 }),
  folder(6, 'junkemail', 'Junk Email', { de: 'Junk-E-Mail', share: 0.02 }),
  folder(7, 'outbox', 'Outbox', { de: 'Postausgang' }),
  folder(8, 'conversationhistory', 'Conversation History', { de: 'Aufgezeichnete Unterhaltungen' }),
  folder(9, 'teamsmessagesdata', 'TeamsMessagesData', { de: 'TeamsMessagesData', isHidden: true }),
  folder(10, 'syncissues', 'Sync Issues', { de: 'Synchronisierungsprobleme', isHidden: true }),
  folder(11, 'conflicts', 'Conflicts', { de: 'Konflikte', parent: 10, isHidden: true }),
  folder(12, 'localfailures', 'Local Failures', { de: 'Lokale Fehler', parent: 10, isHidden: true }),
  folder(13, 'serverfailures', 'Server Failures', { de: 'Serverfehler', parent: 10, isHidden: true }),
  folder(14, 'searchfolders', 'Finder', { de: 'Finder', parent: -1, isHidden: true }),
  folder(RECOVERABLE_ROOT, 'recoverableitemsroot', 'Recoverable Items', { de: 'Wiederherstellbare Elemente', parent: -1, isHidden: true }),
  folder(DELETIONS, 'recoverableitemsdeletions', 'Deletions', { de: 'Löschungen', parent: RECOVERABLE_ROOT, isHidden: true }),
  folder(PURGES, 'recoverableitemspurges', 'Purges', { de: 'Endgültig gelöscht', parent: RECOVERABLE_ROOT, isHidden: true }),
];

/** Folders that people make for themselves, below the inbox or the root. */
export const personalFolders: readonly {
  readonly names: Readonly<Record<Language, string>>;
  readonly parent: number;
  readonly share: number;
}[] = [
  { names: { en: 'Customers', de: 'Kunden' }, parent: INBOX, share: 0.05 },
  { names: { en: 'Projects', de: 'Projekte' }, parent: ROOT, share: 0.05 },
  { names: { en: 'Travel 2024/2025', de: 'Reisen 2024/2025' }, parent: 31, share: 0.02 },
  { names: { en: 'Newsletter', de: 'Rundschreiben' }, parent: INBOX, share: 0.02 },
];

/** The number of the first personal folder. */
export const FIRST_PERSONAL = 30;
/** Folders made later are numbered from here. */
export const FIRST_CREATED = 100;
