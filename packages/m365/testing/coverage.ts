import { startSimulator } from '@holdfast/m365-simulator';
import { routes } from '../src/client/routes/routes.ts';

/** One row of the matrix in `docs/graph-coverage.md`. */
export interface CoverageRow {
  readonly methods: readonly string[];
  readonly path: string;
  readonly use: string;
  readonly product: string;
  readonly client: string;
  readonly simulator: string;
}

const YES = '☑';
const NO = '☐';
const UNUSED = '–';
const ROW =
  /^\| (?<area>[^|]*)\| (?<methods>[A-Z· ]+) `(?<path>[^`]+)` \| (?<use>[^|]+) \| (?<product>[^|]+) \| (?<client>[^|]+) \| (?<simulator>[^|]+) \| (?<note>[^|]*)\|$/;

/** Addresses with their own permission, as the client names them → host and method at the simulator. */
const CONTENT_HOSTS: Readonly<Record<string, string>> = {
  'spo:{downloadUrl}': 'sharepoint',
  'spo:{uploadUrl}': 'sharepoint',
  'outlook:{uploadUrl}': 'outlook',
  'outlook:{importUrl}': 'outlookImport',
  'reports:{reportUrl}': 'reports',
};

function clientNames(method: string, path: string): string[] {
  const cast = path.startsWith('/sites/{id}/pages/{id}') ? path.replace('/pages/{id}', '/pages/{id}/microsoft.graph.sitePage') : path;
  return [`${method} ${path}`, `${method} ${cast}`];
}

/** Sign-in is the library's request: `sign-in/token-request.ts`. */
const isSignIn = (path: string): boolean => path.startsWith('login:/{tenant}/oauth2');

function clientSends(method: string, path: string): boolean {
  return isSignIn(path) || clientNames(method, path).some((name) => name in routes);
}

/** Which methods of a row the product sends: all, by name, or none. */
function productCell(methods: readonly string[], path: string, product: ReadonlySet<string>): string {
  const sent = methods.filter((method) => isSignIn(path) || clientNames(method, path).some((name) => product.has(name)));
  if (sent.length === methods.length) return YES;
  return sent.length === 0 ? UNUSED : sent.join(' · ');
}

/**
 * What the simulator serves: `METHOD path`, and `METHOD host` for addresses with their own permission. With each the
 * name it stands for, where it is another way to write a path.
 */
export async function servedRoutes(): Promise<ReadonlyMap<string, string>> {
  const simulator = await startSimulator({ recipes: ['tiny'] });
  try {
    const served = new Map<string, string>();
    for (const route of simulator.simulation.router.routes) {
      const host: string = route.host ?? 'graph';
      const name = host === 'graph' ? `${route.method} ${route.path}` : `${route.method} ${host}`;
      served.set(name, host === 'graph' ? `${route.method} ${route.like ?? route.path}` : name);
    }
    return served;
  } finally {
    await simulator.close();
  }
}

function isServed(served: ReadonlyMap<string, string>, method: string, path: string): boolean {
  // Sign-in and discovery stand before the table of routes.
  if (path.startsWith('login:')) return true;
  const host = CONTENT_HOSTS[path];
  return host === undefined ? clientNames(method, path).some((name) => served.has(name)) : served.has(`${method} ${host}`);
}

function tick(methods: readonly string[], has: (method: string) => boolean): string {
  return methods.every(has) ? YES : NO;
}

/** The rows of a matrix. */
export function readRows(markdown: string): readonly CoverageRow[] {
  return markdown.split('\n').flatMap((line) => {
    const found = ROW.exec(line)?.groups;
    if (!found) return [];
    const { methods = '', path = '', use = '', product = '', client = '', simulator = '' } = found;
    return [
      {
        methods: methods.split('·').map((method) => method.trim()),
        path,
        use: use.trim(),
        product: product.trim(),
        client: client.trim(),
        simulator: simulator.trim(),
      },
    ];
  });
}

/** The same page with the ticks as they are true now. */
export function withTicks(markdown: string, served: ReadonlyMap<string, string>, product: ReadonlySet<string>): string {
  return markdown
    .split('\n')
    .map((line) => {
      const found = ROW.exec(line)?.groups;
      if (!found) return line;
      const { area = '', methods: names = '', path = '', use = '', note = '' } = found;
      const methods = names.split('·').map((method) => method.trim());
      const sent = productCell(methods, path, product);
      const client = methods.some((method) => clientSends(method, path)) ? tick(methods, (method) => clientSends(method, path)) : UNUSED;
      const simulator = tick(methods, (method) => isServed(served, method, path));
      return `| ${area}| ${names} \`${path}\` | ${use} | ${sent} | ${client} | ${simulator} | ${note}|`;
    })
    .join('\n');
}

/** Routes of the client, and of the simulator, that no row names. */
export function unlistedRoutes(rows: readonly CoverageRow[], served: ReadonlyMap<string, string>): readonly string[] {
  const listed = new Set(
    rows.flatMap(({ methods, path }) =>
      methods.flatMap((method) => [...clientNames(method, path), `${method} ${CONTENT_HOSTS[path] ?? ''}`]),
    ),
  );
  const mounted = [...served].filter(([route, name]) => !listed.has(route) && !listed.has(name)).map(([route]) => route);
  return [...Object.keys(routes).filter((route) => !listed.has(route)), ...mounted];
}
