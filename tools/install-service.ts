/**
 * `npm run install-service`: writes a hardened systemd unit for this checkout, with the packages installed and the portal built.
 * `--out FILE` writes it elsewhere. Settings are read from `/etc/holdfast/holdfast.env`. See docs/operations/one-machine.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorText, systemCode } from '../packages/foundation/src/errors.ts';
import { buildPortal } from './build-portal.ts';
import { root } from './run.ts';

const TEMPLATE = path.join(root, 'deploy/systemd/holdfast.service');
const UNIT = '/etc/systemd/system/holdfast.service';

export interface UnitPlaces {
  /** The checkout. */
  readonly program: string;
  /** The pinned Node. */
  readonly node: string;
}

/** A path as a unit file has it: `%` begins a specifier there, and blanks end a word. */
function quoted(file: string): string {
  return `"${file
    .replaceAll('%', '%%')
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)}"`;
}

/** The unit of the repository with the places of this machine. */
export function unitFor(template: string, { program, node }: UnitPlaces): string {
  return template
    .replaceAll('@NODE@', () => quoted(node))
    .replaceAll('@MAIN@', () => quoted(path.join(program, 'apps/server/src/main.ts')))
    .replaceAll('@PROGRAM@', () => program.replaceAll('%', '%%'));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: UNIT } } });
  await buildPortal();
  const unit = unitFor(await readFile(TEMPLATE, 'utf8'), { program: root, node: process.execPath });
  await mkdir(path.dirname(values.out), { recursive: true });
  await writeFile(values.out, unit, { mode: 0o644 });
  console.log(
    [
      `Written: ${values.out}`,
      'Next, as root:',
      '  useradd --system --home-dir /var/lib/holdfast --shell /usr/sbin/nologin holdfast',
      '  install -D -m 0600 deploy/systemd/holdfast.env /etc/holdfast/holdfast.env    # then put your settings into it',
      '  systemctl daemon-reload && systemctl enable --now holdfast',
    ].join('\n'),
  );
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '');
    console.error(isDenied ? `${errorText(error)}. Run this as root, or name another file with --out.` : errorText(error));
    process.exitCode = 1;
  });
}
