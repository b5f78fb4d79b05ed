import type { SearchHit } from '@holdfast/contract/search';
import { useMemo } from 'react';
import type { RefObject } from 'react';
import { useListKeys } from '../../ui/use-list-keys.ts';

const keyOf = ({ hitId }: SearchHit): string => hitId;

interface HitKeys {
  readonly chosenId: string | null;
  readonly onChoose: (hit: SearchHit) => void;
  /** Absent where hits are only read. */
  readonly onTick: ((hitId: string) => void) | undefined;
}

/** The keys of lists, and `x`, which ticks the hit being read. Answers the frame of the list. */
export function useHitKeys(rows: readonly SearchHit[], { chosenId, onChoose, onTick }: HitKeys): RefObject<HTMLDivElement | null> {
  const others = useMemo(() => {
    const tick = (hitId: string): boolean => {
      onTick?.(hitId);
      return false;
    };
    return new Map([['x', tick]]);
  }, [onTick]);
  return useListKeys(rows, { keyOf, chosen: chosenId, onChoose, others });
}
