import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { basePaths, toastDefaultLimit, type BasePaths } from '@holdfast/contract/limits';
import { Secret } from '@holdfast/foundation/secrets';
import { isLoopback } from './loopback.ts';

/**
 * Every setting, in one place. Each is an environment variable; a secret may be given as `<NAME>_FILE`
 * instead, the path of a file that holds it. Unknown `HOLDFAST_…` names are refused, so that a
 * misspelt setting is found at the start and not in production.
 */
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/$/, ''));
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);
const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));

const basePath = z.string().regex(/^(?:\/[a-z0-9][a-z0-9._-]*)+$/, { error: 'must be a path such as /apollo' });
const isOrigin = (value: string): boolean =>
  value === '*' || (/^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value);
const origins = list.refine((values) => values.every(isOrigin), { error: 'must be origins such as https://example.com' });

const contacts = list.refine((values) => values.every((value) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value)), {
  error: 'must be mailto: or https: addresses',
});

const isNetwork = (value: string): boolean => {
  const [address = '', bits, ...rest] = value.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest));
};
const proxies = list.refine((values) => (values.length === 1 && values[0] === 'none') || values.every(isNetwork), {
  error: 'must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8, or none',
});

const settings = {
  /** Where the embedded database, the master key and local files are. */
  HOLDFAST_DATA_DIR: z
    .string()
    .min(1)
    .default('./.holdfast')
    .transform((value) => path.resolve(value)),
  /** The address to listen on. Anything but loopback needs a reverse proxy with TLS in front. */
  HOLDFAST_HOST: z.string().min(1).default('127.0.0.1'),
  /** The port to listen on; 0 takes any free one. */
  HOLDFAST_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** The address that users type; links in mails start with it. Default: http://host:port. */
  HOLDFAST_PUBLIC_URL: url.optional(),
  /** Addresses or networks of reverse proxies whose forwarded addresses are believed, comma-separated; `none` when people connect without a proxy. A public address needs it. */
  HOLDFAST_TRUSTED_PROXIES: proxies.default([]),
  /** A PostgreSQL to use instead of the embedded one, as the role that owns the tables (postgres://…). */
  HOLDFAST_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres://' })
    .transform((value) => new Secret(value))
    .optional(),
  /** The same database as a role that owns nothing and may become holdfast_application. Default: the owner, stepping down on each connection. */
  HOLDFAST_DATABASE_APPLICATION_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres://' })
    .transform((value) => new Secret(value))
    .optional(),
  /** Connections of this process to the database. */
  HOLDFAST_DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  /** 32 bytes in base64 that seal every other key. Default: made at the first start, in the data directory. */
  HOLDFAST_MASTER_KEY: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').byteLength === 32, { error: 'must be 32 bytes in base64' })
    .transform((value) => new Secret(value))
    .optional(),
  /** A program that prints the master key (32 bytes in base64), as an absolute path with arguments separated by blanks; run without a shell at each start. Not together with HOLDFAST_MASTER_KEY. */
  HOLDFAST_MASTER_KEY_COMMAND: z
    .string()
    .transform((value) => value.trim().split(/\s+/))
    .refine(([program = '']) => path.isAbsolute(program), { error: 'must begin with the absolute path of a program' })
    .optional(),
  /** Outgoing mail: smtp://user:password@host:port, or smtps://. Without it no mail is sent and the portal says so. */
  HOLDFAST_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, { error: 'must start with smtp:// or smtps://' })
    .transform((value) => new Secret(value))
    .optional(),
  /** The sender of mails. */
  HOLDFAST_MAIL_FROM: z.string().min(3).default('Holdfast <holdfast@localhost>'),
  /** `conformance` answers as ASP.NET Core Identity does; it starts on loopback only. */
  HOLDFAST_IDENTITY_PROFILE: z.enum(['hardened', 'conformance']).default('hardened'),
  /** Who may make an account: invited people only, or anybody. */
  HOLDFAST_REGISTRATION: z.enum(['invite', 'open']).default('invite'),
  /** Whether every account needs a second factor. Default: required, optional while the public address is this machine and there is no mail server. */
  HOLDFAST_SECOND_FACTOR: z.enum(['required', 'optional']).optional(),
  /** Days that an owner or administrator has to have that role before they may approve what others ask for. */
  HOLDFAST_APPROVER_DAYS: z.coerce.number().int().min(1).max(365).default(7),
  /** Shortest password; 6 is the least. */
  HOLDFAST_PASSWORD_MIN_LENGTH: z.coerce.number().int().min(6).max(64).default(12),
  /** Refuse passwords of the list of common ones. */
  HOLDFAST_PASSWORD_CHECK_COMMON: flag.default(true),
  /** Characters of e-mail addresses: the product's rule (letters, digits, @ and .), or ASP.NET Core's. */
  HOLDFAST_EMAIL_CHARACTERS: z.enum(['spec', 'upstream']).default('spec'),
  /** Start although HOLDFAST_PUBLIC_URL is a public address without TLS: passwords and contents then cross the network in the clear. */
  HOLDFAST_ALLOW_INSECURE_HTTP: flag.default(false),
  /** The first owner, made at the first start when there is no account yet. */
  HOLDFAST_OWNER_EMAIL: z.email().optional(),
  /** The first owner's password. */
  HOLDFAST_OWNER_PASSWORD: secret.optional(),
  /** The name of the first owner's organisation. */
  HOLDFAST_OWNER_ORGANISATION: z.string().min(1).max(100).default('My organisation'),
  /** Microsoft Graph, e.g. of a national cloud. */
  HOLDFAST_GRAPH_URL: url.default('https://graph.microsoft.com'),
  /** Microsoft's sign-in. */
  HOLDFAST_LOGIN_URL: url.default('https://login.microsoftonline.com'),
  /** Certificates (PEM) to trust for Microsoft's addresses beside the system's: for the simulator or an inspecting proxy. */
  HOLDFAST_GRAPH_CA_FILE: z.string().min(1).optional(),
  /** Megabytes that the reports and documents of one organisation may take together. */
  HOLDFAST_DOCUMENTS_QUOTA_MB: z.coerce.number().int().min(3).max(1_000_000).default(1_024),
  /** Take PDF files that run programs or scripts, or carry other files, too. */
  HOLDFAST_DOCUMENTS_ACTIVE_CONTENT: flag.default(false),
  /** Where clamd scans uploaded reports and documents for malware: tcp://host:port, or unix:/path of its socket. A file that it says nothing about is refused. Default: files are not scanned. */
  HOLDFAST_CLAMD: z
    .string()
    .regex(/^(?:tcp:\/\/(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}|unix:\/.+)$/, { error: 'must be tcp://host:port or unix:/path' })
    .optional(),
  /** Where a time-stamping authority (RFC 3161) is asked once a day for a stamp on the audit log: https://… or http://…. Needs HOLDFAST_TIMESTAMP_ROOTS. Default: the log is not stamped. */
  HOLDFAST_TIMESTAMP_URL: url.optional(),
  /** A PEM file with the root certificates of the time-stamping authorities that are believed. Keep those of earlier authorities in it: their stamps are checked every night. */
  HOLDFAST_TIMESTAMP_ROOTS: z.string().min(1).optional(),
  /** Hosts in private networks that storage and receivers of audit events may be at, comma-separated, with or without a port; everything private is refused otherwise. */
  HOLDFAST_ALLOWED_HOSTS: list.default([]),
  /** Folders that filesystem locations may be in, comma-separated. Default: the folder `vaults` of the data directory. */
  HOLDFAST_LOCATION_ROOTS: list.default([]),
  /** Folders of this machine that mail may be imported from, comma-separated. Default: the folder `imports` of the data directory. */
  HOLDFAST_IMPORT_ROOTS: list.default([]),
  /** The port on which a worker takes in journal mail by SMTP; 0 takes any free one. Default: it takes in none. */
  HOLDFAST_RECEIVER_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** The address on which a worker listens for journal mail: that of a network card, or 0.0.0.0 for all. */
  HOLDFAST_RECEIVER_BIND: z.string().min(1).default('127.0.0.1'),
  /** The name under which Exchange reaches the receiver. It is part of the journal addresses and of the certificate that is made. */
  HOLDFAST_RECEIVER_HOST: z
    .string()
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, { error: 'must be a host name such as journal.example.com' })
    .default('localhost'),
  /** Path of the receiver's certificate with its chain (PEM). Default: one that the worker makes and signs itself. */
  HOLDFAST_RECEIVER_CERTIFICATE: z.string().min(1).optional(),
  /** Path of the private key of that certificate (PEM). */
  HOLDFAST_RECEIVER_KEY: z.string().min(1).optional(),
  /** Connections that the receiver serves at a time. */
  HOLDFAST_RECEIVER_CONNECTIONS: z.coerce.number().int().min(1).max(10_000).default(100),
  /** Megabytes of journal mail that the receiver holds in memory at a time. What comes above that is sent again later. */
  HOLDFAST_RECEIVER_MEMORY: z.coerce.number().int().min(16).max(16_384).default(256),
  /** Name servers for the keys of DKIM signatures, comma-separated addresses; `none` looks up no keys. Default: those of this machine. */
  HOLDFAST_RECEIVER_DNS: list.default([]),
  /** Folder for a signed witness of each vault, kept away from vaults and database: verifications are held against it as well. Default: none. */
  HOLDFAST_WITNESS_DIR: z.string().min(1).optional(),
  /** Whether a worker recognises the words of pictures and scanned documents, in English and German, while it has nothing else to index. Set it on servers as well: they say so on the search page. */
  HOLDFAST_OCR: z.enum(['on', 'off']).default('off'),
  /** Runs that this process works on at a time. */
  HOLDFAST_WORKER_SLOTS: z.coerce.number().int().min(1).max(64).default(4),
  /** Address by which this worker is known (XXX.XXX.XXX.XXX). It is an identifier and never dialled. */
  HOLDFAST_WORKER_IP: z.ipv4().default('127.0.0.1'),
  /** How this worker is called on the screens. */
  HOLDFAST_WORKER_NAME: z.string().trim().min(1).max(100).default('Worker'),
  /** Address of the index beside this worker (XXX.XXX.XXX.XXX); shown, never dialled. Default: that of the worker. */
  HOLDFAST_WORKER_INDEX_IP: z.ipv4().optional(),
  /** The token with which a worker in a process of its own joins an organisation. Needed once. */
  HOLDFAST_WORKER_JOIN_TOKEN: secret.optional(),
  /** How much is logged. */
  HOLDFAST_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Who may read /metrics besides loopback: a bearer token. Without it only loopback. */
  HOLDFAST_METRICS_TOKEN: secret.optional(),
  /** Where a weakness of this installation is reported, comma-separated: mailto: or https: addresses. Published at /.well-known/security.txt. */
  HOLDFAST_SECURITY_CONTACT: contacts.default([]),
  /** Shown on the support page. */
  HOLDFAST_SUPPORT_EMAIL: z.union([z.email(), z.literal('')]).default(''),
  /** Shown on the support page. */
  HOLDFAST_SUPPORT_PHONE: z.string().max(50).default(''),
  /** Shown on the support page. */
  HOLDFAST_SUPPORT_URL: z.union([url, z.literal('')]).default(''),
  /** The legal notice in English. */
  HOLDFAST_IMPRINT_EN: z.string().max(20_000).optional(),
  /** The legal notice in German. */
  HOLDFAST_IMPRINT_DE: z.string().max(20_000).optional(),
  /** Toasts that may stand at once. */
  HOLDFAST_TOAST_LIMIT: z.coerce.number().int().min(1).max(20).default(toastDefaultLimit),
  /** The base path of the API (spec: `/apollo`). The three base paths differ, and none is below another. */
  HOLDFAST_BASE_PATH: basePath.default(basePaths.main),
  /** The base path of the API over the staging realm. */
  HOLDFAST_BASE_PATH_STAGING: basePath.default(basePaths.staging),
  /** The base path of the legacy API. */
  HOLDFAST_BASE_PATH_LEGACY: basePath.default(basePaths.legacy),
  /** What the portal sends in the `Access-Control-Allow-Origin` header of its calls, comma-separated, for gateways that read it. The server itself lets no other origin in. */
  HOLDFAST_ALLOWED_ORIGINS: origins.default([]),
  /** Sign-in of demo data, shown on the sign-in page. Never with real data. */
  HOLDFAST_DEMO_EMAIL: z.string().optional(),
  /** The password of the demo's sign-in. */
  HOLDFAST_DEMO_PASSWORD: z.string().optional(),
} as const;

