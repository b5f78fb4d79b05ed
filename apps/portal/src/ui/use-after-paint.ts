import { startTransition, useEffect, useState } from 'react';

/**
 * Whether what may come a moment later is to be there yet: false until what stands beside it has been painted. On a slow
 * processor the frame and the lower half of a page take as long as what one came for.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    // The first frame paints what there is; the second begins when that has been done.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setIsPainted(true)));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
}
