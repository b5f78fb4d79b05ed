/**
 * The order of changes in one resource, as plain data for the store. A delta token is a place in it; nothing is ever
 * taken out, so that a token of any age can be answered until a test expires it.
 */
export interface ChangeLog {
  readonly ids: string[];
  /** Last place of each id. */
  readonly last: Map<string, number>;
}

export function createChangeLog(): ChangeLog {
  return { ids: [], last: new Map() };
}

/** Notes that the item `id` was created, changed or removed. Returns its place. */
export function noteChange(log: ChangeLog, id: string): number {
  const place = log.ids.length;
  log.ids.push(id);
  log.last.set(id, place);
  return place;
}

/** One change of an owner (mailbox, drive, team) for the ground truth: what the item was before. */
export interface JournalEntry<Item> {
  readonly id: string;
  readonly atMs: number;
  /** `undefined`: it did not exist; `null`: it was as generated; else the record, never changed afterwards. */
  readonly before: Item | null | undefined;
}

/** All changes of an owner in one total order. Change number n is the state after the first n entries. */
export type Journal<Item> = JournalEntry<Item>[];

/**
 * What each item was after change `at`, for those that changed later: unwinds the journal. Items that are not in the
 * result are as they are now.
 */
export function unwind<Item>(journal: Journal<Item>, at: number): Map<string, Item | null | undefined> {
  const then = new Map<string, Item | null | undefined>();
  for (let index = journal.length - 1; index >= at; index -= 1) {
    const entry = journal[index];
    if (entry) then.set(entry.id, entry.before);
  }
  return then;
}
