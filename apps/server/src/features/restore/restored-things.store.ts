import type { Tx } from '@holdfast/database';
import { isContainer, type Written } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';

/** Adds what was written to what is noted of a run. A thing keeps its number, and what it replaced first. */
export async function noteThings(
  tx: Tx,
  { runId, part }: { readonly runId: string; readonly part: string },
  things: readonly Written[],
): Promise<void> {
  // Two notes of one key in one statement would meet themselves.
  const latest = new Map(
    things.map((thing) => [thing.key, { ...thing, replaced: things.find(({ key, replaced }) => key === thing.key && replaced)?.replaced }]),
  );
  if (latest.size === 0) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('lines ' || ${runId}, 0))`.execute(tx);
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(thing_number), 0)::bigint as last from restored_things where run_id = ${runId} and part = ${part}`.execute(tx);
  const last = rows[0]?.last ?? 0;
  await tx
    .insertInto('restored_things')
    .values(
      [...latest.values()].map(({ key, kind, name, home, targetId, place, mark, replaced }, index) => ({
        run_id: runId,
        part,
        item_key: key,
        thing_number: last + index + 1,
        kind,
        name: storableText(name).slice(0, 4_000),
        is_container: isContainer(kind),
        home_kind: home.kind,
        home_graph_id: home.graphId,
        home_name: storableText(home.name),
        target_id: targetId,
        place,
        mark,
        replaced_id: replaced?.id ?? null,
        replaced_mark: replaced?.mark ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['organisation_id', 'realm', 'run_id', 'part', 'item_key']).doUpdateSet({
        target_id: sql<string>`excluded.target_id`,
        place: sql<string>`excluded.place`,
        name: sql<string>`excluded.name`,
        mark: sql<string>`excluded.mark`,
        replaced_id: sql<string | null>`coalesce(restored_things.replaced_id, excluded.replaced_id)`,
        replaced_mark: sql<string | null>`coalesce(restored_things.replaced_mark, excluded.replaced_mark)`,
      }),
    )
    .execute();
}
