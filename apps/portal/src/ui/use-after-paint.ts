import { useDeferredValue } from 'react';

/**
 * Whether what may come a moment later is to be there yet: false until what stands beside it has been shown. On a slow
 * processor the frame and the lower half of a page take as long as what one came for.
 */
export function useAfterPaint(): boolean {
  return useDeferredValue(true, false);
}
