import type { ContentExport } from '@holdfast/contract/exports';
import type { SearchAnswer } from '@holdfast/contract/search';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { silentLogger } from '@holdfast/foundation/logger';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { verifyExport } from '../../../admin/verify-export.ts';
import { readConfig } from '../../../settings/config.ts';
import { startSimulatedServer, type SimulatedServer } from '../../../testing/simulated-server.ts';
import { connectSimulated, unscheduled, type SimulatedTenant } from '../../../testing/simulated-tenant.ts';

export const run = promisify(execFile);
export const WORD = 'Pfirsichkompott';
export const head = (subject: string): string =>
  `From: Anna <anna@fabrikam.example>\nTo: you@tiny.example\nSubject: ${subject}\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\n`;
/** Mails that other products change when they let them out. */
export const MAILS = [
  ...Array.from({ length: 30 }, (_, at) => `${head('Same subject')}${WORD} ${at}\n`),
  `${head('=HYPERLINK("http://evil.example")')}${WORD} formula\n`,
  `${head('../../up and away')}${WORD} path\r\nmixed endings\n`,
  `${head('No end')}${WORD} without a last line end`,
  `${head('From the beginning')}${WORD}\nFrom here on\n>From there on\nFrom end\n`,
  `${head('Eight bits \xfc')}${WORD} \xff\xfe raw bytes\n`,
  `${head('<b> & "quotes"')}${WORD}\n`,
];
export const HASHES = MAILS.map((text) => sha256Hex(Buffer.from(text, 'latin1'))).sort();

/** A product with an archive of mails, exports over HTTP, and the programs of others that judge them. */
export function createExportGround(testing: TestDatabase) {
  let running: SimulatedServer;
  let folder: string;
  let tenant: SimulatedTenant;
  let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;
  let people: readonly { readonly id: string; readonly name: string; readonly address: string }[];

  const person = (at: number) => {
    const found = people[at];
    if (!found) throw new Error(`There is no person ${at}.`);
    return found;
  };
  /** What only the first archive has: the same mails are imported into another one. */
  const query = (words = WORD): string => `${words} mailbox:${person(0).address}`;

  async function send(
    to: string,
    given: { readonly method?: string; readonly body?: object; readonly token?: string } = {},
  ): Promise<Response> {
    const { method, body, token = owner.tokens.main } = given;
    const options = { token, ...(method === undefined ? {} : { method }), ...(body === undefined ? {} : { body }) };
    return running.server.send(`/apollo/api/${tenant.tenantId}/archive/${to}`, options);
  }

  async function told<T>(answer: Response): Promise<T> {
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async function codeOf(answer: Response): Promise<string> {
    return `${answer.status} ${((await answer.json()) as { code?: string }).code}`;
  }

  async function hitsOf(of: string): Promise<number> {
    const answer = await send('search', { body: { query: of, reason: 'An export', limit: 1 } });
    return (await told<SearchAnswer>(answer)).total;
  }

  async function selected(words = WORD): Promise<string> {
    const answer = await send('search/selections', { body: { query: query(words), reason: 'An export' } });
    return (await told<{ selectionId: string }>(answer)).selectionId;
  }

  async function exported(body: object): Promise<ContentExport> {
    const answer = await send('exports', { body: { name: 'What was found', format: 'eml', reason: 'A dispute', ...body } });
    return told<ContentExport>(answer);
  }

  async function ended({ exportId }: ContentExport): Promise<ContentExport> {
    return vi.waitFor(
      async () => {
        const found = await told<ContentExport>(await send(`exports/${exportId}`));
        if (['pending', 'running', 'cancelling'].includes(found.status)) throw new Error(`The export is ${found.status}.`);
        return found;
      },
      { timeout: 60_000, interval: 100 },
    );
  }

  /** Downloads every part, lets `unzip` look at it, and unpacks all into one folder. */
  async function unpacked(one: ContentExport, name: string): Promise<string> {
    const into = path.join(folder, name);
    await mkdir(into, { recursive: true });
    for (const { part } of one.parts) {
      const answer = await send(`exports/${one.exportId}/parts/${part}`);
      expect(answer.status).toBe(200);
      const zip = path.join(folder, `${name}-${part}.zip`);
      await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
      expect((await run('unzip', ['-t', zip])).stdout).toContain('No errors detected');
      // Without a locale it would write the names of files in a notation of its own.
      await run('unzip', ['-q', zip, '-d', into], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    }
    return into;
  }

  async function verified(of: string, key?: string): Promise<readonly string[]> {
    const lines: string[] = [];
    const context = { config: readConfig({}), logger: silentLogger, print: (line: string) => void lines.push(line) };
    try {
      await verifyExport.run(context, { folder: of, ...(key === undefined ? {} : { key }) });
    } catch (error) {
      lines.push(error instanceof Error ? error.message : String(error));
    }
    return lines;
  }

  async function filesIn(of: string, ending: string): Promise<string[]> {
    const all = await readdir(of, { recursive: true });
    return all.filter((name) => name.endsWith(ending)).sort();
  }

  async function imported(name: string, files: Readonly<Record<string, string>> | string, mailbox: object): Promise<void> {
    const from = typeof files === 'string' ? files : path.join(folder, name);
    if (typeof files !== 'string') {
      await mkdir(from, { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(path.join(from, file), text, 'latin1');
    }
    const source = { kind: 'folder', path: path.relative(folder, from) };
    const settings = { source, mapping: [{ mailbox }] };
    const job = await tenant.job({ type: 'import', name: `Import ${name}`, schedule: unscheduled, import: settings });
    expect(await tenant.finish(job)).toMatchObject({ status: 'successful' });
  }

  async function archivedOf(user: string): Promise<string[]> {
    const rows = await testing.asSuperuser(
      `select item_key from catalog_items join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id)
     where resources.kind = 'archive' and to_point = 9007199254740991 and graph_id = $1 order by item_key`,
      [user],
    );
    return rows.map(({ item_key: key }) => String(key));
  }

  async function manifestOf(
    of: string,
  ): Promise<Record<string, unknown> & { files: { path: string; sha256: string }[]; originals: { sha256: string }[] }> {
    return JSON.parse(await readFile(path.join(of, 'manifest.json'), 'utf8')) as Awaited<ReturnType<typeof manifestOf>>;
  }

  async function open(): Promise<void> {
    folder = await mkdtemp(path.join(tmpdir(), 'holdfast-exports-'));
    running = await startSimulatedServer(testing, { HOLDFAST_IMPORT_ROOTS: folder });
    const { server, simulator } = running;
    owner = await server.owner();
    tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(running.folder, 'vault') });
    const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
    people = (directory?.users() ?? [])
      .filter((one) => one.hasMailbox && one.kind === 'member')
      .map(({ id, displayName: name, mail: address }) => ({ id, name, address }));
    await imported('mails', Object.fromEntries(MAILS.map((text, at) => [`${at}.eml`, text])), person(0));
    await vi.waitFor(
      async () => {
        if ((await hitsOf(query())) < MAILS.length) throw new Error('Not everything has been read yet.');
      },
      { timeout: 60_000, interval: 300 },
    );
  }

  return {
    asSuperuser: testing.asSuperuser,
    send,
    told,
    codeOf,
    hitsOf,
    selected,
    exported,
    ended,
    unpacked,
    verified,
    filesIn,
    imported,
    archivedOf,
    manifestOf,
    query,
    person,
    open,
    get running() {
      return running;
    },
    get owner() {
      return owner;
    },
    get tenant() {
      return tenant;
    },
    get folder() {
      return folder;
    },
    async close(): Promise<void> {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
