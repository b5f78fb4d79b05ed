import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '@holdfast/foundation/clock';
import { now, nowIso } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Mail, MailTransport } from './mail.ts';

/** A mail that is in the outbox folder. */
export interface StoredMail extends Mail {
  readonly id: string;
  readonly at: string;
}

/** Without a mail server, mails become files that a person can read: one JSON and one text file each. */
export interface MailFolder extends MailTransport {
  /** The newest mails first. */
  list(limit: number): Promise<StoredMail[]>;
}

/** Links in mails open accounts: none is kept for whoever gets at the folder much later. */
const KEPT_MS = 24 * 60 * 60_000;

/** Names begin with the time of their mail. */
async function forgetBefore(folder: string, time: Date): Promise<void> {
  const first = time.toISOString().replaceAll(':', '-');
  for (const name of await readdir(folder)) if (name < first) await rm(path.join(folder, name), { force: true });
}

export function createMailFolder(options: { readonly folder: string; readonly clock: Clock; readonly ids: Ids }): MailFolder {
  const { folder, clock, ids } = options;
  return Object.freeze<MailFolder>({
    async send(mail) {
      const stored: StoredMail = { id: ids.uuid(), at: nowIso(clock), ...mail };
      const name = `${stored.at.replaceAll(':', '-')}-${stored.id}`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await forgetBefore(folder, new Date(now(clock).getTime() - KEPT_MS));
      await writeFile(path.join(folder, `${name}.txt`), `To: ${mail.to}\nSubject: ${mail.subject}\nDate: ${stored.at}\n\n${mail.text}\n`, {
        mode: 0o600,
      });
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(stored), { mode: 0o600 });
    },
    async list(limit) {
      const names = (await readdir(folder).catch(() => [] as string[]))
        .filter((name) => name.endsWith('.json'))
        .sort()
        .reverse();
      return Promise.all(
        names.slice(0, limit).map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as StoredMail),
      );
    },
  });
}
