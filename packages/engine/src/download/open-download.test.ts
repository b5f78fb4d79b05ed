import { collect } from '@holdfast/foundation/streams';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { AppError } from '@holdfast/foundation/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailOfTruth } from '../../testing/compare-mail.ts';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import { unzip } from '../../testing/unzip.ts';
import type { ContentRef } from '@holdfast/vault';
import type { Resource } from '../ports/item.ts';
import { pointOf } from '../restore/point.ts';
import { openDownload } from './open-download.ts';
import type { DownloadFormat, DownloadOptions } from './source.ts';

type Values = Readonly<Record<string, unknown>>;

const LIMIT = 256 * 1024 * 1024;

describe('downloading a restore point', () => {
  let rig: Rig;
  let mailbox: Resource;
  let sequence: number;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users())
      if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id, 'a:b/c');
    await rig.backup(mailbox);
    ({ sequence } = await pointOf(rig.catalog, mailbox));
  });
  afterAll(() => rig.close());

  async function bytesOf(format: DownloadFormat, selection: 'all' | readonly string[] = 'all'): Promise<Buffer> {
    const download = await openDownload(rig, { source: mailbox, sequence, selection, format }, new AbortController().signal);
    const bytes = await collect(download.bytes, LIMIT);
    expect(download.failed).toEqual([]);
    expect(download.fileName).toMatch(/^a_b_c .*\.\w+$/u);
    return bytes;
  }

  it('gives every message as EML, byte for byte', async () => {
    const files = unzip(await bytesOf('zip'));
    const hashes = new Set([...files].filter(([name]) => name.endsWith('.eml')).map(([, bytes]) => sha256Hex(bytes)));
    for (const message of (await mailOfTruth(rig, mailbox.graphId)).values()) expect(hashes.has(message.sha256)).toBe(true);
    for (const name of files.keys()) expect(name).not.toMatch(/(^|\/)\.\.(\/|$)|^\/|\\/u);
  });

  it('lists the SHA-256 of every file on request, as sha256sum reads it, and of none twice', async () => {
    const request = { source: mailbox, sequence, selection: 'all', format: 'zip', options: { manifest: true } } as const;
    const { bytes } = await openDownload(rig, request, new AbortController().signal);
    const files = unzip(await collect(bytes, LIMIT));
    const lines = (files.get('manifest.sha256') ?? Buffer.alloc(0)).toString('utf8').trimEnd().split('\n');
    files.delete('manifest.sha256');
    expect(files.size).toBeGreaterThan(3);
    expect(lines.toSorted()).toEqual([...files].map(([name, content]) => `${sha256Hex(content)}  ${name}`).toSorted());
    expect(unzip(await bytesOf('zip')).has('manifest.sha256')).toBe(false);
  });

  it('gives mail as one mbox with as many messages as there are', async () => {
    const text = (await bytesOf('mbox')).toString('latin1');
    expect(text.match(/^From - /gmu)).toHaveLength((await mailOfTruth(rig, mailbox.graphId)).size);
  });

  it('gives calendars and contacts as files that other programs read', async () => {
    const events = (await rig.items(mailbox)).filter((item) => item.kind === 'event').length;
    const contacts = (await rig.items(mailbox)).filter((item) => item.kind === 'contact').length;
    const calendar = (await bytesOf('ics')).toString('utf8');
    expect(calendar.match(/^UID:/gmu)?.length ?? 0).toBeGreaterThanOrEqual(events);
    expect(calendar.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect((await bytesOf('vcf')).toString('utf8').match(/^BEGIN:VCARD/gmu)).toHaveLength(contacts);
  });

  it('ends with an error when its restore point is deleted while it is read', async () => {
    let asked = 0;
    const points = async (id: string) => ((asked += 1) === 1 ? rig.catalog.points(id) : []);
    const at = { vault: rig.vault, catalog: { ...rig.catalog, points } };
    for (const format of ['zip', 'mbox', 'ics', 'vcf'] as const) {
      asked = 0;
      const download = await openDownload(at, { source: mailbox, sequence, selection: 'all', format }, new AbortController().signal);
      await expect(collect(download.bytes, LIMIT)).rejects.toMatchObject({ code: 'restore.no-such-point' });
    }
  });

  /** The vault, of which one content can not be read. */
  function without(lost: ContentRef | undefined) {
    const reader = rig.vault.reader();
    const read = (ref: ContentRef) =>
      ref.sha256 === lost?.sha256 ? reader.read({ ...ref, pieces: [['00'.repeat(32), 5]] }) : reader.read(ref);
    return { ...rig.vault, reader: () => ({ ...reader, read, readAll: (ref: ContentRef) => collect(read(ref), LIMIT) }) };
  }

  it('gives what comes before the damage in a file, names it, and gives all others whole', async () => {
    const reader = rig.vault.reader();
    const messages = (await rig.items(mailbox)).filter((item) => item.kind === 'message');
    const mimeOf = ({ contents }: (typeof messages)[number]) => contents.find(({ role }) => role === 'mime')?.ref;
    const broken = messages.map(mimeOf).find((ref) => (ref?.pieces.length ?? 0) > 1);
    if (!broken) throw new Error('No message is stored in several pieces.');
    async function* read(ref: ContentRef) {
      const isBroken = ref.sha256 === broken?.sha256;
      for await (const part of reader.read(ref)) {
        yield isBroken ? part.subarray(0, 100) : part;
        if (isBroken) throw new AppError('vault.damaged');
      }
    }
    const vault = { ...rig.vault, reader: () => ({ ...reader, read }) };
    const request = { source: mailbox, sequence, selection: 'all', format: 'zip' } as const;
    const download = await openDownload({ vault, catalog: rig.catalog }, request, new AbortController().signal);
    const files = unzip(await collect(download.bytes, LIMIT));
    const [failed] = download.failed;
    const same = messages.filter((item) => mimeOf(item)?.sha256 === broken.sha256).length;
    expect(download.failed).toHaveLength(same);
    expect(failed).toEqual({ path: expect.stringMatching(/\.eml$/u) as string, code: 'vault.damaged', isCut: true });
    expect(files.get(failed?.path ?? '')?.byteLength).toBe(100);
    expect(String(files.get('errors.txt'))).toContain(`vault.damaged\t${failed?.path}\tonly its beginning is here\n`);
    expect([...files.keys()].filter((name) => name.endsWith('.eml'))).toHaveLength(messages.length);
  });

  it('is no list of errors when somebody stops it', async () => {
    const stop = new AbortController();
    const request = { source: mailbox, sequence, selection: 'all', format: 'mbox' } as const;
    stop.abort();
    const vault = without((await rig.items(mailbox)).find(({ kind }) => kind === 'message')?.contents[0]?.ref);
    const { bytes, failed } = await openDownload({ vault, catalog: rig.catalog }, request, stop.signal);
    await expect(collect(bytes, LIMIT)).rejects.toMatchObject({ code: expect.stringMatching(/^vault\./u) as string });
    expect(failed).toEqual([]);
  });

  it('says in the mailbox file which messages it could not read', async () => {
    const [lost] = (await rig.items(mailbox)).filter((item) => item.kind === 'message');
    const vault = without(lost?.contents.find((content) => content.role === 'mime')?.ref);
    const request = { source: mailbox, sequence, selection: 'all', format: 'mbox' } as const;
    const download = await openDownload({ vault, catalog: rig.catalog }, request, new AbortController().signal);
    const text = (await collect(download.bytes, LIMIT)).toString('latin1');
    expect(download.failed).toEqual([{ path: lost?.name, code: expect.stringMatching(/^vault\./u) as string }]);
    expect(text.match(/^From - /gmu)).toHaveLength((await mailOfTruth(rig, mailbox.graphId)).size);
    expect(text).toContain('Subject: 1 messages of this file could not be read');
  });

  it.each([
    ['ics', 'event', /^BEGIN:VCALENDAR[^]*END:VCALENDAR\r\n$/u],
    ['vcf', 'contact', /^BEGIN:VCARD[^]*END:VCARD\r\n$/u],
  ] as const)('leaves one thing out that it could not read, by name, and gives all others (%s)', async (format, kind, whole) => {
    const [lost, ...others] = (await rig.items(mailbox)).filter((item) => item.kind === kind);
    const vault = without(lost?.contents.find(({ role }) => role === 'export')?.ref);
    const request = { source: mailbox, sequence, selection: 'all', format } as const;
    const download = await openDownload({ vault, catalog: rig.catalog }, request, new AbortController().signal);
    const text = (await collect(download.bytes, LIMIT)).toString('utf8');
    expect(download.failed).toEqual([{ path: lost?.name, code: expect.stringMatching(/^vault\./u) as string }]);
    expect(text).toMatch(whole);
    expect(others.length).toBeGreaterThan(0);
    expect(text.match(/^(?:UID|BEGIN:VCARD)/gmu)?.length ?? 0).toBeGreaterThanOrEqual(others.length);
  });

  it('gives what the item of a list was before with what it is', async () => {
    for await (const site of rig.graph.sites.allSites()) {
      const source = rig.resource('site', site.id);
      await rig.backup(source);
      const changed = (await rig.items(source)).find(
        ({ kind, contents }) => kind === 'listItem' && contents.some(({ role }) => role === 'version'),
      );
      if (!changed) continue;
      const at = await pointOf(rig.catalog, source);
      const request = { source, sequence: at.sequence, selection: [changed.key], format: 'zip' } as const;
      const { bytes } = await openDownload(rig, request, new AbortController().signal);
      const [json = ''] = [...unzip(await collect(bytes, LIMIT)).values()].map(String);
      const { fields, versions } = JSON.parse(json) as {
        readonly fields: object;
        readonly versions: readonly { readonly fields: object }[];
      };
      expect(Object.keys(fields).length).toBeGreaterThan(0);
      expect(versions.length).toBeGreaterThan(1);
      expect(versions.every((version) => Object.keys(version.fields).length > 0)).toBe(true);
      return;
    }
    throw new Error('No item of a list was ever changed.');
  });

  it('gives only what was selected, with what Microsoft 365 said of it', async () => {
    const [message] = (await rig.items(mailbox)).filter((item) => item.kind === 'message');
    const files = unzip(await bytesOf('zip', [message?.key ?? '']));
    const [mail = '', metadata = ''] = [...files.keys()];
    expect(files.size).toBe(2);
    expect(metadata).toBe(`${mail}.metadata.json`);
    expect(JSON.parse(String(files.get(metadata)))).toMatchObject({
      kind: 'message',
      name: message?.name,
      properties: message?.properties,
    });
  });

  it('says of every message whether it was read, of which categories it is, and in a mailbox file too', async () => {
    const messages = (await rig.items(mailbox)).filter((item) => item.kind === 'message');
    const said = [...unzip(await bytesOf('zip'))].filter(([name]) => name.endsWith('.eml.metadata.json')).map(([, bytes]) => String(bytes));
    const stateIn = (properties: Values): string => JSON.stringify([properties['isRead'], properties['categories'], properties['flag']]);
    const found = said.map((text) => stateIn((JSON.parse(text) as { readonly properties: Values }).properties));
    expect(found.toSorted()).toEqual(messages.map(({ properties }) => stateIn(properties)).toSorted());
    const text = (await bytesOf('mbox')).toString('latin1');
    const read = messages.filter(({ properties }) => properties['isRead'] === true).length;
    expect(read).toBeGreaterThan(0);
    expect(text.match(/^From - .*\r\nStatus: RO\r\n/gmu)).toHaveLength(read);
  });

  it('gives everything that was known of an event and a contact', async () => {
    const files = unzip(await bytesOf('zip'));
    for (const ending of ['.ics', '.vcf']) {
      const [, bytes] = [...files].find(([name]) => name.endsWith(`${ending}.metadata.json`)) ?? [];
      const { original } = JSON.parse(String(bytes)) as { readonly original: Values };
      expect(original['id']).toEqual(expect.any(String));
      expect(original['changeKey']).toEqual(expect.any(String));
    }
  });

  it('is one folder for a mail folder whose name has a slash, and two for two that would become one', async () => {
    const { mail } = rig.graph.exchange;
    const userId = mailbox.graphId;
    const inbox = 'inbox';
    for (const name of ['A /\u00FC', 'A _\u00FC', 'a _\u00FC ']) {
      const { id: folderId } = await mail.createFolder({ userId, folderId: inbox }, { displayName: name });
      await mail.createMessage({ userId, folderId }, { subject: name, body: { contentType: 'text', content: name } });
    }
    await rig.backup(mailbox);
    const at = await pointOf(rig.catalog, mailbox);
    const request = { source: mailbox, sequence: at.sequence, selection: 'all', format: 'zip' } as const;
    const { bytes } = await openDownload(rig, request, new AbortController().signal);
    const places = [...unzip(await collect(bytes, LIMIT)).keys()].filter((name) => /A _\u00FC[^/]*\.eml$/iu.test(name));
    const folders = new Set(places.map((name) => name.split('/').at(-2)?.toLowerCase() ?? ''));
    expect(places).toHaveLength(3);
    expect([...folders].toSorted()).toEqual(['a _\u00FC', 'a _\u00FC (2)', 'a _\u00FC (3)']);
  });
});

