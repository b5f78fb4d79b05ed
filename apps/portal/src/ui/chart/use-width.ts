import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** How wide an element is: what is drawn fills it without making its letters larger. */
export function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (of.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
