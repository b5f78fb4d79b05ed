/**
 * `npm run openapi`: writes docs/api/openapi.json from the contract, so that a review sees each change of
 * the API. With `--check` it only compares.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { everyRoute } from '../apps/server/src/http/every-route.ts';
import { openapiOf } from '../apps/server/src/http/openapi.ts';
import { root } from './run.ts';

const file = path.join(root, 'docs/api/openapi.json');

/** The document as it belongs into the repository. */
export function openapiText(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return `${JSON.stringify(openapiOf(everyRoute(), version), null, 2)}\n`;
}

if (import.meta.main) {
  const text = openapiText();
  if (process.argv.includes('--check')) {
    if (readFileSync(file, 'utf8') !== text) {
      console.error('docs/api/openapi.json is not what the contract says. Run: npm run openapi');
      process.exitCode = 1;
    }
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`${path.relative(root, file)} written: ${everyRoute().length} routes.`);
  }
}
