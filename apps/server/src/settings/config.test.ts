import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

test('every setting has a default that works on one machine', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    HOLDFAST_HOST: '127.0.0.1',
    HOLDFAST_PORT: 8080,
    HOLDFAST_REGISTRATION: 'invite',
    HOLDFAST_LOG_LEVEL: 'info',
  });
  expect(path.isAbsolute(config.HOLDFAST_DATA_DIR)).toBe(true);
});

test('all problems are listed at once, by the name of the setting', () => {
  const problems = problemsOf({ HOLDFAST_PORT: '99999', HOLDFAST_PROT: '1', HOLDFAST_LOG_LEVEL: 'loud', HOLDFAST_MASTER_KEY: 'short' });
  expect(problems.map((problem) => problem.split(/[: ]/)[0] ?? '').sort((a, b) => a.localeCompare(b))).toEqual([
    'HOLDFAST_LOG_LEVEL',
    'HOLDFAST_MASTER_KEY',
    'HOLDFAST_PORT',
    'HOLDFAST_PROT',
  ]);
});

test('a secret may come from a file, and never shows when the settings are printed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-config-'));
  try {
    const file = path.join(folder, 'url');
    writeFileSync(file, 'postgres://someone:hidden-word@db/holdfast\n');
    const config = readConfig({ HOLDFAST_DATABASE_URL_FILE: file });
    expect(config.HOLDFAST_DATABASE_URL?.reveal()).toBe('postgres://someone:hidden-word@db/holdfast');
    expect(JSON.stringify(config)).not.toContain('hidden-word');
    expect(problemsOf({ HOLDFAST_DATABASE_URL_FILE: file, HOLDFAST_DATABASE_URL: 'postgres://x' })[0]).toContain('are both set');
    expect(problemsOf({ HOLDFAST_MASTER_KEY_FILE: path.join(folder, 'none') })[0]).toContain("can't be read");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the profile for conformance suites starts on loopback only', () => {
  expect(problemsOf({ HOLDFAST_IDENTITY_PROFILE: 'conformance', HOLDFAST_HOST: '0.0.0.0' })).toHaveLength(1);
  expect(problemsOf({ HOLDFAST_IDENTITY_PROFILE: 'conformance' })).toEqual([]);
});

test('other variables of the environment are nobody’s business', () => {
  expect(problemsOf({ PATH: '/bin', HOLDFAST: 'x' })).toEqual([]);
});

test('base paths are paths, differ, and none is below another; origins are origins', () => {
  expect(problemsOf({ HOLDFAST_BASE_PATH: 'apollo/' })).toEqual(['HOLDFAST_BASE_PATH: must be a path such as /apollo']);
  expect(problemsOf({ HOLDFAST_BASE_PATH_STAGING: '/apollo' })).toHaveLength(2);
  expect(problemsOf({ HOLDFAST_BASE_PATH: '/api/new' })).toEqual(['HOLDFAST_BASE_PATH: /api/new is below HOLDFAST_BASE_PATH_LEGACY.']);
  expect(problemsOf({ HOLDFAST_BASE_PATH: '/api-new' })).toEqual([]);
  expect(problemsOf({ HOLDFAST_ALLOWED_ORIGINS: 'https://a.example/path' })[0]).toContain('HOLDFAST_ALLOWED_ORIGINS: must be origins');
  expect(problemsOf({ HOLDFAST_ALLOWED_ORIGINS: '*' })).toEqual([]);
});

test('a public address without trusted proxies does not start, and says what to set', () => {
  const [problem = ''] = problemsOf({ HOLDFAST_PUBLIC_URL: 'https://backup.example.com' });
  expect(problem).toContain('set HOLDFAST_TRUSTED_PROXIES');
  for (const proxies of ['127.0.0.1', '10.0.0.0/8,fd00::/8', 'none']) {
    expect(problemsOf({ HOLDFAST_PUBLIC_URL: 'https://backup.example.com', HOLDFAST_TRUSTED_PROXIES: proxies })).toEqual([]);
  }
  for (const local of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
    expect(problemsOf({ HOLDFAST_PUBLIC_URL: local })).toEqual([]);
  }
  expect(problemsOf({ HOLDFAST_PUBLIC_URL: 'https://127.example.com' })).toHaveLength(1);
});

test('a public address without TLS does not start, unless that is wanted', () => {
  const plain = { HOLDFAST_PUBLIC_URL: 'http://backup.example.com', HOLDFAST_TRUSTED_PROXIES: 'none' };
  expect(problemsOf(plain)[0]).toContain('HOLDFAST_PUBLIC_URL begins with http://');
  expect(problemsOf({ ...plain, HOLDFAST_ALLOW_INSECURE_HTTP: 'true' })).toEqual([]);
});

test('trusted proxies are addresses or networks', () => {
  for (const proxies of ['proxy.internal', '10.0.0.0/33', '127.0.0.1,none', '10.0.0.0/']) {
    expect(problemsOf({ HOLDFAST_TRUSTED_PROXIES: proxies })[0]).toContain('HOLDFAST_TRUSTED_PROXIES: must be addresses or networks');
  }
});

test('the master key has one source, and its command names a program by its path', () => {
  const key = Buffer.alloc(32).toString('base64');
  const command = (value: string) => readConfig({ HOLDFAST_MASTER_KEY_COMMAND: value }).HOLDFAST_MASTER_KEY_COMMAND;
  expect(command(' /usr/bin/vault kv  get -field=key secret/holdfast ')).toEqual([
    '/usr/bin/vault',
    'kv',
    'get',
    '-field=key',
    'secret/holdfast',
  ]);
  expect(() => command('vault kv get')).toThrow('HOLDFAST_MASTER_KEY_COMMAND: must begin with the absolute path of a program');
  expect(() => readConfig({ HOLDFAST_MASTER_KEY: key, HOLDFAST_MASTER_KEY_COMMAND: '/usr/bin/vault' })).toThrow('are both set; use one');
});

test('a time-stamping authority needs certificates that are believed, in a file that has some', () => {
  const url = 'https://time.example.com/tsr';
  expect(problemsOf({ HOLDFAST_TIMESTAMP_URL: url })[0]).toContain('needs HOLDFAST_TIMESTAMP_ROOTS');
  expect(problemsOf({ HOLDFAST_TIMESTAMP_ROOTS: '/nowhere.pem' })[0]).toContain("/nowhere.pem can't be read");
  const folder = mkdtempSync(path.join(tmpdir(), 'roots-'));
  const [empty, roots] = [path.join(folder, 'empty.pem'), path.join(folder, 'roots.pem')];
  writeFileSync(empty, 'nothing');
  writeFileSync(roots, '-----BEGIN CERTIFICATE-----');
  expect(problemsOf({ HOLDFAST_TIMESTAMP_ROOTS: empty })[0]).toContain('no certificate');
  expect(problemsOf({ HOLDFAST_TIMESTAMP_URL: url, HOLDFAST_TIMESTAMP_ROOTS: roots })).toEqual([]);
  rmSync(folder, { recursive: true });
});
