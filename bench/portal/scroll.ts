import type { Page } from 'playwright-core';

export interface Scrolled {
  readonly rows: number;
  readonly seconds: number;
  readonly frames: number;
  readonly longestFrameMs: number;
  /** The frame of which one in a hundred takes longer. */
  readonly p99FrameMs: number;
  readonly rowsInDocument: number;
}

/** Thirty rows a frame: faster than anybody reads, as fast as one who looks for the end. */
const script = (rows: number): string => `(async () => {
  const list = document.querySelector('[role="grid"]');
  const goal = Math.min(${rows}, Number(list.getAttribute('aria-rowcount')));
  const frames = []; let last = performance.now(); const began = last; let most = 0;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const lastShown = () => Math.max(...[...list.querySelectorAll('[role="row"]')].map((row) => Number(row.getAttribute('aria-rowindex'))));
  while (lastShown() < goal) {
    list.scrollTop += 30 * 44;
    await frame();
    const now = performance.now(); frames.push(now - last); last = now;
    most = Math.max(most, list.querySelectorAll('[role="row"]').length);
  }
  const sorted = frames.toSorted((one, other) => one - other);
  return { rows: lastShown(), seconds: (performance.now() - began) / 1000, frames: frames.length, longestFrameMs: sorted.at(-1),
    p99FrameMs: sorted[Math.floor(sorted.length * 0.99)], rowsInDocument: most };
})()`;

/** Scrolls the list of a picker from its first row on, and tells how long each frame took. */
export async function scrollRows(page: Page, rows: number): Promise<Scrolled> {
  return await page.evaluate<Scrolled>(script(rows));
}
