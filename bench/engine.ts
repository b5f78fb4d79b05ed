/**
 * The engine over the simulator. Parts: `backup` beside a bare downloader with the same client, limits off; `ceiling`,
 * the pace within the service's limits beside what they allow; `unchanged`, a run in which nothing has changed;
 * `restore` beside what the service publishes for its own; `memory` of the product while one large mailbox is taken.
 *
 *   node bench/engine.ts [part] [mailboxes] [messages a mailbox] [--json]     all parts without a name
 *
 * `--json` also writes what was measured into bench/results/engine.json, part by part.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchBackup } from './engine/backup.ts';
import { benchCeiling } from './engine/ceiling.ts';
import { benchMemory } from './engine/memory.ts';
import { benchRestore } from './engine/restore.ts';
import { benchUnchanged } from './engine/unchanged.ts';

const results = fileURLToPath(new URL('results/engine.json', import.meta.url));
const parts: Readonly<Record<string, (mailboxes?: number, messages?: number) => Promise<object>>> = {
  backup: (mailboxes = 50, messages = 400) => benchBackup(mailboxes, messages),
  ceiling: (_one, messages = 30_000) => benchCeiling(messages),
  unchanged: (mailboxes = 1_000, messages = 10) => benchUnchanged(mailboxes, messages),
  restore: (_one, messages = 2_000) => benchRestore(messages),
  memory: (mailboxes = 2, messages = 20_000) => benchMemory(mailboxes, messages),
};

const words = process.argv.slice(2);
const wanted = words.find((word) => word in parts);
const [mailboxes, messages] = words.filter((word) => /^\d+$/u.test(word)).map(Number);
const machine = () => ({
  node: process.version,
  processor: cpus()[0]?.model ?? '',
  cores: cpus().length,
  load: loadavg().map((value) => Number(value.toFixed(1))),
});

for (const [name, part] of Object.entries(parts)) {
  if (wanted !== undefined && wanted !== name) continue;
  const found = { machine: machine(), ...(await part(mailboxes, messages)) };
  console.log(name, JSON.stringify(found, null, 1));
  if (!words.includes('--json')) continue;
  const before = existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as object) : {};
  writeFileSync(results, `${JSON.stringify({ ...before, [name]: found }, null, 2)}\n`);
}
process.exit(0);
