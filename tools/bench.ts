import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './run.ts';

/** `npm run bench -- NAME [--json]` runs bench/NAME.ts; without a name it lists what there is. */
const [name, ...rest] = process.argv.slice(2);
const names = (await readdir(join(root, 'bench'))).filter((file) => /^[a-z-]+\.ts$/.test(file)).map((file) => file.slice(0, -3));
const benches = names.filter((candidate) => candidate !== 'corpora');
if (!name || !benches.includes(name)) {
  console.log(`Benchmarks: ${benches.join(', ')}`);
  process.exitCode = name ? 2 : 0;
} else {
  const done = await run(process.execPath, ['--expose-gc', join(root, 'bench', `${name}.ts`), ...rest], { show: true });
  process.exitCode = done.code;
}
