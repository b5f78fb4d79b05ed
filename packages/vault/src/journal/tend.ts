import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { unlessLost, type Chain } from './chain.ts';
import type { JournalContext } from './context.ts';
import { copySegment, type Outcome } from './copy-segment.ts';
import type { LostSegment } from './journal.ts';
import { listSequences, type SequenceEntry } from './segment-names.ts';

const SEGMENTS_AT_ONCE = 4;

interface Place {
  readonly resourceId: string;
  readonly folder: string;
  readonly chain: Chain;
}

/** Makes sure that every segment of an entry has a copy; says what is lost where the one that counts can't be read. */
async function tendEntry(context: JournalContext, place: Place, entries: readonly SequenceEntry[], at: number): Promise<Outcome> {
  const { candidates, copied, restated } = entries[at] as SequenceEntry;
  if (restated !== undefined) return {};
  if (candidates.length === 0) return { problem: 'It is missing; its marker is there.' };
  const bare = candidates.filter((name) => !copied.has(name));
  if (bare.length === 0) return {};
  const problems = new Map<string, string>();
  for (const name of bare) {
    const { problem } = await copySegment(context, name);
    if (problem !== undefined) problems.set(name, problem);
  }
  const found = await unlessLost(() => place.chain.winner(entries, at));
  if ('problem' in found) return found;
  const problem = found.value && problems.get(found.value.name);
  return problem === undefined ? {} : { problem };
}

/** See `Journal.tend`. */
export async function tendJournal(context: JournalContext, place: Place): Promise<LostSegment[]> {
  const { resourceId, folder } = place;
  const entries = await listSequences(context.store, folder, 1, 'always');
  const known = new Set(entries.map(({ sequence }) => sequence));
  const last = entries.at(-1)?.sequence ?? 0;
  const lost: LostSegment[] = [];
  for (let sequence = 1; sequence <= last; sequence += 1) {
    if (!known.has(sequence)) lost.push({ resourceId, sequence, problem: 'It is missing: the sequence has a gap.' });
  }
  const positions = Array.from(entries.keys());
  const tended = mapConcurrent(positions, SEGMENTS_AT_ONCE, async (at) => ({ at, ...(await tendEntry(context, place, entries, at)) }));
  for await (const { at, problem } of tended) {
    const sequence = entries[at]?.sequence ?? 0;
    if (problem !== undefined) lost.push({ resourceId, sequence, problem });
  }
  const { lost: atEnd } = await place.chain.end();
  for (const sequence of atEnd) {
    if (lost.some((one) => one.sequence === sequence)) continue;
    lost.push({ resourceId, sequence, problem: 'It can not be read, nor can its copy.' });
  }
  return lost.toSorted((a, b) => a.sequence - b.sequence);
}
