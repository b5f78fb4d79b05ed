import { readFileSync } from 'node:fs';
import type { PathTemplate } from './path-template.ts';
import { compileTemplate } from './path-template.ts';

type Methods = Readonly<Record<string, readonly string[]>>;

interface PermissionsFile {
  readonly paths: Readonly<Record<string, Methods>>;
  readonly implies: Readonly<Record<string, readonly string[]>>;
  readonly sets: Readonly<Record<string, readonly string[]>>;
  readonly roleIds: Readonly<Record<string, string | null>>;
}

/** What the check of a request needs of a route. */
export interface CheckedRoute {
  readonly method: string;
  readonly path: string;
  readonly like?: string;
  readonly open?: string;
  readonly host?: string;
}

/** The application roles that open each path, from Microsoft's own data. */
export interface Permissions {
  /** All roles in `granted` and all that they imply, to the end of the chain. */
  closure(granted: Iterable<string>): ReadonlySet<string>;
  /** Roles that open the route, least privileged first; undefined when it is not in the file. */
  rolesFor(method: string, path: string): readonly string[] | undefined;
  /**
   * The role to name in a refusal, or undefined when one of `roles` (closed) opens the route. A route
   * that needs no role (`open`, or another host) is never refused.
   */
  missingRole(route: CheckedRoute, roles: ReadonlySet<string>): string | undefined;
  /** Routes that are neither in the file nor an exception with a reason: the simulator does not start with one. */
  unknownRoutes(routes: Iterable<CheckedRoute>): readonly string[];
  /** The sets the product asks for: `read`, `restore`, `fullFidelityMail`, `betaImportMime`, `drillChannels`. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** Role → id for an application manifest. */
  readonly roleIds: Readonly<Record<string, string | null>>;
}

interface Entry {
  readonly template: PathTemplate;
  readonly methods: Methods;
}

function readFile(): PermissionsFile {
  return JSON.parse(readFileSync(new URL('../../data/permissions.json', import.meta.url), 'utf8')) as PermissionsFile;
}

/** Names of placeholders say nothing: `/users/{id}` and `/users/{value}` are one path. */
function canonical(path: string): string {
  return path.replaceAll(/\{[a-z]+\}/g, '{}').toLowerCase();
}

function createPermissions(file: PermissionsFile): Permissions {
  const entries: Entry[] = Object.entries(file.paths)
    .map(([path, methods]) => ({ template: compileTemplate(path), methods }))
    .sort((a, b) => b.template.weight - a.template.weight);
  const byTemplate = new Map(entries.map((entry) => [canonical(entry.template.text), entry.methods]));

  function rolesOf(route: CheckedRoute): readonly string[] | undefined {
    return byTemplate.get(canonical(route.like ?? route.path))?.[route.method];
  }

  function isExempt(route: CheckedRoute): boolean {
    return route.open !== undefined || (route.host !== undefined && route.host !== 'graph');
  }

  return Object.freeze({
    sets: file.sets,
    roleIds: file.roleIds,
    closure(granted: Iterable<string>) {
      const closed = new Set<string>();
      const waiting = [...granted];
      for (let role = waiting.pop(); role !== undefined; role = waiting.pop()) {
        if (closed.has(role)) continue;
        closed.add(role);
        waiting.push(...(file.implies[role] ?? []));
      }
      return closed;
    },
    rolesFor(method: string, path: string) {
      return entries.find((entry) => entry.methods[method] && entry.template.match(path))?.methods[method];
    },
    missingRole(route: CheckedRoute, roles: ReadonlySet<string>) {
      if (isExempt(route)) return undefined;
      const needed = rolesOf(route) ?? [];
      return needed.some((role) => roles.has(role)) ? undefined : (needed[0] ?? 'no role');
    },
    unknownRoutes(routes: Iterable<CheckedRoute>) {
      return [...routes].filter((route) => !isExempt(route) && rolesOf(route) === undefined).map(({ method, path }) => `${method} ${path}`);
    },
  });
}

let shared: Permissions | undefined;

/** The permissions of the packaged file; read once a process. */
export function packagedPermissions(): Permissions {
  shared ??= createPermissions(readFile());
  return shared;
}
