import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './run.ts';

/**
 * The files of `deploy/` for Compose and Kubernetes, held to what the program takes, and to what Compose, Helm and kubectl make of
 * them where they are installed. No cluster and no registry of images is here: nothing is started.
 */
type Tree = Readonly<Record<string, unknown>>;
const deploy = path.join(root, 'deploy');
const read = (file: string): Promise<string> => readFile(path.join(deploy, file), 'utf8');

/** Every setting there is, by what the operations page lists. */
const settings = new Set(
  [...(await readFile(path.join(root, 'docs/operations/settings.md'), 'utf8')).matchAll(/`(HOLDFAST_\w+)`/g)].map(([, name]) => name),
);
const unknownSettings = (text: string): string[] =>
  [...new Set(text.match(/\bHOLDFAST_\w+/g))].filter((name) => !settings.has(name) && name !== 'HOLDFAST_IMAGE');

function valueAt(values: Tree, dotted: string): unknown {
  const found = dotted.split('.').reduce<unknown>((tree, key) => (tree as Tree | undefined)?.[key], values);
  if (found === undefined) throw new Error(`values.yaml has no ${dotted}`);
  return found;
}

/** What Helm makes of a template, for the few actions that the chart uses; anything else fails. */
function render(template: string, values: Tree): string {
  const indented = (text: string, by: number): string => `\n${text.trimEnd().replaceAll(/^/gm, ' '.repeat(by))}`;
  const text = template
    .replaceAll(/\{\{- if \.Values\.([\w.]+) \}\}\n([\s\S]*?)\{\{- end \}\}\n?/g, (_, name: string, inner: string) =>
      valueAt(values, name) === true ? inner : '',
    )
    .replaceAll(/\s*\{\{- toYaml \.Values\.([\w.]+) \| nindent (\d+) \}\}/g, (_, name: string, by: string) =>
      indented(stringify(valueAt(values, name)), Number(by)),
    )
    .replaceAll(/\{\{ \.Values\.([\w.]+) \| quote \}\}/g, (_, name: string) => JSON.stringify(String(valueAt(values, name))))
    .replaceAll(/\{\{ \.Values\.([\w.]+) \}\}/g, (_, name: string) => String(valueAt(values, name)))
    .replaceAll('{{ .Release.Name }}', 'backup');
  if (text.includes('{{')) throw new Error(`This is not rendered: ${/\{\{[^}]*\}\}/.exec(text)?.[0] ?? ''}`);
  return text;
}

/** Kubernetes reads YAML 1.1, in which 0440 is an octal number. */
const yamlOfKubernetes = { strict: true, version: '1.1' } as const;

async function chart(changes: Tree = {}): Promise<Tree[]> {
  const values = { ...(parse(await read('helm/holdfast/values.yaml')) as Tree), ...changes };
  const names = await readdir(path.join(deploy, 'helm/holdfast/templates'));
  const texts = await Promise.all(names.map(async (name) => render(await read(`helm/holdfast/templates/${name}`), values)));
  return texts
    .flatMap((text) =>
      parseAllDocuments(text, yamlOfKubernetes).map((document) => {
        if (document.errors.length > 0) throw document.errors[0] as Error;
        return document.toJS() as Tree | null;
      }),
    )
    .filter((document) => document !== null);
}

const podOf = ({ spec }: Tree): Tree | undefined => (spec as { template?: { spec: Tree } } | undefined)?.template?.spec;
const ingress = { enabled: true, className: 'nginx', host: 'backup.example.com', tlsSecret: 'tls' };

