import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createItemIds } from './item-id.ts';

const ids = createItemIds('b!one');

describe('item ids', () => {
  it('can be read back without a table', () => {
    const origin = fc.constantFrom('generated' as const, 'special' as const, 'created' as const);
    fc.assert(
      fc.property(origin, fc.nat(2 ** 28 - 1), (origin, index) => {
        expect(ids.number(ids.id({ origin, index }))).toEqual({ origin, index });
      }),
    );
  });

  it('have the form of the service and hold in one drive only', () => {
    const id = ids.id({ origin: 'generated', index: 7 });
    expect(id).toMatch(/^01[A-Z2-7]{32}$/);
    expect(createItemIds('b!two').number(id)).toBeUndefined();
    expect(ids.guid(id)).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/);
  });

  it('refuse what was never an id', () => {
    const id = ids.id({ origin: 'created', index: 3 });
    const last = id.endsWith('A') ? 'B' : 'A';
    for (const text of ['', 'root', id.slice(1), id.toLowerCase(), `${id.slice(0, -1)}${last}`]) expect(ids.number(text)).toBeUndefined();
  });
});
