import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readRows, servedRoutes, unlistedRoutes, withTicks } from '../testing/coverage.ts';

const page = new URL('../../../docs/graph-coverage.md', import.meta.url);

describe('docs/graph-coverage.md', () => {
  it('ticks exactly what the client sends and the simulator serves (node tools/graph-coverage.ts writes it)', async () => {
    const text = await readFile(page, 'utf8');
    const served = await servedRoutes();
    expect(text).toBe(withTicks(text, served));
  });

  it('lists every request of the client, and every row with a use is sent', async () => {
    const rows = readRows(await readFile(page, 'utf8'));
    expect(rows.length).toBeGreaterThan(120);
    expect(unlistedRoutes(rows)).toEqual([]);
    expect(rows.filter((row) => row.use !== '–' && row.client !== '☑').map((row) => row.path)).toEqual([]);
  });
});