test('the chart renders to a process for each role, none of them root or able to write its image', async () => {
  const documents = await chart();
  const kinds = documents.map((document) => `${String(document['kind'])} ${(document['metadata'] as { name: string }).name}`).toSorted();
  expect(kinds).toEqual([
    'ConfigMap backup-settings',
    'Deployment backup-api',
    'Deployment backup-scheduler',
    'Deployment backup-worker',
    'Job backup-migrate',
    'Service backup',
  ]);
  const pods = documents.map(podOf).filter((pod) => pod !== undefined);
  expect(pods).toHaveLength(4);
  for (const pod of pods) {
    expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } });
    const [container] = pod['containers'] as { args: string[]; securityContext: Tree; volumeMounts: { name: string }[] }[];
    expect(['api', 'worker', 'scheduler', 'migrate']).toContain(container?.args[0]);
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const volumes = (pod['volumes'] as { name: string }[]).map(({ name }) => name);
    expect(container?.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
  }
  const withIngress = await chart({ ingress });
  expect(withIngress.find(({ kind }) => kind === 'Ingress')).toMatchObject({ spec: { rules: [{ host: 'backup.example.com' }] } });
});

test('the service of the chart finds the pods that answer, by labels and port', async () => {
  const documents = await chart();
  const service = documents.find(({ kind }) => kind === 'Service') as { spec: { selector: Tree; ports: { targetPort: string }[] } };
  const api = documents.find((document) => (document['metadata'] as { name: string }).name === 'backup-api') as {
    spec: {
      selector: { matchLabels: Tree };
      template: { metadata: { labels: Tree }; spec: { containers: { ports: { name: string }[] }[] } };
    };
  };
  expect(api.spec.template.metadata.labels).toMatchObject(service.spec.selector);
  expect(api.spec.template.metadata.labels).toMatchObject(api.spec.selector.matchLabels);
  expect(api.spec.template.spec.containers[0]?.ports[0]?.name).toBe(service.spec.ports[0]?.targetPort);
});

const has = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

test.skipIf(!has('helm', 'version'))('Helm accepts the chart and renders what this test renders (skipped without helm)', async () => {
  const folder = path.join(deploy, 'helm/holdfast');
  const helm = (...args: readonly string[]) => spawnSync('helm', args, { encoding: 'utf8' });
  const linted = helm('lint', '--strict', folder);
  expect([linted.status, linted.stderr]).toEqual([0, '']);
  const inOrder = (documents: readonly Tree[]): Tree[] =>
    documents.toSorted((one, other) => stringify(one).localeCompare(stringify(other)));
  const rendered = (...set: readonly string[]): Tree[] => {
    const made = helm('template', 'backup', folder, ...set.flatMap((one) => ['--set', one]));
    expect([made.status, made.stderr]).toEqual([0, '']);
    return parseAllDocuments(made.stdout, yamlOfKubernetes).map((document) => document.toJS() as Tree);
  };
  expect(inOrder(rendered())).toEqual(inOrder(await chart()));
  expect(inOrder(rendered('ingress.enabled=true', 'ingress.tlsSecret=tls'))).toEqual(inOrder(await chart({ ingress })));
});

/**
 * What the types of Kubernetes that kubectl brings make of a document with pods: they refuse wrong values and drop unknown fields.
 * kubectl prints only what it changed, so it is given every image to set.
 */
function typed(document: Tree): { readonly status: number | null; readonly made: unknown } {
  const containers = (podOf(document)?.['containers'] ?? []) as { name: string; image: string }[];
  const images = containers.map(({ name, image }) => `${name}=${image}`);
  const input = JSON.stringify(document, (key, value: unknown) => (key === 'image' ? 'not-set' : value));
  const done = spawnSync('kubectl', ['set', 'image', '--local', '--filename', '-', '--output', 'json', ...images], {
    input,
    encoding: 'utf8',
  });
  return { status: done.status, made: done.status === 0 ? JSON.parse(done.stdout) : undefined };
}

