import type { Method, RouteEntry } from './route.ts';
import type { Host } from './host.ts';
import { type PathPiece, splitPath } from './template.ts';

export interface Match {
  readonly route: RouteEntry;
  readonly params: readonly string[];
  readonly cast: string | undefined;
}

export interface Router {
  /** `undefined`: no such path; `methods` empty never. */
  find(host: Host, method: string, path: string): Match | { readonly methods: readonly Method[] } | undefined;
  readonly routes: readonly RouteEntry[];
}

interface Node {
  readonly words: Map<string, Node>;
  value: Node | undefined;
  readonly byMethod: Map<string, RouteEntry>;
}

function createNode(): Node {
  return { words: new Map(), value: undefined, byMethod: new Map() };
}

function insert(root: Node, route: RouteEntry): void {
  let node = root;
  for (const piece of splitPath(route.path).pieces) {
    let next = piece.isValue ? node.value : node.words.get(piece.word);
    if (!next) {
      next = createNode();
      if (piece.isValue) node.value = next;
      else node.words.set(piece.word, next);
    }
    node = next;
  }
  if (node.byMethod.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}.`);
  node.byMethod.set(route.method, route);
}

/** A word is tried before a value, so that `mailFolders/delta` is not a folder called delta. */
function walk(node: Node, pieces: readonly PathPiece[], at: number, values: string[]): Node | undefined {
  const piece = pieces[at];
  if (!piece) return node.byMethod.size > 0 ? node : undefined;
  const byWord = node.words.get(piece.word);
  const found = byWord && walk(byWord, pieces, at + 1, values);
  if (found || !node.value) return found;
  values.push(piece.value);
  const byValue = walk(node.value, pieces, at + 1, values);
  if (!byValue) values.pop();
  return byValue;
}

/** Finds the route of a path. Two routes for one method and path are refused. */
export function createRouter(routes: readonly RouteEntry[]): Router {
  const roots = new Map<Host, Node>();
  for (const route of routes) {
    const host = route.host ?? 'graph';
    const root = roots.get(host) ?? createNode();
    roots.set(host, root);
    insert(root, route);
  }
  return Object.freeze({
    routes,
    find(host: Host, method: string, path: string) {
      const root = roots.get(host);
      if (!root) return undefined;
      const split = splitPath(path);
      const values: string[] = [];
      const node = walk(root, split.pieces, 0, values);
      if (!node) return undefined;
      const route = node.byMethod.get(method);
      if (!route) return { methods: [...node.byMethod.values()].map((entry) => entry.method) };
      return { route, params: values, cast: split.cast };
    },
  });
}
