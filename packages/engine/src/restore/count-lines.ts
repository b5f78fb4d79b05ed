import { walk, type WalkOptions } from './walk.ts';

/**
 * How many lines the report of a restore will have: one for each chosen item and container. Replies that come along with a
 * post are known beforehand only where everything is restored.
 */
export async function countLines(options: WalkOptions): Promise<number> {
  const { catalog, resourceId, sequence, selection } = options;
  let count = 0;
  for await (const walked of walk(options)) {
    const { item, isSelected } = walked;
    if (item && item.kind !== 'area' && isSelected) count += 1;
    for await (const _ of walked.items()) count += 1;
  }
  if (selection === 'all') for await (const _ of catalog.items(resourceId, sequence, { kinds: ['reply'] })) count += 1;
  return count;
}