test.skipIf(!has('kubectl', 'version', '--client'))(
  'Kubernetes knows every field of the pods and refuses faults (skipped without kubectl)',
  async () => {
    const documents = (await chart()).filter((document) => podOf(document) !== undefined);
    expect(documents).toHaveLength(4);
    for (const document of documents) expect(typed(document).made).toMatchObject(document);
    const changed = (right: string, wrong: string): Tree => {
      const text = JSON.stringify(documents[0]);
      expect(text).toContain(right);
      return JSON.parse(text.replace(right, wrong)) as Tree;
    };
    const unknown = changed('readOnlyRootFilesystem', 'readOnlyRootFileSystem');
    expect(typed(unknown).made).not.toMatchObject(unknown);
    expect(typed(changed('"runAsUser":10001', '"runAsUser":"nobody"')).status).not.toBe(0);
  },
);

test('the compose file starts Holdfast after its database, read-only and without rights, with secrets that prepare.sh makes', async () => {
  const compose = parse(await read('compose/compose.yaml')) as {
    services: Record<string, Tree>;
    secrets: Record<string, { file: string }>;
    volumes: Tree;
  };
  expect(Object.keys(compose.services)).toEqual(['database', 'objects', 'holdfast']);
  expect(compose.services['holdfast']).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    depends_on: { database: { condition: 'service_healthy' } },
    ports: ['127.0.0.1:8080:8080'],
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-compose-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(deploy, folder, { recursive: true });
  const made = spawnSync('sh', [path.join(folder, 'compose/prepare.sh')], { encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([0, '']);
  for (const { file } of Object.values(compose.secrets)) expect((await stat(path.join(folder, 'compose', file))).size).toBeGreaterThan(20);
  const [roles, owner, key] = await Promise.all(
    ['roles.sql', 'database-owner', 'master-key'].map((name) => readFile(path.join(folder, 'compose/secrets', name), 'utf8')),
  );
  const password = /^postgres:\/\/holdfast_owner:(\w{48})@database\/holdfast\n$/.exec(owner ?? '')?.[1];
  expect(roles).toContain(`create role holdfast_owner login noinherit createdb password '${password}';`);
  expect(roles).not.toContain('@');
  expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
  const again = spawnSync('sh', [path.join(folder, 'compose/prepare.sh')], { encoding: 'utf8' });
  expect(again.stdout).toContain('nothing was changed');
  expect(await readFile(path.join(folder, 'compose/secrets/master-key'), 'utf8')).toBe(key);
});

test.skipIf(!has('docker-compose', '--version'))('Compose accepts the file, and makes of it what it says', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-compose-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(deploy, folder, { recursive: true });
  const place = path.join(folder, 'compose');
  spawnSync('sh', [path.join(place, 'prepare.sh')]);
  const text = await readFile(path.join(place, 'compose.yaml'), 'utf8');
  const config = (given: string) =>
    // The name of a project in its file is newer than the Compose of Debian 12, which is told it by its command.
    spawnSync('docker-compose', ['--project-name', 'holdfast', '--project-directory', place, '--file', '-', 'config'], {
      input: given.replace(/^name: .*$/m, ''),
      // It looks for the files of secrets where it runs when it is given the file by its input.
      cwd: place,
      encoding: 'utf8',
    });
  const accepted = config(text);
  expect([accepted.status, accepted.stderr]).toEqual([0, '']);
  expect((parse(accepted.stdout) as { services: Tree }).services).toMatchObject({
    holdfast: { depends_on: { database: { condition: 'service_healthy' } }, read_only: true, cap_drop: ['ALL'] },
    objects: { environment: { ROOT_ACCESS_KEY: 'holdfast' } },
  });
  for (const [right, wrong] of [
    ['read_only: true', 'read_only: perhaps'],
    ['- database:/var', '- nowhere:/var'],
    ['services:', 'servises:'],
  ] as const) {
    expect(text).toContain(right);
    expect(config(text.replace(right, wrong)).status).not.toBe(0);
  }
});

test('every setting that is named in deploy/ exists', async () => {
  const files = (await readdir(deploy, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')));
  expect(files.length).toBeGreaterThan(10);
  expect(unknownSettings(texts.join('\n'))).toEqual([]);
});