describe('downloading files', () => {
  let rig: Rig;
  let drive: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'] });
    for await (const { id: userId } of rig.graph.directory.users()) {
      const own = await rig.graph.drives.userDrive({ userId }).catch(() => undefined);
      if (own) drive ??= rig.resource('drive', own.id);
    }
    const [file] = (await rig.truth('drives', drive.graphId)).filter(({ kind }) => kind === 'file');
    const place = { driveId: drive.graphId, itemId: file?.id ?? '' };
    await rig.graph.drives.invite(place, { recipients: [{ email: 'guest@example.com' }], roles: ['write'] });
    await rig.backup(drive);
  });
  afterAll(() => rig.close());

  async function archive(options?: DownloadOptions): Promise<ReadonlyMap<string, Uint8Array>> {
    const { sequence } = await pointOf(rig.catalog, drive);
    const request = { source: drive, sequence, selection: 'all', format: 'zip', ...(options ? { options } : {}) } as const;
    const download = await openDownload(rig, request, new AbortController().signal);
    const files = unzip(await collect(download.bytes, LIMIT));
    expect(download.failed).toEqual([]);
    return files;
  }

  const versionsIn = (files: ReadonlyMap<string, Uint8Array>) => [...files].filter(([name]) => name.includes(' versions/'));

  it('gives each earlier version in a folder of its own when it is asked for them, byte for byte', async () => {
    const stored = (await rig.items(drive)).flatMap(({ kind, contents }) => (kind === 'file' ? contents : []));
    const wanted = stored.filter(({ role }) => role === 'version').map(({ ref }) => ref.sha256);
    expect(wanted.length).toBeGreaterThan(0);
    const found = versionsIn(await archive({ versions: true })).map(([, bytes]) => sha256Hex(bytes));
    expect(found.toSorted()).toEqual(wanted.toSorted());
    expect(versionsIn(await archive())).toEqual([]);
  });

  it('says who had access to each file, unless it is asked not to', async () => {
    const all = async (options?: DownloadOptions) => [...(await archive(options)).values()].map(String).join('');
    expect(await all()).toContain('guest@example.com');
    expect(await all({ permissions: false })).not.toContain('guest@example.com');
  });
});
