/** Writes the ticks of `docs/graph-coverage.md` from the routes that the client sends and the simulator serves. */
import { readFile, writeFile } from 'node:fs/promises';
import { servedRoutes, withTicks } from '../packages/m365/testing/coverage.ts';

const page = new URL('../docs/graph-coverage.md', import.meta.url);
await writeFile(page, withTicks(await readFile(page, 'utf8'), await servedRoutes()));
