import { crashPoint } from '@holdfast/foundation/crash-point';
import type { ContentRef } from '../chunk/content-ref.ts';
import { unlessLost } from './chain.ts';
import type { JournalContext } from './context.ts';
import { COPIED_LINES_BYTES, encodeCopy } from './copies.ts';
import { copyName } from './segment-names.ts';
import { decodeSegment, type SegmentBody } from './segment.ts';

/** Nothing where it went well, otherwise the reason why something is lost. */
export type Outcome = { readonly problem?: string };

/** The lines of changes that are stored outside their segment; nothing where they are too long for a copy. */
async function linesOf(context: Pick<JournalContext, 'reader'>, { changes }: SegmentBody): Promise<Buffer | undefined> {
  if (Array.isArray(changes)) return undefined;
  const content = changes as ContentRef;
  return content.sizeBytes > COPIED_LINES_BYTES ? undefined : context.reader.readAll(content, COPIED_LINES_BYTES);
}

/** Writes the copy of a segment from its own object and its changes. A segment whose changes are lost gets none. */
export async function copySegment(
  context: Pick<JournalContext, 'store' | 'keys' | 'reader' | 'lockForNow'>,
  name: string,
): Promise<Outcome> {
  const { store, keys } = context;
  const opened = await unlessLost(async () => {
    const data = await store.get(name);
    return { data, lines: await linesOf(context, decodeSegment(keys, name, data).body) };
  });
  if ('problem' in opened) return opened;
  const { data, lines } = opened.value;
  const lock = context.lockForNow();
  await crashPoint('vault.tend.before-copy');
  await store.put(copyName(name), [encodeCopy(keys, name, data, lines)], lock ? { lock } : {});
  await crashPoint('vault.tend.after-copy');
  return {};
}