const schema = z.strictObject(settings);
type Settings = z.output<typeof schema>;

/** Settings that a file may hold instead, named by `<NAME>_FILE`. */
const FROM_FILE: readonly (keyof Settings)[] = [
  'HOLDFAST_DATABASE_URL',
  'HOLDFAST_DATABASE_APPLICATION_URL',
  'HOLDFAST_MASTER_KEY',
  'HOLDFAST_SMTP_URL',
  'HOLDFAST_OWNER_PASSWORD',
  'HOLDFAST_METRICS_TOKEN',
  'HOLDFAST_WORKER_JOIN_TOKEN',
  'HOLDFAST_IMPRINT_EN',
  'HOLDFAST_IMPRINT_DE',
];

/** The settings of this process, checked. */
export type Config = Readonly<Settings>;

/** Every problem of the environment at once. The process ends with code 2. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `<NAME>_FILE` by what the file holds; a file that can't be read is a problem. */
function withFiles(environment: Environment, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('HOLDFAST_') || value === undefined || value === '') continue;
    const target = FROM_FILE.find((setting) => name === `${setting}_FILE`);
    if (target === undefined) {
      given[name] = value;
      continue;
    }
    if (environment[target] !== undefined) problems.push(`${target} and ${name} are both set; use one.`);
    try {
      given[target] = readFileSync(value, 'utf8').trim();
    } catch {
      problems.push(`${name}: the file ${value} can't be read.`);
    }
  }
  return given;
}

