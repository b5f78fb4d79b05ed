/**
 * Writes which requests the product sends (`packages/m365/data/product-routes.json`), from the calls that its code makes,
 * and the ticks of `docs/graph-coverage.md`, from these, the routes of the client and those that the simulator serves.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { servedRoutes, withTicks } from '../packages/m365/testing/coverage.ts';
import { routesOfCalls } from '../packages/m365/testing/route-of.ts';
import { productCalls } from './product-calls.ts';

const page = new URL('../docs/graph-coverage.md', import.meta.url);
const routes = await routesOfCalls(productCalls());
await writeFile(new URL('../packages/m365/data/product-routes.json', import.meta.url), `${JSON.stringify(routes, null, 2)}\n`);
await writeFile(page, withTicks(await readFile(page, 'utf8'), await servedRoutes(), new Set(routes)));
