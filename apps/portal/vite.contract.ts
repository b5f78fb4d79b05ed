import type { Plugin } from 'vite';

/** What the portal asks of a route: where it goes. Everything else of it is the server's. */
const usedParts = new Set(['method', 'path', 'surface', 'action', 'response']);

/** Marks the part of a module that holds its schemas. */
export const schemaPart = 'schemas';

const contractModule = /[\\/]packages[\\/]contract[\\/]src[\\/].*\.ts$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Property extends Node {
  readonly key?: { readonly name?: string };
  readonly value?: Node;
}

interface Call extends Node {
  readonly callee: { readonly name?: string };
  readonly arguments: readonly (Node & { readonly properties?: readonly Property[] })[];
}

interface Declaration extends Node {
  readonly source?: Node | null;
  readonly id?: { readonly name: string };
  readonly declaration?: Declaration | null;
  readonly declarations?: readonly { readonly id: { readonly name: string }; readonly init: Node | null }[];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Every node of a tree that passes, from the top down. */
function* nodesOf(node: Node, type: string): Generator<Node> {
  if (node.type === type) yield node;
  for (const part of Object.values(node)) {
    for (const child of Array.isArray(part) ? (part as unknown[]) : [part]) if (isNode(child)) yield* nodesOf(child, type);
  }
}

const calls = (node: Node): readonly Call[] => [...nodesOf(node, 'CallExpression')] as Call[];

interface Edit {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

type Program = Node & { readonly body: readonly Declaration[] };

/** Takes out what a route says to the server alone. */
function withoutServerParts(program: Program): readonly Edit[] {
  return calls(program)
    .filter(({ callee }) => callee.name === 'defineRoute')
    .flatMap((call) => call.arguments[0]?.properties ?? [])
    .flatMap(({ key, value, start, end }) => {
      const name = key?.name;
      if (name === undefined || (usedParts.has(name) && (name !== 'response' || value?.type === 'Literal'))) return [];
      return [{ at: start, until: end, text: `${name}: undefined` }];
    });
}

/** What a bundler takes for work that must be done: calls, and lists that are spread. */
const isMadeOfOthers = (init: Node): boolean =>
  ['CallExpression', 'SpreadElement'].some((type) => nodesOf(init, type).next().done === false);

/** Lets the bundler leave out what nobody imports: a schema does nothing but be there. */
function withoutUnused(program: Program): readonly Edit[] {
  return program.body
    .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
    .flatMap(({ init }) => (init === null || !isMadeOfOthers(init) ? [] : [init]))
    .flatMap(({ start, end }) => [
      { at: start, until: start, text: '/* @__PURE__ */ (() => (' },
      { at: end, until: end, text: '))()' },
    ]);
}

function edited(code: string, program: Program): string {
  const edits = [...withoutServerParts(program), ...withoutUnused(program)].toSorted((one, other) => other.at - one.at);
  return edits.reduce((text, { at, until, text: wanted }) => text.slice(0, at) + wanted + text.slice(until), code);
}

const isZod = (node: Node): boolean => 'name' in node && node.name === 'z';

/** Whether a value is made by calls that declare no route: a schema, or something that is made of one. */
const isMade = (init: Node): boolean => calls(init).length > 0 && !calls(init).some(({ callee }) => callee.name === 'defineRoute');

/** What a module of the contract exports, and whether a schema is made for it. */
function exportsOf(program: Program): readonly { readonly name: string; readonly isSchema: boolean }[] {
  return program.body.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration) return [];
    if (declaration.id) return [{ name: declaration.id.name, isSchema: [...nodesOf(declaration, 'Identifier')].some(isZod) }];
    return (declaration.declarations ?? []).map(({ id, init }) => ({ name: id.name, isSchema: init !== null && isMade(init) }));
  });
}

/** What a module exports of others: they are taken apart themselves. */
function passedOn(code: string, program: Program): string {
  return program.body
    .filter(({ type, source }) => type.startsWith('Export') && source !== undefined && source !== null)
    .map(({ start, end }) => `${code.slice(start, end)}\n`)
    .join('');
}

/**
 * What the contract is to a browser. The server checks with its schemas every question and every answer; the portal checks
 * what is entered, with the few schemas that its forms import by name. So its build gets routes without their schemas and
 * none that no form uses, and each module in two parts: its routes come with the first page, its schemas with the forms.
 * Making them all would take a tenth of the time to the first picture.
 */
export function contractForBrowsers(): Plugin {
  return {
    name: 'holdfast-contract-for-browsers',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      const [file = '', part] = id.split('?');
      if (!contractModule.test(file)) return null;
      const program = this.parse(code) as unknown as Program;
      if (part !== undefined) return { code: edited(code, program), map: null };
      const partOf = (isSchema: boolean): string => {
        const names = exportsOf(program).flatMap((one) => (one.isSchema === isSchema ? [one.name] : []));
        return names.length === 0 ? '' : `export { ${names.join(', ')} } from '${file}?${isSchema ? schemaPart : 'routes'}';\n`;
      };
      return { code: passedOn(code, program) + partOf(false) + partOf(true), map: null, moduleSideEffects: false };
    },
  };
}