function problemText(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${key} is not a setting.`);
  return [`${issue.path.join('.')}: ${issue.message}`];
}

function holdsCertificate(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

/** What each setting allows and all of them together do not. */
function problemsBetween(config: Config): string[] {
  const problems = [...transportProblems(config), ...proxyProblems(config), ...basePathProblems(basePathsOf(config))];
  if (config.HOLDFAST_DATABASE_APPLICATION_URL && !config.HOLDFAST_DATABASE_URL) {
    problems.push('HOLDFAST_DATABASE_APPLICATION_URL needs HOLDFAST_DATABASE_URL beside it.');
  }
  if (config.HOLDFAST_TIMESTAMP_URL && !config.HOLDFAST_TIMESTAMP_ROOTS) {
    problems.push(
      'HOLDFAST_TIMESTAMP_URL needs HOLDFAST_TIMESTAMP_ROOTS beside it: a stamp of an authority that nobody believes proves nothing.',
    );
  }
  const { HOLDFAST_TIMESTAMP_ROOTS: roots } = config;
  if (roots !== undefined && !holdsCertificate(roots)) {
    problems.push(`HOLDFAST_TIMESTAMP_ROOTS: ${roots} can't be read, or has no certificate in PEM form.`);
  }
  if (config.HOLDFAST_MASTER_KEY_COMMAND && config.HOLDFAST_MASTER_KEY) {
    problems.push('HOLDFAST_MASTER_KEY and HOLDFAST_MASTER_KEY_COMMAND are both set; use one.');
  }
  if (config.HOLDFAST_IDENTITY_PROFILE === 'conformance' && !isLoopback(config.HOLDFAST_HOST)) {
    problems.push('HOLDFAST_IDENTITY_PROFILE: conformance starts on a loopback address only.');
  }
  return problems;
}

