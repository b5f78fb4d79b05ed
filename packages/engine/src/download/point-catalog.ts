import { rm } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { AppError } from '@holdfast/foundation/errors';
import type { Journal, LostSegment } from '@holdfast/vault';
import { fromJournal } from '../pipeline/journal-entry.ts';
import type { CatalogReader, ItemsQuery, RestorePoint } from '../ports/catalog.ts';
import type { ItemVersion } from '../ports/item.ts';

/** One restore point of one resource, read out of its journal where no catalog is left. */
export interface PointCatalog extends CatalogReader {
  readonly point: RestorePoint;
  /** Lost commits that the point depends on: items that they changed are missing or older. */
  readonly lost: readonly number[];
  /** Lost commits after the point, up to the time that was asked for: one of them may have been a newer point. */
  readonly lostLater: readonly number[];
  close(): void;
}

export interface PointCatalogOptions {
  readonly journal: Journal;
  /** A new file for the items of the point: a mailbox of a million messages is not held in memory. */
  readonly file: string;
  /** The newest point that was there at this time, ISO 8601; the newest of all without it. */
  readonly time?: string;
  /** Points that a deletion gave up: their contents may be gone. */
  readonly forgotten: readonly number[];
}

interface Chosen {
  readonly point?: RestorePoint;
  readonly lostLater: readonly number[];
}

const SCHEMA = `
  pragma journal_mode = off;
  pragma synchronous = off;
  create table items (key text primary key, parent_key text, kind text not null, body text not null) strict, without rowid;
`;

/**
 * The point to read. A first backup that was interrupted has made none: what it has committed by then is all that
 * there is, and is read rather than nothing.
 */
async function choosePoint({ journal, time, forgotten }: PointCatalogOptions): Promise<Chosen> {
  let chosen: RestorePoint | undefined;
  let newest: RestorePoint | undefined;
  const lost: number[] = [];
  const onLost = ({ sequence }: LostSegment): void => void lost.push(sequence);
  for await (const { sequence, runId, at, restorePoint } of journal.segments({ onLost })) {
    if (time !== undefined && Date.parse(at) > Date.parse(time)) break;
    if (forgotten.includes(sequence)) continue;
    newest = { sequence, runId, committedAt: at };
    if (restorePoint) chosen = newest;
  }
  const point = chosen ?? newest;
  return { ...(point ? { point } : {}), lostLater: lost.filter((sequence) => sequence > (point?.sequence ?? 0)) };
}

/** Takes the items of a point into the file; answers which lost commits the point depends on. */
async function fill(database: DatabaseSync, journal: Journal, sequence: number): Promise<number[]> {
  const insert = database.prepare('insert into items values (?, ?, ?, ?)');
  const lost: number[] = [];
  const onLost = (one: LostSegment): void => void lost.push(one.sequence);
  database.exec('begin');
  for await (const state of journal.stateAt({ sequence }, { onLost })) {
    const item = fromJournal(state);
    insert.run(item.key, item.parentKey, item.kind, JSON.stringify(item));
  }
  database.exec('commit');
  database.exec('create index children on items (parent_key, key)');
  return lost.toSorted((a, b) => a - b);
}

function conditionsOf({ kinds, parentKey, keys, notProtected }: ItemsQuery): { readonly text: string; readonly values: SQLInputValue[] } {
  const parts = ['true'];
  const values: SQLInputValue[] = [];
  const add = (part: string, value: SQLInputValue): void => {
    parts.push(part);
    values.push(value);
  };
  if (kinds) add('kind in (select value from json_each(?))', JSON.stringify(kinds));
  if (keys) add('key in (select value from json_each(?))', JSON.stringify(keys));
  if (parentKey !== undefined) add('parent_key is ?', parentKey);
  if (notProtected) parts.push("body ->> '$.properties.notProtected' is not null");
  return { text: parts.join(' and '), values };
}

/**
 * Reads the state of a resource at a point into a file, for `walk` and downloads. Reads past lost commits and tells
 * which they are. `restore.no-such-point` when there is none.
 */
export async function openPointCatalog(options: PointCatalogOptions): Promise<PointCatalog> {
  const { journal, file } = options;
  const { point, lostLater } = await choosePoint(options);
  if (!point) {
    const lost = lostLater.map(String);
    throw new AppError('restore.no-such-point', { details: { resource: journal.resourceId, lost } });
  }
  const database = new DatabaseSync(file);
  let lost: readonly number[];
  try {
    database.exec(SCHEMA);
    lost = await fill(database, journal, point.sequence);
  } catch (error) {
    database.close();
    await rm(file, { force: true });
    throw error;
  }
  return {
    point,
    lost,
    lostLater,
    points: async () => [point],
    async *items(_resourceId, _sequence, query = {}) {
      const { text, values } = conditionsOf(query);
      const rows = database.prepare(`select body from items where ${text} order by key`).iterate(...values);
      for (const { body } of rows) yield JSON.parse(String(body)) as ItemVersion;
    },
    close: () => database.close(),
  };
}
