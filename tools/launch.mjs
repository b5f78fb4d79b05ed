/**
 * The one script that any Node from 20 on can run: it installs what is missing, then hands over to
 * the pinned Node that came with the installation. Everything else is TypeScript that Node 26 runs
 * as it is. `npm start`, `npm test` and the other commands of package.json all come through here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.holdfast-installed');

/** What each command runs, by the pinned Node, with the arguments that follow it. */
const commands = {
  start: ['tools/start.ts'],
  dev: ['tools/start.ts', '--watch'],
  test: ['tools/test.ts'],
  'test:long': ['tools/test.ts', '--long'],
  check: ['tools/check.ts'],
  e2e: ['tools/test.ts', '--e2e'],
  bench: ['tools/bench.ts'],
  build: ['tools/build-portal.ts', '--force'],
  openapi: ['tools/openapi.ts'],
  settings: ['tools/settings.ts'],
  sbom: ['tools/sbom.ts'],
  notice: ['tools/notice.ts'],
  release: ['tools/release.ts'],
  'verify-release': ['tools/verify-release.ts'],
  'install-service': ['tools/install-service.ts'],
  graph: ['tools/graph.ts'],
  pictures: ['tools/readme-pictures.ts'],
  simulator: ['packages/m365-simulator/src/main.ts'],
  admin: ['apps/server/src/main.ts', 'admin'],
};

function lockHash() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockHash();
}

/** Installs exactly what the lock file says. A first start on a slow network takes a minute or two. */
function install() {
  console.error('Installing the packages this version needs. This happens once.');
  const scripted = packagesWithScripts();
  runNpm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  const present = scripted.filter((name) => existsSync(join(root, 'node_modules', name)));
  if (present.length > 0) runNpm('rebuild', '--ignore-scripts=false', '--loglevel=error', ...present);
  writeFileSync(stampFile, lockHash());
}

/** Packages whose install script may run, at the version that is named; a script of any other package never runs. */
function packagesWithScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(allowScripts).flatMap((entry) => {
    const at = entry.lastIndexOf('@');
    const [name, version] = [entry.slice(0, at), entry.slice(at + 1)];
    return allowScripts[entry] === true && packages[`node_modules/${name}`]?.version === version ? [name] : [];
  });
}

/** Runs npm: the one that started this command, else the one on the path. Ends this process when npm fails. */
function runNpm(...words) {
  const own = process.env.npm_execpath;
  const done = own
    ? spawnSync(process.execPath, [own, ...words], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', words, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status === 0) return;
  console.error('The installation failed. Check the network and the messages above, then run the command again.');
  process.exit(1);
}

/** The pinned Node: one of the platform packages brought it, whatever Node the machine has. */
function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const candidates = [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`].map((pkg) =>
    join(root, 'node_modules', pkg, 'bin', name),
  );
  const found = candidates.find((path) => existsSync(path));
  if (found) return found;
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath;
  console.error(`There is no packaged Node for ${process.platform}-${process.arch}. Install Node 26 and run the command again.`);
  process.exit(1);
}

const [command = '', ...rest] = process.argv.slice(2);
const script = commands[command];
if (!script) {
  console.error(`Unknown command "${command}". There are: ${Object.keys(commands).join(', ')}.`);
  process.exit(2);
}
if (!isInstalled()) install();

const separator = process.platform === 'win32' ? ';' : ':';
const child = spawn(pinnedNode(), [...script, ...rest], {
  cwd: root,
  // The channel tells the child when this process is killed: what it started then ends too.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    // What was compiled once is not compiled again: a second start spends half the time on it.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${separator}${process.env.PATH ?? ''}`,
  },
});
// A terminal sends Ctrl-C to the whole group; a supervisor signals this process alone. Either way the child decides when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}

/** Name and parent of a process, where the system tells. */
function processOf(pid) {
  try {
    const text =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^\d+ \((.*)\) \S+ (\d+) .*$/s, '$2 $1')
        : spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    const [parent = '', ...name] = text.trim().split(' ');
    return { parent: Number(parent), name: name.join(' ') };
  } catch {
    return undefined;
  }
}

/** The npm that runs this script: our parent, or the parent of the shell between us. */
function npmAbove() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return undefined;
  const above = processOf(process.ppid);
  return above?.name.endsWith('sh') ? above.parent : process.ppid;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// An npm that is killed can pass nothing on: without it nobody could end what runs here by its name.
const npm = npmAbove();
if (npm !== undefined) {
  const watching = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(watching);
    child.kill('SIGTERM');
  }, 250);
  watching.unref();
}
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
