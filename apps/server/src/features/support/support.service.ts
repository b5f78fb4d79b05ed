import type { Scope } from '@holdfast/database';
import { now, nowIso, type Clock } from '@holdfast/foundation/clock';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Actor } from '../../access/actor.ts';
import type { SupportViews } from './support.views.ts';

/** Who makes a bundle, where, and by which request. */
export interface SupportCaller {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly request: { readonly id: string; readonly address: string };
}

export interface SupportServiceOptions {
  readonly views: SupportViews;
  readonly version: string;
  /** Settings by name, and whether they have a value. Values never get here. */
  readonly settings: readonly { readonly name: string; readonly hasValue: boolean }[];
  /** Writes the making into the audit log. */
  record(caller: SupportCaller, tenantId: string): Promise<void>;
  readonly clock: Clock;
}

export interface SupportService {
  bundle(
    caller: SupportCaller,
    tenantId: string,
  ): Promise<{ readonly fileName: string; readonly mediaType: string; readonly content: AsyncIterable<Uint8Array> }>;
}

/** Puts together what support needs to see. */
export function createSupportService(options: SupportServiceOptions): SupportService {
  const { views, version, settings, clock } = options;
  return Object.freeze<SupportService>({
    async bundle(caller, tenantId) {
      await options.record(caller, tenantId);
      const { migrations, counts, runs, workers } = await views.figures(caller.scope, tenantId);
      const at = now(clock);
      const about = {
        version,
        madeAt: nowIso(clock),
        runtime: process.version,
        platform: `${process.platform} ${process.arch}`,
        realm: caller.scope.realm,
        organisationId: caller.scope.organisationId,
        tenantId,
      };
      const zip = new ZipFile();
      for (const [name, content] of Object.entries({ about, settings, migrations, counts, runs, workers })) {
        zip.addBuffer(Buffer.from(`${JSON.stringify(content, null, 2)}\n`), `${name}.json`, { mtime: at });
      }
      zip.end();
      const fileName = `holdfast-support-${about.madeAt.slice(0, 16).replaceAll(':', '')}.zip`;
      return { fileName, mediaType: 'application/zip', content: zip.outputStream as Readable };
    },
  });
}
