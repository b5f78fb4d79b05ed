import { describe, expect, it } from 'vitest';
import { keptPage, type LentPage } from './kept-pages.ts';

const PAGE_BYTES = 250_000;
/** More than are kept. */
const MANY = 400;

function aPage(name: string, letter: string): LentPage {
  return keptPage(name, (room) => room(PAGE_BYTES).fill(letter));
}

function isWhole(page: LentPage, letter: string): boolean {
  return page.bytes.byteLength === PAGE_BYTES && page.bytes.every((byte) => byte === letter.charCodeAt(0));
}

describe('kept pages', () => {
  it('are made once as long as they are kept', () => {
    aPage('once', 'a').giveBack();
    expect(isWhole(aPage('once', 'b'), 'a')).toBe(true);
  });

  it('stay as they are while they are sent, whatever is made meanwhile', () => {
    const slow = aPage('slow', 's');
    for (let turn = 0; turn < MANY; turn += 1) aPage(`other ${turn}`, 'o').giveBack();
    expect(isWhole(slow, 's')).toBe(true);
    expect(isWhole(aPage('slow', 'n'), 'n')).toBe(true);
    expect(isWhole(slow, 's')).toBe(true);
  });

  it('leave their room to others when they are kept no longer and have been sent', () => {
    const seen = new Set<ArrayBufferLike>();
    for (let turn = 0; turn < MANY * 2; turn += 1) {
      const page = aPage(`round ${turn}`, 'r');
      seen.add(page.bytes.buffer);
      page.giveBack();
      page.giveBack();
    }
    expect(seen.size).toBeLessThan(MANY);
  });
});
