import type { EnumerateContext } from '../../pipeline/workload.ts';

/**
 * Containers that came in a round of changes from where nothing is kept of them: out of a recycle bin, or from a place
 * that is not protected. Delta names such a container and not always what is in it; how much that is, it says.
 */
export interface Newcomers {
  begin(isWhole: boolean): void;
  /** Which of these are kept already, to be asked before they are put. */
  remember(keys: readonly string[]): Promise<void>;
  note(key: string, children: number): void;
  /** At the end of the round: whether contents of one were not named. */
  isLacking(): Promise<boolean>;
}

export function createNewcomers({ known, unread }: Pick<EnumerateContext, 'known' | 'unread'>): Newcomers {
  const kept = new Set<string>();
  const came = new Map<string, number>();
  let isWhole = false;

  async function countIn(key: string): Promise<number> {
    let count = 0;
    for await (const item of known.items({ parentKey: key })) if (item.parentKey === key) count += 1;
    for (const missed of unread.values()) if (missed.parentKey === key) count += 1;
    return count;
  }

  return {
    begin(all) {
      isWhole = all;
      kept.clear();
      came.clear();
    },
    async remember(keys) {
      if (!isWhole) for (const key of (await known.load(keys)).keys()) kept.add(key);
    },
    note(key, children) {
      if (!isWhole && children > 0 && !kept.has(key)) came.set(key, children);
    },
    async isLacking() {
      for (const [key, children] of came) if ((await countIn(key)) < children) return true;
      return false;
    },
  };
}
