import { SaxesParser } from 'saxes';
import type { EnumType, Member, Operation, StructuredType } from './csdl.ts';

/** One element of the metadata with its children, attributes only: CSDL carries no text that matters here. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

function readElement(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [root];
  const parser = new SaxesParser({ fragment: true });
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.entries(tag.attributes).map(([name, value]) => [name, String(value)]));
    const element: Element = { name: tag.name, attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  const first = root.children[0];
  if (!first) throw new Error('The metadata fragment holds no element.');
  return first;
}

const ALIASES: Readonly<Record<string, string>> = {
  graph: 'microsoft.graph',
  self: 'microsoft.graph.security',
};

/** The qualified name behind an alias of the metadata. */
export function qualify(name: string): string {
  const dot = name.lastIndexOf('.');
  const namespace = ALIASES[name.slice(0, dot)];
  return namespace === undefined ? name : `${namespace}${name.slice(dot)}`;
}

function readMember(element: Element): Member {
  const declared = element.attributes['Type'] ?? '';
  const inner = /^Collection\((.*)\)$/.exec(declared)?.[1];
  return {
    type: qualify(inner ?? declared),
    isCollection: inner !== undefined,
    isNullable: element.attributes['Nullable'] !== 'false',
  };
}

function membersOf(element: Element, kind: string): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const child of element.children) {
    if (child.name === kind) members.set(child.attributes['Name'] ?? '', readMember(child));
  }
  return members;
}

/** Reads an `EntityType` or `ComplexType` element. `name` is its qualified name. */
export function readStructured(xml: string, name: string): StructuredType {
  const element = readElement(xml);
  const base = element.attributes['BaseType'];
  return {
    kind: 'structured',
    name,
    base: base === undefined ? undefined : qualify(base),
    isOpen: element.attributes['OpenType'] === 'true',
    isAbstract: element.attributes['Abstract'] === 'true',
    isEntity: element.name === 'EntityType',
    properties: membersOf(element, 'Property'),
    navigation: membersOf(element, 'NavigationProperty'),
  };
}

/** Reads an `EnumType` element. */
export function readEnum(xml: string, name: string): EnumType {
  const element = readElement(xml);
  const members = element.children.filter((child) => child.name === 'Member');
  return {
    kind: 'enum',
    name,
    members: new Set(members.map((member) => member.attributes['Name'] ?? '')),
    isFlags: element.attributes['IsFlags'] === 'true',
  };
}

/** Reads a bound `Function` or `Action` element; undefined for an unbound one. */
export function readOperation(xml: string): Operation | undefined {
  const element = readElement(xml);
  if (element.attributes['IsBound'] !== 'true') return undefined;
  const parameters = membersOf(element, 'Parameter');
  const [bindingName, binding] = [...parameters][0] ?? [];
  if (bindingName === undefined || binding === undefined) return undefined;
  parameters.delete(bindingName);
  const returns = element.children.find((child) => child.name === 'ReturnType');
  return {
    name: element.attributes['Name'] ?? '',
    isAction: element.name === 'Action',
    binding,
    parameters,
    returns: returns === undefined ? undefined : readMember(returns),
  };
}
