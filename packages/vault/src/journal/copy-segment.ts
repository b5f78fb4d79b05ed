import { crashPoint } from '@holdfast/foundation/crash-point';
import type { ContentRef } from '../chunk/content-ref.ts';
import { unlessLost } from './chain.ts';
import type { JournalContext } from './context.ts';
import { COPIED_LINES_BYTES, encodeCopy, isLoss } from './copies.ts';
import { copyName } from './segment-names.ts';
import { decodeSegment } from './segment.ts';

/** Nothing where it went well, otherwise the reason why something is lost. */
export type Outcome = { readonly problem?: string };

/** The lines of changes that are stored outside their segment; nothing where they can't be read or are too long. */
async function linesOf(context: Pick<JournalContext, 'reader'>, content: ContentRef): Promise<Buffer | undefined> {
  if (content.sizeBytes > COPIED_LINES_BYTES) return undefined;
  return context.reader.readAll(content, COPIED_LINES_BYTES).catch((error: unknown) => {
    if (isLoss(error)) return undefined;
    throw error;
  });
}

/** Writes the copy of a segment from its own object. */
export async function copySegment(
  context: Pick<JournalContext, 'store' | 'keys' | 'reader' | 'lockForNow'>,
  name: string,
): Promise<Outcome> {
  const { store, keys } = context;
  const opened = await unlessLost(async () => {
    const data = await store.get(name);
    return { data, segment: decodeSegment(keys, name, data) };
  });
  if ('problem' in opened) return opened;
  const { data, segment } = opened.value;
  const { changes } = segment.body;
  const lines = Array.isArray(changes) ? undefined : await linesOf(context, changes as ContentRef);
  const lock = context.lockForNow();
  await crashPoint('vault.tend.before-copy');
  await store.put(copyName(name), [encodeCopy(keys, name, data, lines)], lock ? { lock } : {});
  await crashPoint('vault.tend.after-copy');
  return {};
}
