import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createIds } from '@holdfast/foundation/ids';
import { secureRandom } from '@holdfast/foundation/random';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, test } from 'vitest';
import { createMailFolder } from './folder-transport.ts';

const aMail = (subject: string) => ({ to: 'ada@contoso.example', subject, text: subject, html: subject });

test('a mail that no server takes can be read for a day, then neither it nor its link is there', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-outbox-'));
  const clock = createFakeClock();
  const mails = createMailFolder({ folder, clock, ids: createIds(clock, secureRandom) });
  await mails.send(aMail('first'));
  await clock.advance(23 * 3_600_000);
  await mails.send(aMail('second'));
  expect((await mails.list(10)).map(({ subject }) => subject)).toEqual(['second', 'first']);
  await clock.advance(2 * 3_600_000);
  await mails.send(aMail('third'));
  expect((await mails.list(10)).map(({ subject }) => subject)).toEqual(['third', 'second']);
  expect(await readdir(folder)).toHaveLength(4);
  await rm(folder, { recursive: true });
});
