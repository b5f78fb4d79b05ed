import { isGraphError, type Body, type GraphClient, type ListItemRef } from '@holdfast/m365';
import type { WritableColumns } from './list-fields.ts';
import type { createRowWriter } from './write-row.ts';

/** A row that is there, with what it says now and what it is to say. */
interface Replacement {
  readonly place: ListItemRef;
  readonly present: Body;
  readonly fields: Body;
  readonly writable: WritableColumns;
}

/** Gives rows that are there their former values. */
export function createRowReplacer(graph: GraphClient, rows: ReturnType<typeof createRowWriter>) {
  /** Empties columns that were filled in later; the names of those that the service leaves as they are. */
  async function clear(place: ListItemRef, names: readonly string[]): Promise<readonly string[]> {
    try {
      const after = await graph.sites.updateFields(place, Object.fromEntries(names.map((name) => [name, null])));
      return names.filter((name) => (after[name] ?? null) !== null);
    } catch (error) {
      if (!isGraphError(error, 'graph.bad-request')) throw error;
      return names;
    }
  }

  return {
    /** Returns what the report says of values that did not come back as they were. */
    async replace({ place, present, fields, writable }: Replacement): Promise<readonly string[]> {
      const { refused } = await rows.write(fields, writable, (taken) => graph.sites.updateFields(place, taken));
      const later = Object.keys(present).filter((name) => !name.includes('@') && !(name in fields));
      if (later.length === 0) return refused;
      const kept = await clear(place, later);
      return [...refused, ...kept.map((name) => `fieldKept ${name.replace(/LookupId$/u, '')}`)];
    },
  };
}
