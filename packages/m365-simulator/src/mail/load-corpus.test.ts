import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { recipeNamed, resized } from '../recipes/recipes.ts';
import { createInProcess } from '../testing/in-process.ts';
import { loadCorpus } from './load-corpus.ts';
import { mailWorkload } from './mail-workload.ts';

const mail = (subject: string): string =>
  `From: a@example.com\r\nSubject: ${subject}\r\nDate: Mon, 4 Feb 2019 19:58:10 +0000\r\n\r\n${subject}`;

it('loads mail files and mailboxes, folder by folder, and gives their bytes back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-corpus-'));
  await mkdir(join(folder, 'anna', 'Sent Items'), { recursive: true });
  await mkdir(join(folder, 'anna', 'Projects'));
  await writeFile(join(folder, 'anna', 'Sent Items', '1.eml'), mail('sent'));
  await writeFile(
    join(folder, 'anna', 'Projects', 'all.mbox'),
    `From a@b Mon Feb  4 19:58:10 2019\n${mail('one')}\nFrom a@b Mon Feb  4 19:58:10 2019\n${mail('two')}\n`,
  );
  await writeFile(join(folder, 'loose.eml'), mail('loose'));
  try {
    const graph = createInProcess({
      workloads: [directoryWorkload, mailWorkload],
      recipe: resized(recipeNamed('tiny'), { messagesPerUser: 0 }),
    });
    expect(loadCorpus(graph.tenant, folder)).toBe(4);
    const lines = (await Promise.all(graph.tenant.directory.users().map((person) => graph.truth('mail', person.id)))).flat();
    const places = lines.map((line) => `${(line.metadata['folder'] as string | null) ?? line.path}: ${line.metadata['subject'] as string}`);
    expect(places.sort()).toEqual(['Projects: one', 'Projects: two', 'inbox: loose', 'sentitems: sent']);
    const owner = graph.tenant.directory.users()[0]?.id ?? '';
    const list = await graph.get(`/users/${owner}/mailFolders/sentitems/messages`);
    const [message] = list.json['value'] as unknown as { readonly id: string; readonly receivedDateTime: string }[];
    expect(message?.receivedDateTime).toBe('2019-02-04T19:58:10Z');
    expect((await graph.get(`/users/${owner}/messages/${message?.id}/$value`)).bytes.toString()).toBe(mail('sent'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