/** Reads the environment. Throws `ConfigError` that lists all that is wrong; nothing has been touched then. */
export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const given = withFiles(environment, problems);
  const result = schema.safeParse(given);
  if (!result.success) problems.push(...result.error.issues.flatMap(problemText));
  if (result.success) problems.push(...problemsBetween(result.data));
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(result.data);
}

/** Where this process serves the API. */
export function basePathsOf(
  config: Pick<Config, 'HOLDFAST_BASE_PATH' | 'HOLDFAST_BASE_PATH_STAGING' | 'HOLDFAST_BASE_PATH_LEGACY'>,
): BasePaths {
  return { main: config.HOLDFAST_BASE_PATH, staging: config.HOLDFAST_BASE_PATH_STAGING, legacy: config.HOLDFAST_BASE_PATH_LEGACY };
}

/** A surface below another would answer the other's calls. */
function basePathProblems({ main, staging, legacy }: BasePaths): string[] {
  const named = [
    ['HOLDFAST_BASE_PATH', main],
    ['HOLDFAST_BASE_PATH_STAGING', staging],
    ['HOLDFAST_BASE_PATH_LEGACY', legacy],
  ] as const;
  return named.flatMap(([name, path]) =>
    named
      .filter(([other, outer]) => other !== name && `${path}/`.startsWith(`${outer}/`))
      .map(([other, outer]) => `${name}: ${path} is ${path === outer ? 'the same as' : 'below'} ${other}.`),
  );
}

