import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import productRoutes from '../data/product-routes.json' with { type: 'json' };
import { readRows, servedRoutes, unlistedRoutes, withTicks } from '../testing/coverage.ts';

const page = new URL('../../../docs/graph-coverage.md', import.meta.url);

describe('docs/graph-coverage.md', () => {
  let text: string;
  let served: ReadonlyMap<string, string>;
  const product: ReadonlySet<string> = new Set(productRoutes);

  beforeAll(async () => {
    text = await readFile(page, 'utf8');
    served = await servedRoutes();
  });

  it('ticks exactly what the product and its client send and the simulator serves (node tools/graph-coverage.ts writes it)', () => {
    expect(text).toBe(withTicks(text, served, product));
  });

  it('lists every request of the client and of the simulator, and every row is served, and has a use when the product sends it', () => {
    const rows = readRows(text);
    expect(rows.length).toBeGreaterThan(130);
    expect(unlistedRoutes(rows, served)).toEqual([]);
    expect(rows.filter((row) => row.simulator !== '☑').map((row) => row.path)).toEqual([]);
    expect(rows.filter((row) => (row.use === '–') !== (row.product === '–')).map((row) => row.path)).toEqual([]);
  });

  it.each(['GET /users/delta', 'POST /teams', 'PATCH /users/{id}/messages/{id}'])('would show that %s is no longer served', (route) => {
    const fewer = new Map(served);
    expect(fewer.delete(route)).toBe(true);
    expect(withTicks(text, fewer, product)).not.toBe(text);
  });

  it('would show a row that is gone, and a tick that is wrong', () => {
    const row = text.split('\n').find((line) => line.includes('`/users/{id}/messages/{id}/$value`')) ?? '';
    expect(row).toContain('☑');
    expect(unlistedRoutes(readRows(text.replace(`${row}\n`, '')), served)).toContain('GET /users/{id}/messages/{id}/$value');
    const wrong = text.replace(row, row.replace('☑', '☐'));
    expect(withTicks(wrong, served, product)).toBe(text);
    expect(wrong).not.toBe(text);
  });
});