/** Where people reach this process; without a public address, where it listens. */
export function publicHostOf(config: Pick<Config, 'HOLDFAST_PUBLIC_URL' | 'HOLDFAST_HOST'>): string {
  return config.HOLDFAST_PUBLIC_URL === undefined ? config.HOLDFAST_HOST : new URL(config.HOLDFAST_PUBLIC_URL).hostname;
}

/** What links begin with: the public address, or where this process listens once that is known. */
export function publicUrlOf(config: Config, listening?: string): string {
  return config.HOLDFAST_PUBLIC_URL ?? listening ?? `http://${config.HOLDFAST_HOST}:${config.HOLDFAST_PORT}`;
}

/** Whoever listens on the way would have every password. */
function transportProblems(config: Config): string[] {
  const { HOLDFAST_PUBLIC_URL: address, HOLDFAST_ALLOW_INSECURE_HTTP: isWanted } = config;
  if (!address?.startsWith('http:') || isLoopback(publicHostOf(config)) || isWanted) return [];
  return [
    'HOLDFAST_PUBLIC_URL begins with http://, so passwords would cross the network in the clear: give it an https:// address, or set HOLDFAST_ALLOW_INSECURE_HTTP=true if only your own network can see it.',
  ];
}

/** Behind a proxy that is not believed, all people would share one address, and what is open to this machine would be open to them. */
function proxyProblems(config: Config): string[] {
  if (config.HOLDFAST_PUBLIC_URL === undefined || isLoopback(publicHostOf(config)) || config.HOLDFAST_TRUSTED_PROXIES.length > 0) return [];
  return [
    'HOLDFAST_PUBLIC_URL is a public address: set HOLDFAST_TRUSTED_PROXIES to the address of your reverse proxy as Holdfast sees it, such as 127.0.0.1, or to none when people connect without a proxy.',
  ];
}

/** Whether pictures and scanned documents are read for their words. */
export const recognisesScans = ({ HOLDFAST_OCR }: Config): boolean => HOLDFAST_OCR === 'on';

/** The folders that mail may be imported from. */
export function importRootsOf(config: Pick<Config, 'HOLDFAST_IMPORT_ROOTS' | 'HOLDFAST_DATA_DIR'>): readonly string[] {
  const { HOLDFAST_IMPORT_ROOTS: roots, HOLDFAST_DATA_DIR: data } = config;
  return roots.length > 0 ? roots : [path.join(data, 'imports')];
}
